import { copyFile, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf, textOf } from './documents';
import { runCli } from './runCli';

const fixtures = join(import.meta.dirname, '../../fixtures/traces');

let base: string;
let folder: string;
let trace: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'harnessmith-cli-bad-')));
  folder = join(base, 'harness');
  await mkdir(folder);
  await writeFile(join(folder, 'agent.py'), 'def run():\n    return 1\n');
  trace = join(base, 'text-actions.traj.json');
  await copyFile(join(fixtures, 'mini/text-actions.traj.json'), trace);
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** Runs a command that must fail; gives its document, and checks that people read the same and programs no more. */
async function failure(...args: string[]) {
  const { document, exitCode, stderr } = await documentOf('error', folder, ...args);
  expect(Object.keys(document)).toEqual(['schemaVersion', 'error']);
  const text = await textOf(folder, ...args);
  expect(text).toMatchObject({ text: '', exitCode });
  for (const part of [document.error.message, document.error.nextStep]) {
    expect(stderr).toContain(part);
    expect(text.stderr).toContain(part);
  }
  return { exitCode, ...document.error };
}

describe('import', () => {
  it('says no for a file that is none, whatever was imported before', async () => {
    const notes = join(base, 'notes.json');
    await writeFile(notes, '{"name": "package"}');
    const known = await documentOf('traces', folder, 'traces', 'import', trace);
    expect(known.exitCode).toBe(0);
    const { exitCode, document } = await documentOf('traces', folder, 'traces', 'import', notes);
    expect(exitCode).toBe(1);
    expect(document.runs).toHaveLength(1);
    expect(document.unknown.map((one: { file: string }) => one.file)).toEqual([notes]);
    expect((await documentOf('traces', folder, 'traces', 'import', notes, trace)).exitCode).toBe(0);
  });

  it('says yes for a folder, a link to one, and what was imported already', async () => {
    await mkdir(join(base, 'held'), { recursive: true });
    await copyFile(trace, join(base, 'held/a.traj.json'));
    await symlink(join(base, 'held'), join(base, 'linked'));
    for (const path of ['held', 'linked', 'held', 'held/a.traj.json'])
      expect([path, (await documentOf('traces', folder, 'traces', 'import', join(base, path))).exitCode]).toEqual([
        path,
        0,
      ]);
    // A folder beside it whose name begins alike is another one.
    await mkdir(join(base, 'hel'));
    expect((await documentOf('traces', folder, 'traces', 'import', join(base, 'hel'))).exitCode).toBe(1);
  });

  it('of a path that is missing records nothing, not even the good one beside it', async () => {
    const bare = join(base, 'bare');
    await cp(folder, bare, { recursive: true, filter: (file) => !file.includes('.harnessmith') });
    const missing = join(base, 'gone.json');
    const { exitCode, document } = await documentOf('traces', bare, 'traces', 'import', trace, missing);
    expect([exitCode, document.error.code]).toEqual([2, 'path-missing']);
    expect(document.error.message).toContain(missing);
    expect((await documentOf('traces', bare, 'traces', 'list')).document.runs).toEqual([]);
  });
});

describe('wrong input names the place and what to do', () => {
  it.each<[string[], number, string, RegExp, RegExp]>([
    [['traces', 'show', 'nobody'], 2, 'trace-missing', /nobody/, /traces list/],
    [['traces', 'digest', 'nobody'], 2, 'trace-missing', /nobody/, /traces list/],
    [['traces', 'tail', 'nobody', '--once'], 2, 'trace-missing', /nobody/, /traces list/],
    [['traces', 'compare', 'nobody', 'else'], 2, 'trace-missing', /nobody/, /traces list/],
    [['link', 'nobody'], 2, 'trace-missing', /nobody/, /traces list/],
    [['link', '--site', 'agent.py'], 2, 'usage', /agent\.py is no place/, /FILE:LINE/],
    [['link', '--site', 'agent.py:x'], 2, 'usage', /agent\.py:x/, /FILE:LINE/],
    [['diagnose', '--traces', '/does/not/exist.json'], 2, 'path-missing', /exist\.json/, /trace file or a folder/],
    [['compare', 'r-1', 'r-1'], 2, 'run-unknown', /r-1/, /\w/],
  ])('%j', async (args, exitCode, code, message, nextStep) => {
    const found = await failure(...args);
    expect(found).toMatchObject({ exitCode, code });
    expect(found.message).toMatch(message);
    expect(found.nextStep).toMatch(nextStep);
  });

  it.each(['0', '-3', '1.5', '1e', '', '0x', 'NaN', '99999999999999999999'])('step %j', async (step) => {
    const { exitCode, message, nextStep } = await failure('traces', 'show', trace, `--step=${step}`);
    expect(exitCode).toBe(2);
    expect(message).toContain(step === '99999999999999999999' ? 'has no step' : '--step');
    expect(nextStep).toMatch(/\d/);
  });

  it('a file that is no trace gives the reason that the import gives', async () => {
    const file = join(base, 'wide.json');
    await writeFile(file, Buffer.from('\ufeff{"a": 1}', 'utf16le'));
    const found = await failure('traces', 'show', file);
    expect(found.message).toContain(file);
    expect(found.message).toContain('UTF-16');
  });

  it.each([
    ['harness.json', '{"traces": "all"}', /harness\.json.*traces/s],
    ['harness.json', '{"traces": [', /harness\.json/],
    ['imports.json', '{"schemaVersion": 9, "paths": []}', /imports\.json.*schemaVersion/s],
  ])('a broken %s: %s', async (name, content, message) => {
    const broken = await mkdtemp(join(base, 'broken-'));
    await mkdir(join(broken, '.harnessmith'));
    await writeFile(join(broken, '.harnessmith', name), content);
    const { exitCode, document } = await documentOf('error', broken, 'traces', 'list');
    expect(exitCode).toBe(2);
    expect(document.error.message).toMatch(message);
    expect(document.error.nextStep).toMatch(/\w/);
  });

  it.each<[string[], RegExp]>([
    [['traces'], /import/],
    [['traces', 'import'], /missing required argument 'path'/],
    [['traces', 'compare', 'one'], /missing required argument/],
    [['traces', 'show', 'a', 'b'], /too many arguments/],
    [['traces', 'wander'], /wander/],
    [['locate', 'x', '--limit'], /argument missing|unknown option/],
  ])('%j is wrong usage', async (args, words) => {
    const { stderr, exitCode } = await runCli(...args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(words);
  });

  it('a directory that is a file or is missing', async () => {
    for (const place of [trace, join(base, 'no-such-folder')]) {
      const { exitCode, document } = await documentOf('error', place, 'traces', 'list');
      expect([place, exitCode]).toEqual([place, 2]);
      expect(document.error.message).toContain(place);
    }
  });
});

describe('Ctrl-C', () => {
  it('while traces are read ends with 130 and records nothing', async () => {
    const fresh = await mkdtemp(join(base, 'fresh-'));
    const listeners = process.listenerCount('SIGINT');
    const running = runCli('traces', 'import', fixtures, '-C', fresh, '--json');
    while (process.listenerCount('SIGINT') === listeners) await new Promise((done) => setImmediate(done));
    process.emit('SIGINT');
    const { exitCode, stdout } = await running;
    expect(exitCode).toBe(130);
    expect(JSON.parse(stdout).error.code).toBe('cancelled');
    expect(process.listenerCount('SIGINT')).toBe(listeners);
  });
});
