import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const rooms = join(process.argv[2], 'rooms');
assert.deepEqual(readdirSync(rooms).sort(), ['attic', 'hall', 'kitchen']);
assert.ok(readdirSync(rooms).every((name) => statSync(join(rooms, name)).isDirectory()));
