export { HarnessConfig, ModelConfig, SuiteConfig } from './config';
