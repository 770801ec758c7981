import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const text = (file) => readFileSync(join(process.argv[2], file), 'utf8');

const settings = text('settings.json');
assert.deepEqual(JSON.parse(settings), { server: { port: 9090, tls: true }, cache: { size: 64, shared: false } });
assert.match(settings, /\n {2}"server"/);
