export { BoundedOutput } from './boundedOutput';
export { runPool } from './pool';
export { type ProcessEnd, runProcess } from './process';
export { killMarked } from './processTree';
