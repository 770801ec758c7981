import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const text = (file) => readFileSync(join(process.argv[2], file), 'utf8');

assert.equal(text('winner.txt').trim(), 'Omar');
