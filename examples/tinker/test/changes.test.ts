import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, home } from './support.ts';

const changes = join(home, 'docs', 'changes');

describe('the documented changes', () => {
  const patches = readdirSync(changes).filter((name) => name.endsWith('.patch'));

  it('are all named in the list of flaws', () => {
    const text = readFileSync(join(home, 'docs', 'flaws.md'), 'utf8');
    expect(patches.filter((name) => !text.includes(name))).toEqual([]);
    expect(patches.length).toBeGreaterThanOrEqual(6);
  });

  it.each(patches)('%s applies to the shipped version', async (name) => {
    const copy = await folderWith();
    for (const part of ['src', 'prompts', 'config.json'])
      cpSync(join(home, part), join(copy, part), { recursive: true });
    const applied = spawnSync('git', ['apply', join(changes, name)], { cwd: copy, encoding: 'utf8' });
    expect([applied.stderr, applied.status]).toEqual(['', 0]);
  });
});
