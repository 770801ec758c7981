import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (file) => import(pathToFileURL(join(process.argv[2], file)).href);

const { range } = await load('range.mjs');
assert.deepEqual(range(2, 5), [2, 3, 4, 5]);
assert.deepEqual(range(1, 1), [1]);
