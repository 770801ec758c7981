import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (file) => import(pathToFileURL(join(process.argv[2], file)).href);

const { add, clamp } = await load('math.mjs');
assert.deepEqual([clamp(12, 0, 10), clamp(-3, 0, 10), clamp(4, 0, 10)], [10, 0, 4]);
assert.equal(add(2, 3), 5);
