export { BoundedOutput } from './boundedOutput';
export { runPool } from './pool';
export { type ProcessEnd, type ProcessRequest, runProcess } from './process';
export { endGroup, killMarked, signalGroup } from './processTree';
