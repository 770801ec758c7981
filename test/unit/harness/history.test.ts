import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, readHistory } from '../../../src/core/harness';
import { LogReader } from '../../../src/core/harness/history';
import { definedName, definitionPattern } from '../../../src/core/harness/historyDefinitions';

let folder: string;
const accepts = (path: string) => /\.(py|ts|md)$/.test(path);

async function commit(message: string, files: Record<string, string>): Promise<string> {
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  await git(folder, ['add', '-A']);
  await git(folder, ['-c', 'user.name=A', '-c', 'user.email=a@b.example', 'commit', '-q', '-m', message]);
  return (await git(folder, ['rev-parse', 'HEAD'])).stdout.trim();
}

const first =
  'class Agent:\n    def run(self):\n        return 1\n\n    def stop(self):\n        return 2\n\nLIMIT = 3\n';
let commits: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harnessmith-past-'));
  await git(folder, ['init', '-q']);
  commits = [
    await commit('begin', { 'agent.py': first, 'loop.ts': 'export function loop() {\n  return 1;\n}\n' }),
    await commit('stop later\n\nwith a body', { 'agent.py': first.replace('return 2', 'return 20') }),
    await commit('picture only', { 'logo.svg': '<svg/>' }),
    await commit('raise the limit', {
      'agent.py': first.replace('return 2', 'return 20').replace('LIMIT = 3', 'LIMIT = 4'),
      'loop.ts': 'export function loop() {\n  return 2;\n}\n',
    }),
  ];
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the past of a repository', () => {
  it('names the definitions that each commit touched, newest first', async () => {
    const changes = await readHistory(folder, { heads: [commits[3] as string], accepts });
    expect(changes.map(({ message }) => message)).toEqual(['raise the limit', 'stop later\n\nwith a body', 'begin']);
    expect(changes[0]?.files).toEqual([
      { path: 'agent.py', names: ['LIMIT'] },
      { path: 'loop.ts', names: ['loop'] },
    ]);
    expect(changes[1]?.files).toEqual([{ path: 'agent.py', names: ['stop'] }]);
    expect(changes[2]?.files[0]?.names).toEqual(expect.arrayContaining(['Agent', 'run', 'stop', 'LIMIT']));
  });

  it('reads only ancestors of the head, only what is new, and no more than asked', async () => {
    const old = await readHistory(folder, { heads: [commits[1] as string], accepts });
    expect(old.map(({ id }) => id)).toEqual([commits[1], commits[0]]);
    const fresh = await readHistory(folder, { heads: [commits[3] as string], known: [commits[1] as string], accepts });
    expect(fresh.map(({ id }) => id)).toEqual([commits[3]]);
    expect(await readHistory(folder, { heads: [commits[3] as string], accepts, limit: 1 })).toHaveLength(1);
  });

  it('is empty where there is no repository', async () => {
    const bare = await mkdtemp(join(tmpdir(), 'harnessmith-nothing-'));
    expect(await readHistory(bare, { heads: ['HEAD'], accepts })).toEqual([]);
    await rm(bare, { recursive: true });
  });

  it('stops when it is cancelled', async () => {
    const signal = AbortSignal.abort();
    await expect(readHistory(folder, { heads: ['HEAD'], accepts, signal })).rejects.toMatchObject({ exitCode: 130 });
  });
});

describe('the reader of the log', () => {
  const read = (lines: string[]) => {
    const reader = new LogReader(accepts);
    for (const line of lines) reader.take(line);
    return reader.finish();
  };

  it('does not take lines of a diff for headers', () => {
    const changes = read([
      '\0abc 5',
      'say',
      '\0',
      'diff --git a.py a.py',
      '--- a.py',
      '+++ a.py',
      '@@ -1 +1 @@ def f():',
      '--- not a path',
      '+    x',
      '+++ b.py',
    ]);
    expect(changes).toEqual([{ id: 'abc', time: 5, message: 'say', files: [{ path: 'a.py', names: ['f'] }] }]);
  });

  it('leaves out commits that touch too many files or none that counts', () => {
    const wide = Array.from({ length: 41 }, (_, n) => [
      'diff --git x x',
      `--- f${n}.py`,
      `+++ f${n}.py`,
      '@@ -1 +1 @@',
    ]).flat();
    expect(read(['\0a 1', 'wide\0', ...wide])).toEqual([]);
    expect(read(['\0a 1', 'none\0', 'diff --git x.svg x.svg', '--- x.svg', '+++ x.svg'])).toEqual([]);
  });
});

it.each([
  ['a.py', '    async def run(self):', 'run'],
  ['a.py', 'LIMIT: int = 3', 'LIMIT'],
  ['a.py', '    x = 3', undefined],
  ['a.ts', 'export const limit = 3;', 'limit'],
  ['a.ts', '  private async run(input: string): Promise<void> {', 'run'],
  ['a.ts', '  if (ready) {', undefined],
  ['a.go', 'func (a *Agent) Run(ctx context.Context) error {', 'Run'],
  ['a.rs', '    pub(crate) async fn run(&self) {', 'run'],
  ['a.rs', 'let x = 3;', undefined],
])('%s: %s', (path, line, name) => {
  expect(definedName(definitionPattern(path) as RegExp, line)).toBe(name);
});

it('knows no definitions of other files', () => {
  expect(definitionPattern('a.md')).toBeUndefined();
});
