import { range } from './range.mjs';

if (range(1, 3).join() !== '1,2,3') throw new Error(`range(1, 3) is ${range(1, 3)}`);
