import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (file) => import(pathToFileURL(join(process.argv[2], file)).href);

const { isLeap } = await load('calendar.mjs');
assert.deepEqual([1900, 2000, 2023, 2024, 2100].map(isLeap), [false, true, false, true, false]);
