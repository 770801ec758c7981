import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;

/** A checkout whose packages are of another lock file, and an `npm` that only notes that it was called. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harnessmith-bootstrap-'));
  for (const part of ['checkout/scripts', 'bin', 'packages']) mkdirSync(join(folder, part), { recursive: true });
  cpSync('scripts/bootstrap.mjs', join(folder, 'checkout/scripts/bootstrap.mjs'));
  writeFileSync(join(folder, 'checkout/package-lock.json'), '{}');
  writeFileSync(join(folder, 'packages/.harnessmith-lock'), 'of another lock file');
  writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\necho "$@" > '${join(folder, 'called')}'\n`);
  chmodSync(join(folder, 'bin/npm'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function ensureDependencies(): number | null {
  const script = pathToFileURL(join(folder, 'checkout/scripts/bootstrap.mjs')).href;
  const code = `import { ensureDependencies } from ${JSON.stringify(script)}; ensureDependencies();`;
  const env = { ...process.env, PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter) };
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { env }).status;
}

describe.skipIf(process.platform === 'win32')('the packages of a checkout', () => {
  it('are installed where they are of another lock file', () => {
    cpSync(join(folder, 'packages'), join(folder, 'checkout/node_modules'), { recursive: true });
    expect(ensureDependencies()).toBe(0);
    expect(existsSync(join(folder, 'called'))).toBe(true);
  });

  it('are left alone where they are linked: they belong to another checkout', () => {
    symlinkSync(join(folder, 'packages'), join(folder, 'checkout/node_modules'), 'dir');
    expect(ensureDependencies()).toBe(0);
    expect(existsSync(join(folder, 'called'))).toBe(false);
    expect(readdirSync(join(folder, 'packages'))).toEqual(['.harnessmith-lock']);
  });
});
