import { divide } from './ratio.mjs';

let caught;
try {
  divide(1, 0);
} catch (error) {
  caught = error;
}
if (!(caught instanceof RangeError)) throw new Error('divide(1, 0) does not throw a RangeError');
