export { serve } from './server';
