import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (file) => import(pathToFileURL(join(process.argv[2], file)).href);

const { divide } = await load('ratio.mjs');
assert.equal(divide(6, 3), 2);
assert.throws(() => divide(1, 0), RangeError);
