import { appendFile, copyFile, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf, textOf } from './documents';

const fixtures = join(import.meta.dirname, '../../fixtures/traces');
const example = join(import.meta.dirname, '../../../examples/tinker');

let base: string;
let folder: string;
let textActions: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'harnessmith-cli-traces-')));
  folder = join(base, 'harness');
  await mkdir(folder);
  await writeFile(join(folder, 'agent.py'), 'def run():\n    return 1\n');
  textActions = join(base, 'text-actions.traj.json');
  await copyFile(join(fixtures, 'mini/text-actions.traj.json'), textActions);
});
afterAll(() => rm(base, { recursive: true, force: true }));

describe('traces import and list', () => {
  it('remembers what was imported, and answers no when nothing was a trace', async () => {
    await writeFile(join(base, 'notes.txt'), 'no trace at all\n');
    const nothing = await documentOf('traces', folder, 'traces', 'import', join(base, 'notes.txt'));
    expect(nothing.exitCode).toBe(1);
    expect(nothing.document).toMatchObject({ runs: [], unknown: [{ file: join(base, 'notes.txt') }] });
    const found = await documentOf('traces', folder, 'traces', 'import', textActions);
    expect(found.exitCode).toBe(0);
    const { document } = await documentOf('traces', folder, 'traces', 'list');
    expect(document.runs.map((run: { file: string }) => run.file)).toContain(textActions);
  });

  it('of a harness without traces says how to import some', async () => {
    const empty = join(base, 'empty');
    await mkdir(empty);
    expect((await textOf(empty, 'traces', 'list')).text).toContain('harnessmith traces import');
    const missing = await documentOf('traces', empty, 'traces', 'import', join(base, 'not-there'));
    expect(missing.exitCode).not.toBe(0);
  });
});

describe('traces show', () => {
  it('shows each message as a step, and one step whole', async () => {
    const { document } = await documentOf('traces-show', folder, 'traces', 'show', textActions);
    // The file holds a prompt, a request, a reply, its observation and a second reply, in this order.
    const kinds = document.steps.map((step: { kind: string }) => step.kind);
    expect(kinds.slice(0, 5)).toEqual(['system', 'user', 'agent', 'tool', 'agent']);
    expect(document.steps.map((step: { n: number }) => step.n)).toEqual(kinds.map((_: string, at: number) => at + 1));
    expect(document.run.costUsd).toBe(2);
    const { text } = await textOf(folder, 'traces', 'show', textActions, '--step', '2');
    expect(text).toMatch(/^step 2, user\nmake a file/);
    const one = await documentOf('traces-show', folder, 'traces', 'show', textActions, '--step', '3');
    expect(one.document.steps).toHaveLength(1);
    expect(JSON.stringify(one.document.steps[0])).toContain('echo hi > f.txt; ls');
  });

  it('carries what steps have to do with each other, and numbers of the run', async () => {
    const file = join(fixtures, 'mini/calc-1.json');
    const { document } = await documentOf('traces-show', folder, 'traces', 'show', file);
    expect(document.stepMetrics).toHaveLength(document.steps.length);
    expect(document.metrics.fingerprint.turns).toBe(document.run.counts.modelTurns);
    const related = document.relations.find((one: { flow?: unknown }) => one.flow !== undefined);
    const one = await documentOf('traces-show', folder, 'traces', 'show', file, '--step', String(related.step));
    expect(one.document).toMatchObject({ relations: [related], metrics: null });
    const { text } = await textOf(folder, 'traces', 'show', file, '--step', String(related.step));
    expect(text).toContain(`value ${related.flow[0].value}: `);
    expect((await textOf(folder, 'traces', 'show', file)).text).toMatch(/^tokens: .*; cost: /m);
  });

  it('a broken price file is an error that names it', async () => {
    await mkdir(join(folder, '.harnessmith'), { recursive: true });
    const prices = join(folder, '.harnessmith/prices.json');
    await writeFile(prices, '{"schemaVersion": 1, "date": "yesterday", "models": {}}');
    const { exitCode, document } = await documentOf('traces-show', folder, 'traces', 'show', textActions);
    await rm(prices);
    expect(exitCode).toBe(2);
    expect(document.error.message).toContain('prices.json');
  });

  it.each(['0', '-1', 'x', '9999'])('refuses step %s', async (step) => {
    const { exitCode, document } = await documentOf(
      'traces-show',
      folder,
      'traces',
      'show',
      textActions,
      '--step',
      step,
    );
    expect(exitCode).toBe(2);
    expect(document.error.message).toContain(step);
  });

  it('does not let the text of a trace steer the terminal', async () => {
    const file = join(base, 'escape.traj.json');
    const message = (role: string, content: string) => ({ role, content });
    const messages = [
      message('system', 's'),
      message('user', 'red \u001b[31m bell \u0007'),
      message('assistant', 'ok'),
    ];
    await writeFile(file, JSON.stringify({ trajectory_format: 'mini-swe-agent-1', info: {}, messages }));
    for (const extra of [[], ['--step', '2']]) {
      const { text } = await textOf(folder, 'traces', 'show', file, ...extra);
      expect(text).toContain('red');
      expect(text).not.toMatch(/(?![\t\n])\p{Cc}/u);
    }
  });

  it('names the candidates when a name fits several runs', async () => {
    for (const name of ['one', 'two']) {
      await mkdir(join(base, 'jobs', name, 'same'), { recursive: true });
      await copyFile(textActions, join(base, 'jobs', name, 'same', 'a.traj.json'));
    }
    await documentOf('traces', folder, 'traces', 'import', join(base, 'jobs'));
    const { document, exitCode } = await documentOf('traces-show', folder, 'traces', 'show', 'same');
    expect(exitCode).toBe(2);
    expect(document.error.code).toBe('trace-ambiguous');
    expect(document.error.nextStep).toContain(join(base, 'jobs/one/same/a.traj.json'));
    expect(document.error.nextStep).toContain(join(base, 'jobs/two/same/a.traj.json'));
  });
});

