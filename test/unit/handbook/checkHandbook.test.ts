import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkHandbook, renderPages, writePages } from '../../../src/core/handbook';
import { type BuiltHarness, builtFixture } from '../../fixtureHarness';

let kite: BuiltHarness;
beforeEach(async () => {
  kite = await builtFixture('kite');
});
afterEach(() => kite.remove());

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const file = join(kite.folder, path);
  const text = await readFile(file, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(file, changed);
}

describe('checkHandbook', () => {
  it('holds right after it was written, from the map and from its folder', async () => {
    const folder = join(kite.folder, 'handbook');
    await writePages(renderPages(kite.map, kite.graph, folder), kite.map, folder);
    const { checked, problems } = await checkHandbook(kite.harness, folder);
    expect(problems).toEqual([]);
    expect(checked).toBeGreaterThan(kite.map.units.length);
    expect(await checkHandbook(kite.harness, kite.map)).toEqual({ checked, problems });
  });

  it('names file and line of text that changed', async () => {
    await edit('src/loop.ts', (text) => text.replace('turn >= settings.maxTurns', 'turn > settings.maxTurns'));
    const { problems } = await checkHandbook(kite.harness, kite.map);
    const limit = problems.find((problem) => problem.message.startsWith('Limits check'));
    expect(limit).toMatchObject({ file: 'src/loop.ts', line: 13 });
    expect(limit?.message).toContain('has changed');
    expect(limit?.page).toMatch(/^units\/limits-/);
  });

  it('says where text has moved to', async () => {
    await edit('src/model.ts', (text) => `// moved down\n${text}`);
    const { problems } = await checkHandbook(kite.harness, kite.map);
    expect(problems.some((problem) => /src\/model\.ts:11-14 has moved to line 12/.test(problem.message))).toBe(true);
  });

  it('finds a relation that no longer holds', async () => {
    await edit('src/loop.ts', (text) => text.replace('  logUsage(turn);\n', ''));
    const { problems } = await checkHandbook(kite.harness, kite.map);
    expect(problems.some((problem) => /(calls|callers) differ: no longer/.test(problem.message))).toBe(true);
  });

  it('finds a file that is gone and units that are new', async () => {
    await rm(join(kite.folder, 'src', 'tools', 'read.ts'));
    await writeFile(join(kite.folder, 'src', 'extra.ts'), 'export class Extra {\n  work() {\n    return 1;\n  }\n}\n');
    const { problems } = await checkHandbook(kite.harness, kite.map);
    expect(problems.map((problem) => problem.message)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('src/tools/read.ts is gone'),
        expect.stringContaining('Extra (src): the handbook does not have this unit'),
      ]),
    );
  });

  it('finds quoted code that is nowhere in its file', async () => {
    const map = structuredClone(kite.map);
    map.units[0]?.reasons.push('calls `neverWritten()` (src/cli.ts:4)');
    const { problems } = await checkHandbook(kite.harness, map);
    expect(problems).toEqual([
      expect.objectContaining({
        file: 'src/cli.ts',
        line: 4,
        message: expect.stringContaining('`neverWritten()` is not in src/cli.ts'),
      }),
      expect.objectContaining({ message: expect.stringContaining('gives something else for reasons') }),
    ]);
  });

  it('reports words of handbook.json for units that do not exist', async () => {
    const file = join(kite.folder, '.harnessmith', 'handbook.json');
    await writeFile(file, JSON.stringify({ schemaVersion: 1, units: { 'unit:gone': { title: 'x', by: 'person' } } }));
    const { problems } = await checkHandbook(kite.harness, kite.map);
    expect(problems.map((problem) => problem.message)).toEqual([
      'handbook.json speaks of unit:gone, but the source has no such unit any more.',
    ]);
  });
});
