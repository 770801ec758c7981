export { BoundedOutput } from './boundedOutput';
export { fencedGit } from './environment';
export { runPool } from './pool';
export { type ProcessEnd, runProcess } from './process';
export { killMarked } from './processTree';
