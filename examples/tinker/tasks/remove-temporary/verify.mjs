import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const found = ['a.tmp', 'keep.txt', 'deep/b.tmp', 'deep/keep.tmp.md'].filter((file) =>
  existsSync(join(process.argv[2], file)),
);
assert.deepEqual(found, ['keep.txt', 'deep/keep.tmp.md']);
