import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GraphNode, ProgramGraph } from '../../../src/core/graph';
import type { Unit } from '../../../src/core/handbook';
import { plain, quoteProblems } from '../../../src/core/handbook/check/quotes';
import { Texts } from '../../../src/core/handbook/check/texts';
import { openHarness } from '../../../src/core/harness';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harnessmith-quotes-'));
  await writeFile(join(folder, 'tools.ts'), 'register({\n  name: SHELL_TOOL,\n});\nrun("a",\n  b);\n');
});
afterEach(() => rm(folder, { recursive: true }));

function graphWith(name: string, detail: string): ProgramGraph {
  const node: GraphNode = {
    id: `names.ts#${name}`,
    kind: 'variable',
    name,
    qualname: name,
    file: 'names.ts',
    start: 1,
    end: 1,
    detail,
  };
  return new ProgramGraph({ root: folder, files: [], nodes: [node], edges: [], literals: [], unresolved: [] });
}

async function problemsOf(reason: string, graph = graphWith('OTHER', "'other'")): Promise<string[]> {
  const unit = { id: 'unit:tool_shell:x', title: 'Shell', reasons: [reason] } as unknown as Unit;
  const found = await quoteProblems([unit], new Texts(await openHarness(folder)), graph);
  return found.map((problem) => `${problem.file}:${problem.line} ${problem.message}`);
}

describe('quoted code in a reason', () => {
  it('must be in the file, however it is broken into lines', async () => {
    expect(await problemsOf('calls `run("a", b)` (tools.ts:4)')).toEqual([]);
    expect(await problemsOf('calls `run("a"...` (tools.ts:4)')).toEqual([]);
    expect(await problemsOf('calls `stop()` (tools.ts:4)')).toEqual(['tools.ts:4 Shell: `stop()` is not in tools.ts.']);
  });

  it('may be the value of a constant that the file names, and of no other', async () => {
    const reason = 'declares `run_shell` (tools.ts:2)';
    expect(await problemsOf(reason, graphWith('SHELL_TOOL', "'run_shell'"))).toEqual([]);
    expect(await problemsOf(reason, graphWith('EDIT_TOOL', "'run_shell'"))).toHaveLength(1);
    expect(await problemsOf(reason, graphWith('SHELL_TOOL', "'run_shells'"))).toHaveLength(1);
  });

  it('may be the name of the file, which is how a program is called', async () => {
    expect(await problemsOf('is carried out by `tools` (tools.ts:1)')).toEqual([]);
    expect(await problemsOf('is carried out by `tool` (tools.ts:1)')).toHaveLength(1);
  });

  it('is left to the check of places when the file is gone, and is nothing without a place', async () => {
    expect(await problemsOf('calls `x` (gone.ts:1)')).toEqual([]);
    expect(await problemsOf('its name says so')).toEqual([]);
  });

  it('is compared without spaces and quotation marks', () => {
    expect(plain(' a "b"\n\t\'c\' `d` ')).toBe('abcd');
  });
});
