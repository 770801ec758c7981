import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkRun, modelFunctions } from '../../../src/core/links';
import { assignSteps } from '../../../src/core/links/recording/assign';
import { mergeParts } from '../../../src/core/links/recording/mergeParts';
import { type RecordedWindow, type Recording, recordingFile } from '../../../src/core/links/recording/model';
import { readRecording } from '../../../src/core/links/recording/read';
import { temporaryFolders } from '../traces/helpers';
import { call, Harness, readerOf, result, step } from './helpers';

const folder = temporaryFolders();
const head = {
  kind: 'recording' as const,
  version: 1 as const,
  root: '/harness',
  commit: null,
  dirty: false,
  started: 0,
  ended: 9,
  exitCode: 0,
};

function window(
  phase: RecordedWindow['phase'],
  call: number,
  from: number,
  functions: number[],
  stream = 'a',
): RecordedWindow {
  return { kind: 'window', stream, phase, call, from, to: from + 1, functions: functions.map((id) => [id, 1]) };
}

function recording(windows: RecordedWindow[]): Recording {
  return { head, functions: new Map(), windows };
}

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const idsOf = (assigned: Awaited<ReturnType<typeof assignSteps>>) =>
  Object.fromEntries([...assigned].map(([n, { counts }]) => [n, [...counts.keys()].sort()]));

describe('steps of a run and windows of a recording', () => {
  const steps = [
    step({ n: 1, kind: 'system' }),
    step({ n: 2, kind: 'user' }),
    step({ n: 3, kind: 'agent', time: at(2) }),
    step({ n: 4, kind: 'tool' }),
    step({ n: 5, kind: 'agent', time: at(5) }),
    step({ n: 6, kind: 'event' }),
  ];
  const windows = [
    window('before', 0, 0, [1]),
    window('model', 1, 1, [2]),
    window('after', 1, 2, [3]),
    window('model', 2, 4, [2]),
    window('after', 2, 5, [4]),
  ];

  it('are joined by order where there are as many calls as turns', async () => {
    const assigned = await assignSteps(recording(windows), readerOf(steps));
    expect(idsOf(assigned)).toEqual({ 1: [1], 2: [1], 3: [2, 3], 4: [3], 5: [2, 4], 6: [4] });
    expect(assigned.get(3)?.how).toBe('order');
  });

  it('are joined by time where a call left no turn', async () => {
    const lost = [
      ...windows.slice(0, 3),
      window('model', 2, 3, [7]),
      ...windows.slice(3).map((one) => ({ ...one, call: 3 })),
    ];
    const assigned = await assignSteps(recording(lost), readerOf(steps));
    expect(assigned.get(5)?.how).toBe('time');
    expect(idsOf(assigned)[5]).toEqual([2, 4]);
  });

  it('are not joined where neither order nor time can do it', async () => {
    const untimed = steps.map(({ time: _, ...rest }) => rest);
    expect((await assignSteps(recording(windows.slice(0, 3)), readerOf(untimed))).size).toBe(0);
  });

  it('of other threads and processes count where they ran', async () => {
    const other = window('before', 0, 2.2, [9], 'b');
    const assigned = await assignSteps(recording([...windows, { ...other, to: 2.4 }]), readerOf(steps));
    expect(idsOf(assigned)).toMatchObject({ 3: [2, 3, 9], 4: [3, 9], 5: [2, 4] });
  });

  it('of another run in the same recording are left out by time', async () => {
    const later = windows.map((one) => ({
      ...one,
      from: one.from + 1000,
      to: one.to + 1000,
      call: one.call && one.call + 2,
    }));
    const reader = readerOf(steps, { started: at(0), ended: at(7) });
    expect(idsOf(await assignSteps(recording([...windows, ...later]), reader))).toMatchObject({ 3: [2, 3], 6: [4] });
  });
});

