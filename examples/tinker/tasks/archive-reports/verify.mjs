import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

assert.deepEqual(readdirSync(process.argv[2]).sort(), ['archive', 'notes.txt']);
assert.deepEqual(readdirSync(join(process.argv[2], 'archive')).sort(), ['report-april.txt', 'report-may.txt']);
