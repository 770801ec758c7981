import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (file) => import(pathToFileURL(join(process.argv[2], file)).href);

import { readFileSync } from 'node:fs';

const { greet } = await load('greet.mjs');
assert.equal(greet('Ada'), 'Welcome, Ada.');
assert.match(readFileSync(join(process.argv[2], 'greet.mjs'), 'utf8'), /^\/\/ Hello is the old word/);