describe('traces digest and compare', () => {
  it('digest is a short text about that run', async () => {
    const { document, exitCode } = await documentOf('traces-digest', folder, 'traces', 'digest', textActions);
    expect(exitCode).toBe(0);
    expect(document.run).toContain(textActions);
    expect(document.markdown).toMatch(/^#/);
    expect((await textOf(folder, 'traces', 'digest', textActions)).text.trim()).toBe(document.markdown.trim());
  });

  it('digest of a folder goes over its runs, for people and for a model', async () => {
    const digest = (...more: string[]) => documentOf('traces-digest', folder, 'traces', 'digest', ...more);
    const { document } = await digest(join(fixtures, 'mini'), '--tokens', '2000');
    expect(document).toMatchObject({ run: null, audience: 'people' });
    expect(document.runs.length).toBeGreaterThan(1);
    expect(document.markdown.length).toBeLessThanOrEqual(8000);
    const model = await digest(join(fixtures, 'mini'), '--for', 'model');
    expect(model.document.markdown).toMatch(/^R1\.1\. /m);
    expect((await digest('--for', 'cats')).exitCode).toBe(2);
    expect((await digest('--tokens', '0')).exitCode).toBe(2);
  });

  it('a run does not part from itself, but parts from another one', async () => {
    const other = join(base, 'other.traj.json');
    await copyFile(textActions, other);
    const same = await documentOf('traces-compare', folder, 'traces', 'compare', textActions, other);
    const calc = join(fixtures, 'mini/calc-1.json');
    const different = await documentOf('traces-compare', folder, 'traces', 'compare', textActions, calc);
    expect(same.document.sentence).not.toBe(different.document.sentence);
    const { text } = await textOf(folder, 'traces', 'compare', textActions, calc);
    expect(text.split('\n')[0]).toBe(different.document.sentence);
    expect(text).toMatch(/^=>[~<>] /m);
    expect(text).toMatch(/^(first|second) run/m);
    const sides = different.document.rows.filter((row: { first: unknown }) => row.first !== null);
    expect(sides.length).toBeGreaterThan(0);
  });

  it('compares the texts of two steps as well, and refuses what is no step', async () => {
    const calc = join(fixtures, 'mini/calc-1.json');
    const compare = (...more: string[]) => ['traces', 'compare', textActions, calc, '--no-code', ...more];
    const { document } = await documentOf('traces-compare', folder, ...compare('--prompts', '1,2'));
    expect(document).toMatchObject({ sites: null, prompts: { firstStep: 1, secondStep: 2 } });
    expect((await textOf(folder, ...compare('--prompts', '1,2'))).text).toContain('+++ second, step 2');
    expect((await documentOf('traces-compare', folder, ...compare('--prompts', 'x'))).exitCode).toBe(2);
  });
});

describe('traces tail', () => {
  it('--once prints every step there is and stops', async () => {
    const { text, exitCode } = await textOf(folder, 'traces', 'tail', textActions, '--once');
    const lines = text.trim().split('\n');
    expect(exitCode).toBe(0);
    expect(lines[1]).toMatch(/^2 {2}user {2}make a file/);
    expect(lines.at(-1)).toBe(`${lines.length - 1} steps`);
    const { document } = await documentOf('traces-tail', folder, 'traces', 'tail', textActions, '--once');
    expect(document.steps).toBe(lines.length - 1);
  });

  it('sees what was appended to a file of lines, and passes over a line that is half written', async () => {
    const growing = join(base, 'growing.jsonl');
    const lines = (await readFile(join(fixtures, 'claude/small.jsonl'), 'utf8')).trimEnd().split('\n');
    await writeFile(growing, `${lines.slice(0, -3).join('\n')}\n`);
    const tail = async () =>
      (await documentOf('traces-tail', folder, 'traces', 'tail', growing, '--once')).document.steps;
    const before = await tail();
    await appendFile(growing, `${lines.slice(-3).join('\n')}\n`);
    const after = await tail();
    expect(after).toBeGreaterThan(before);
    await appendFile(growing, '{"type":"assistant","uuid":"half');
    expect(await tail()).toBe(after);
  });
});

describe('link', () => {
  let tinker: string;
  beforeAll(async () => {
    tinker = join(base, 'tinker');
    const isKept = (path: string) => !/^\/traces\/(?!add-clamp__(005|261))/.test(path.slice(example.length));
    await cp(example, tinker, { recursive: true, filter: isKept });
  });

  it('--site is the way back: every step it names is linked to that place', async () => {
    const { document } = await documentOf('link-site', tinker, 'link', '--site', 'src/agent.ts:1');
    expect(document).toMatchObject({ file: 'src/agent.ts', line: 1 });
    const { runs } = (await documentOf('traces', tinker, 'traces', 'list')).document;
    const { links } = (await documentOf('link', tinker, 'link', runs[0].id)).document;
    const link = links.find((one: { start: number; file: string }) => one.file.startsWith('src/'));
    const back = await documentOf('link-site', tinker, 'link', '--site', `${link.file}:${link.start}`);
    expect(back.exitCode).toBe(0);
    const steps = back.document.touches.flatMap((touch: { steps: { run: string; step: number }[] }) => touch.steps);
    expect(steps).toContainEqual(expect.objectContaining({ run: runs[0].id, step: link.step }));
    for (const touch of back.document.touches) {
      expect(touch.file).toBe(link.file);
      expect(touch.start <= link.start && link.start <= touch.end).toBe(true);
    }
  });

  it('--site answers no for a place no step touched, and refuses what is no place', async () => {
    const { text, exitCode } = await textOf(tinker, 'link', '--site', 'src/agent.ts:99999');
    expect(exitCode).toBe(1);
    expect(text).toMatch(/^No step of \d+ runs touched src\/agent\.ts:99999/);
    expect((await documentOf('link-site', tinker, 'link', '--site', 'src/agent.ts')).exitCode).toBe(2);
  });

  it('prints the code behind a step with its line numbers', async () => {
    const { runs } = (await documentOf('traces', tinker, 'traces', 'list')).document;
    const { links } = (await documentOf('link', tinker, 'link', runs[0].id)).document;
    const { text } = await textOf(tinker, 'link', runs[0].id, '--step', String(links[0].step));
    const numbered = [...text.matchAll(/^ *(\d+) \| /gm)].map((match) => Number(match[1]));
    const shown = /^step \d+ {2}\S+:(\d+)-(\d+) /.exec(text)!;
    expect(numbered[0]).toBe(Number(shown[1]));
    expect(numbered.length).toBeLessThanOrEqual(12);
    expect(numbered.at(-1)).toBeLessThanOrEqual(Number(shown[2]));
  });
});