describe('parts that processes wrote', () => {
  it('become one recording, without what lies outside and what was cut off', async () => {
    const place = join(await folder(), 'parts');
    await mkdir(place);
    const process = { kind: 'process', language: 'python', pid: 1, parent: 0, started: 1 };
    const own = (id: number, name: string) => ({
      kind: 'function',
      id,
      file: `/harness/src/${name}.py`,
      name,
      line: 3,
    });
    const lines = (...records: unknown[]) => records.map((one) => JSON.stringify(one)).join('\n');
    await writeFile(
      join(place, 'python-1.jsonl'),
      lines(process, own(1, 'a'), { ...own(2, 'x'), file: '/elsewhere/x.py' }, window('model', 1, 5, [1, 2])),
    );
    await writeFile(
      join(place, 'python-2.jsonl'),
      `${lines(process, own(1, 'b'), own(2, 'a'), window('before', 0, 2, [1, 2], 'b'))}\n{"kind":"window","str`,
    );
    const merged = await mergeParts(place, head);
    expect(merged).toMatchObject({ processes: 2, functions: 2, calls: 1 });
    const trace = join(await folder(), 'run.json');
    await writeFile(recordingFile(trace), merged.text);
    const read = await readRecording(trace);
    expect([...(read?.functions.values() ?? [])].map(({ id, file }) => [id, file])).toEqual([
      [1, 'src/a.py'],
      [2, 'src/b.py'],
    ]);
    expect(read?.windows.map(({ from, functions }) => [from, functions])).toEqual([
      [
        2,
        [
          [2, 1],
          [1, 1],
        ],
      ],
      [5, [[1, 1]]],
    ]);
  });

  it('that have no head are no recording', async () => {
    const trace = join(await folder(), 'run.json');
    expect(await readRecording(trace)).toBeNull();
    await writeFile(recordingFile(trace), '{"kind":"other"}\nnot json\n');
    await expect(readRecording(trace)).rejects.toMatchObject({ code: 'recording-unreadable' });
  });
});

describe('functions that ask a model', () => {
  it('are the callers in the class of the model and the methods of its stand-ins, not those of the loop', () => {
    const harness = new Harness()
      .node('boundary', '', 'completion', 0, 0, { id: 'boundary:model:completion', boundary: 'model' })
      .node('method', 'agent.py', 'query', 1, 9, { qualname: 'Agent.query' })
      .node('method', 'agent.py', 'save', 10, 12, { qualname: 'Agent.save' })
      .node('method', 'agent.py', 'run', 13, 40, { qualname: 'Agent.run' });
    for (const name of ['Real', 'Fake']) {
      harness.node('method', `${name}.py`, 'query', 20, 30, { qualname: `${name}.query` });
      harness.node('method', `${name}.py`, 'save', 31, 33, { qualname: `${name}.save` });
    }
    const index = harness
      .node('method', 'Real.py', '_ask', 5, 9, { qualname: 'Real._ask' })
      .edge('calls', 'Real.py#Real._ask', 'boundary:model:completion')
      .edge('calls', 'Real.py#Real.query', 'Real.py#Real._ask')
      .edge('calls', 'agent.py#Agent.query', 'Real.py#Real.query', { certain: false, line: 4 })
      .edge('calls', 'agent.py#Agent.run', 'agent.py#Agent.query')
      .unit('main_loop', 'agent.py', 13, 40, ['agent.py#Agent.run'])
      .index();
    const names = modelFunctions(index.graph, index.places.map).map(({ file, name }) => `${file}:${name}`);
    expect(names.sort()).toEqual(['Fake.py:query', 'Real.py:_ask', 'Real.py:query']);
  });
});

describe('links of a recorded run', () => {
  it('are certain where the function ran, doubtful where it did not, and list what else ran', async () => {
    const trace = join(await folder(), 'run.json');
    const functions = ['local', 'docker', 'check'].map((name, at) => ({
      kind: 'function',
      id: at + 1,
      file: `src/${name}.py`,
      name,
      line: 3,
    }));
    const windows = [window('model', 1, 1, []), window('after', 1, 2, [1, 3])];
    await writeFile(
      recordingFile(trace),
      [head, ...functions, ...windows].map((one) => JSON.stringify(one)).join('\n'),
    );
    const harness = new Harness();
    for (const name of ['local', 'docker', 'check']) harness.node('function', `src/${name}.py`, name, 3, 20);
    const index = harness
      .literal('src/local.py', 'src/local.py#local', 5, 5, 'The command ended with an exit code of ', null)
      .literal('src/docker.py', 'src/docker.py#docker', 5, 5, 'The command ended with an exit code of ', null)
      .index();
    const steps = [
      step({ n: 1, kind: 'agent', calls: [call('work')] }),
      step({ n: 2, kind: 'tool', results: [result('The command ended with an exit code of 3')] }),
    ];
    const reader = readerOf(steps, { file: trace });
    const links = (await linkRun(index, reader)).filter((link) => link.step === 2);
    expect(links.map(({ kind, symbol }) => `${kind} ${symbol}`)).toEqual([
      'recorded local',
      'recorded check',
      'literal docker',
    ]);
    expect(links[0]?.confidence).toBeGreaterThan(0.8);
    expect(links[2]?.confidence).toBeLessThan(0.3);
    expect(links[2]?.reason).toContain('did not run here');
    expect(await readFile(recordingFile(trace), 'utf8')).toContain('"kind":"window"');
  });
});
