import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const text = (file) => readFileSync(join(process.argv[2], file), 'utf8');

const lines = text('CHANGELOG.md')
  .split('\n')
  .map((line) => line.trim())
  .filter(Boolean);
assert.deepEqual(lines, [
  '## Added',
  '- export as CSV',
  '- dark theme',
  '## Fixed',
  '- keep the column order',
  '- empty names',
]);
