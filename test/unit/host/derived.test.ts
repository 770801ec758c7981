import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importTraces, type TraceRun } from '../../../src/core/traces';
import { IndexedHarnesses, linksOfRun } from '../../../src/host/work/indexedHarnesses';
import { IndexedLinks } from '../../../src/host/work/linkSource';
import { RunReaders } from '../../../src/host/work/runReaders';

const trace = join(import.meta.dirname, '../../fixtures/traces/mini/text-actions.traj.json');
let folder: string;
let runs: TraceRun[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harnessmith-derived-'));
  await mkdir(join(folder, 'traces'));
  for (let n = 0; n < 10; n++) await copyFile(trace, join(folder, 'traces', `run-${n}.traj.json`));
  runs = (await importTraces([join(folder, 'traces')])).runs;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('open traces', () => {
  it('are opened once, however many ask', async () => {
    const readers = new RunReaders();
    const [first, second] = await Promise.all([readers.open(runs[0]!, {}), readers.open(runs[0]!, {})]);
    expect(second).toBe(first);
    expect(await readers.get(runs[0]!.id)).toBe(first);
    await readers.close(runs[0]!.id);
  });

  it('stay open while they are used; the ones used longest ago rest, and are opened again when asked for', async () => {
    const readers = new RunReaders();
    expect(runs).toHaveLength(10);
    const [first, second] = await Promise.all(runs.slice(0, 8).map((run) => readers.open(run, {})));
    // The first is asked for again, so the second has waited longest.
    await readers.get(runs[0]!.id);
    await readers.open(runs[8]!, {});
    expect(await readers.get(runs[0]!.id)).toBe(first);
    const again = await readers.get(runs[1]!.id);
    expect(again).not.toBe(second);
    expect((await again.summaries(1, 2)).map((row) => row.kind)).toEqual(['system', 'user']);
    for (const run of runs.slice(0, 9)) await readers.close(run.id);
    expect(() => readers.get(runs[1]!.id)).toThrow(/not open any more/);
  });

  it('are tried again after a failure', async () => {
    const readers = new RunReaders();
    const file = join(folder, 'late.traj.json');
    const run = { ...runs[0]!, id: file, file };
    await expect(readers.open(run, {})).rejects.toThrow();
    await copyFile(trace, file);
    expect((await readers.open(run, {})).stepCount).toBeGreaterThan(3);
    await readers.close(file);
    await readers.close('never opened');
  });
});

describe('indexed harnesses', () => {
  async function harness() {
    const root = await mkdtemp(join(folder, 'harness-'));
    await writeFile(join(root, 'agent.py'), 'def run():\n    return step()\n\n\ndef step():\n    return 1\n');
    await writeFile(join(root, 'notes.py'), 'LIMIT = 3\n');
    return { root, harnesses: new IndexedHarnesses() };
  }

  it('are known after they were built, and only then', async () => {
    const { root, harnesses } = await harness();
    expect(harnesses.find(root)).toBeUndefined();
    expect(() => harnesses.get(root)).toThrow(/not indexed yet/);
    const built = await harnesses.build(root, {});
    expect(harnesses.get(root)).toBe(built);
  });

  it('keep links and findings while no file changed, and drop them when one did', async () => {
    const { root, harnesses } = await harness();
    const first = await harnesses.build(root, {});
    const reader = await new RunReaders().open(runs[0]!, {});
    const links = linksOfRun(first, reader);
    expect(linksOfRun(await harnesses.build(root, {}), reader)).toBe(links);
    await writeFile(join(root, 'agent.py'), 'def run():\n    return 2\n');
    const changed = await harnesses.build(root, {});
    expect(linksOfRun(changed, reader)).not.toBe(links);
    expect(changed.graph.data.nodes.map((node) => node.qualname)).not.toContain('step');
    await reader.close();
  });

  it('take saved files alone, and look at everything when one of them is new or gone', async () => {
    const { root, harnesses } = await harness();
    await harnesses.build(root, {});
    await writeFile(join(root, 'agent.py'), 'def run():\n    return 2\n');
    await writeFile(join(root, 'notes.py'), 'LIMIT = 4\n\ndef note():\n    pass\n');
    const one = await harnesses.build(root, {}, ['agent.py']);
    expect(one.stats.parsed).toBe(1);
    expect(one.graph.node('notes.py#note')).toBeUndefined();
    await writeFile(join(root, 'more.py'), 'from agent import run\n\ndef main():\n    run()\n');
    const all = await harnesses.build(root, {}, ['more.py']);
    expect(all.graph.node('notes.py#note')).toBeDefined();
    expect(all.graph.out('more.py#main', 'calls').map(({ to }) => to)).toEqual(['agent.py#run']);
    await rm(join(root, 'more.py'));
    expect((await harnesses.build(root, {}, ['more.py'])).graph.node('more.py#main')).toBeUndefined();
  });

  it('follow a file that was only renamed or removed', async () => {
    const { root, harnesses } = await harness();
    await harnesses.build(root, {});
    await rename(join(root, 'agent.py'), join(root, 'loop.py'));
    const renamed = await harnesses.build(root, {});
    expect(renamed.graph.data.files.map((file) => file.path).sort()).toEqual(['loop.py', 'notes.py']);
    await rm(join(root, 'notes.py'));
    const removed = await harnesses.build(root, {});
    expect(removed.graph.data.files.map((file) => file.path)).toEqual(['loop.py']);
  });

  it('say nothing of steps while they are not there', async () => {
    const { root, harnesses } = await harness();
    const source = new IndexedLinks(harnesses);
    const reader = await new RunReaders().open(runs[0]!, {});
    expect(await source.links(root, reader)).toEqual([]);
    expect(await source.linksOfStep(root, reader, 1)).toEqual([]);
    expect(await source.findings(root, reader)).toEqual([]);
    expect(source.unitTitle(root, 'u')).toBeNull();
    await reader.close();
  });

  it('give the same links of a step as of the whole run', async () => {
    const { root, harnesses } = await harness();
    // The observation of the trace, as the code that made it would write it.
    const template =
      'def observe(code, out):\n    return f"<returncode>{code}</returncode>\\n<output>\\n{out}</output>"\n';
    await writeFile(join(root, 'observe.py'), template);
    await harnesses.build(root, {});
    const source = new IndexedLinks(harnesses);
    const reader = await new RunReaders().open(runs[0]!, {});
    const whole = await source.links(root, reader);
    expect(whole.map((link) => link.file)).toContain('observe.py');
    for (let n = 1; n <= reader.stepCount; n++) {
      expect(await source.linksOfStep(root, reader, n)).toEqual(whole.filter((link) => link.step === n));
    }
    await reader.close();
  });
});
