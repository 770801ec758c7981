import { clamp } from './math.mjs';

if (clamp(12, 0, 10) !== 10 || clamp(-1, 0, 10) !== 0) throw new Error('clamp does not limit its value');
