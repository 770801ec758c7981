import { isLeap } from './calendar.mjs';

if (isLeap(1900) || !isLeap(2000) || !isLeap(2024)) throw new Error('isLeap is wrong');
