import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const text = (file) => readFileSync(join(process.argv[2], file), 'utf8');

assert.deepEqual(text('totals.txt').trim().split('\n'), [
  'cairo=58',
  'delhi=36',
  'lima=17',
  'oslo=41',
  'quito=23',
  'turin=64',
]);
