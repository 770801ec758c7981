import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const whole = readFileSync(join(process.argv[2], 'whole.txt'), 'utf8');
assert.equal(whole.trim(), 'The kettle was on.\nNobody came.\nIt went cold.');
