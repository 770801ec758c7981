import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (file) => import(pathToFileURL(join(process.argv[2], file)).href);

const { portOf, health } = await load('service.mjs');
assert.equal(portOf({}), 8080);
assert.equal(portOf({ PORT: '9000' }), 9000);
assert.equal(health, '/health');
