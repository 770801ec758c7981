export { type BootstrapOptions, bootstrapMeans, pairedBootstrap, pairedError, quantile } from './bootstrap';
export { exactMcNemar, midPMcNemar } from './mcnemar';
export { connorTasks, type Discordance, detectableGap, furtherTasks, mcnemarPower } from './power';
export { wilson } from './proportion';
export { exactSignFlip } from './signFlip';
