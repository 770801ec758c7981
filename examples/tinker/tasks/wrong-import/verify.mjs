import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const output = execFileSync(process.execPath, ['main.mjs'], { cwd: process.argv[2], encoding: 'utf8', stdio: 'pipe' });
assert.equal(output.trim(), 'READY');
assert.ok(!existsSync(join(process.argv[2], 'text.mjs')));
