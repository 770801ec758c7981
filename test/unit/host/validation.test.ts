import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type Arm, type HistoryEntry, judge, type RunManifest, type Trial } from '../../../src/core/validation';
import { costPlot, historyLine } from '../../../src/host/validation/resultsHistory';
import { resultsView } from '../../../src/host/validation/resultsModel';
import { isAlive, startRunner, stopRunner } from '../../../src/host/validation/runProcess';
import { type RunState, RunWatch } from '../../../src/host/validation/runWatch';
import { failingTrace, finishedTasks, trialLine } from '../../../src/host/validation/taskResults';
import { manifestOf, trial as trialOf } from '../validation/trials';

const folders: string[] = [];
const temporary = () => {
  const folder = mkdtempSync(join(tmpdir(), 'harnessmith-host-'));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const manifest = manifestOf(['up', 'down', 'same'], 2, { suiteName: 'tasks', proposal: 'p-00c0ffee' });

const trial = (task: string, arm: Arm, repeat: number, verdict: Trial['verdict'], over: Partial<Trial> = {}) =>
  trialOf(task, arm, repeat, verdict, {
    infrastructure: verdict === 'missing',
    seconds: 1.5,
    tokens: 10,
    trace: `trials/${task}-${arm}-${repeat}/t.json`,
    ...over,
  });
const both = (task: string, baseline: Trial['verdict'], candidate: Trial['verdict']) =>
  [1, 2].flatMap((repeat) => [trial(task, 'baseline', repeat, baseline), trial(task, 'candidate', repeat, candidate)]);
const trials = [...both('up', 'fail', 'pass'), ...both('down', 'pass', 'fail'), ...both('same', 'pass', 'pass')];

describe('the results page', () => {
  const input = {
    manifest,
    trials,
    verdict: judge(manifest, trials),
    prediction: { fixes: ['up'], atRisk: ['down'], note: '' },
    proposalTitle: 'Say more',
    tracePath: (path: string) => `/run/${path}`,
  };

  it('puts regressions first and names them, with k of n for both arms', () => {
    const view = resultsView(input);
    expect(view.rows.map((row) => row.task)).toEqual(['down', 'up', 'same']);
    expect(view.rows[0]).toMatchObject({
      regression: true,
      predicted: 'at risk',
      baseline: { passed: 2, of: 2 },
      candidate: { passed: 0, of: 2 },
    });
    expect(view.regressions).toEqual(['down']);
    expect(view.rows[1]!.candidateTrace).toBe('/run/trials/up-candidate-2/t.json');
    expect(view.sentence).toBe(input.verdict.sentence);
    expect([view.done, view.planned]).toEqual([12, 12]);
  });

  it('gives no verdict while a run is under way or was stopped', () => {
    const part = trials.slice(0, 4);
    const running = resultsView({
      ...input,
      trials: part,
      verdict: judge(manifest, part),
      manifest: { ...manifest, state: 'running' },
    });
    expect(running).toMatchObject({
      verdict: null,
      difference: null,
      regressions: [],
      canResume: false,
      sentence: 'Running: 4 of 12 trials done. The verdict comes when all are done.',
    });
    const stopped = resultsView({ ...input, trials: part, manifest: { ...manifest, state: 'cancelled' } });
    expect(stopped).toMatchObject({ verdict: null, canResume: true });
    expect(stopped.sentence).toContain('No verdict');
  });

  it('shows a run without any trial', () => {
    expect(
      resultsView({ ...input, trials: [], verdict: null, manifest: { ...manifest, state: 'interrupted' } }),
    ).toMatchObject({ rows: [], difference: null, interval: null });
  });
});

describe('runs beside each other', () => {
  const arm = (label: string, score: number, tokens: number | null, usd: number | null = null) => ({
    arm: 'candidate' as const,
    label,
    tree: label,
    score,
    tokens,
    usd,
  });
  const entry = (run: string, arms: HistoryEntry['arms'], over: Partial<HistoryEntry> = {}): HistoryEntry => ({
    run,
    createdAt: '2026-01-02T03:04:05.000Z',
    state: 'finished',
    split: null,
    proposal: 'p-1',
    noise: false,
    verdict: 'undecided',
    difference: 0.05,
    interval: [-0.02, 0.12],
    override: null,
    parent: null,
    arms,
    ...over,
  });

  it('make a line each, with what a person decided against', () => {
    expect(
      historyLine(entry('r-2', [arm('p2', 0.5, 10)], { override: 'needed', split: 'search', parent: 'r-1' }), 'r-1'),
    ).toEqual({
      run: 'r-2',
      when: '2026-01-02 03:04',
      what: 'p2, search split',
      verdict: 'undecided, overruled: needed',
      difference: '+5.0 pp [-2.0, +12.0]',
      parent: 'r-1',
      current: false,
    });
    const open = historyLine(
      entry('r-3', [], { noise: true, verdict: null, state: 'running', difference: null }),
      'r-3',
    );
    expect(open).toMatchObject({
      what: 'baseline against itself (A/A)',
      verdict: 'running',
      difference: '',
      current: true,
    });
  });

  it('make a plot in the unit that all state, the newest measure of a version each', () => {
    const plot = costPlot('r-2', [
      entry('r-2', [arm('a', 0.5, 100), arm('b', 0.7, 300)]),
      entry('r-1', [arm('a', 0.9, 1)]),
    ]);
    expect(plot?.unit).toBe('tokens');
    expect(plot?.dots.map(({ label, cost, picks, current }) => [label, cost, picks, current])).toEqual([
      ['a', 100, ['light'], true],
      ['b', 300, ['medium', 'heavy'], true],
    ]);
    expect(costPlot('r', [entry('r', [arm('a', 0.5, null)])])).toBeNull();
    expect(costPlot('r', [entry('r', [arm('a', 0.5, null, 0.1)])])?.unit).toBe('USD');
    expect(costPlot('r', [])).toBeNull();
  });

  it('stand on the page with facts, interval and what may be done', () => {
    const view = resultsView({
      manifest,
      trials,
      verdict: judge(manifest, trials),
      prediction: { fixes: ['up'], atRisk: ['down'], note: '' },
      proposalTitle: null,
      tracePath: (path) => path,
      history: [entry('r-1', [arm('a', 0.5, 100)])],
    });
    expect(view.facts?.join(' ')).toContain('Prediction mixed: 1 of 1 predicted fixes came true and 1 of 1 risks');
    expect(view.intervals).toEqual([{ label: 'all tasks', difference: view.difference, interval: view.interval }]);
    expect(view).toMatchObject({ canOverride: true, looksLeft: 0, margin: 0.05 });
    expect(view.rows[0]).toMatchObject({ unstable: false, evidence: expect.stringMatching(/^p 0\.33, q 0\.5$/) });
    expect(view.history).toHaveLength(1);
  });
});

describe('results of tasks', () => {
  it('come when all trials are there, and keep infrastructure apart from failure', () => {
    const results = finishedTasks(manifest, [...trials.slice(0, 7), ...both('same', 'missing', 'missing')]);
    expect(results.map((result) => [result.task, result.state, result.words])).toEqual([
      ['up', 'passed', 'candidate passed 2 of 2, baseline passed 0 of 2'],
      ['same', 'errored', 'candidate no verdict in 2, baseline no verdict in 2'],
    ]);
  });

  it('are one line a trial', () => {
    const broken = trial('up', 'baseline', 1, 'missing', {
      exception: { type: 'Timeout', message: 'after 60 s\nmore' },
    });
    expect(trialLine(broken)).toBe('up  baseline 1  no verdict (Timeout: after 60 s)  1.5 s\r\n');
  });
});

describe('a runner', () => {
  const script = (folder: string, text: string) => {
    const file = join(folder, 'cli.cjs');
    writeFileSync(file, text);
    return file;
  };

  it('runs apart from this process, knows its run and keeps what it prints', async () => {
    const folder = temporary();
    const cli = script(
      folder,
      'console.log(process.argv.slice(2).join(" "), process.cwd(), process.env.ELECTRON_RUN_AS_NODE)',
    );
    const pid = await startRunner({ cli, root: folder, run: 'r-1', folder });
    while (isAlive(pid)) await pause(20);
    expect(readFileSync(join(folder, 'runner.log'), 'utf8')).toMatch(
      /^validate --resume r-1 --json .*harnessmith-host-\S+ 1\n$/,
    );
  });

  it('is asked to stop, and killed when it does not listen', async () => {
    const folder = temporary();
    const cli = script(
      folder,
      'process.on("SIGINT", () => {}); require("fs").writeFileSync("ready", ""); setInterval(() => {}, 1000);',
    );
    const pid = await startRunner({ cli, root: folder, run: 'r-1', folder });
    while (!isReady(folder)) await pause(20);
    await stopRunner(pid, 200);
    while (isAlive(pid)) await pause(20);
    expect(isAlive(pid)).toBe(false);
    await stopRunner(pid, 200);
  });

  it('ends by itself when its files ask it to', async () => {
    const folder = temporary();
    const cli = script(
      folder,
      `const fs = require("fs");
       process.on("SIGINT", () => fs.writeFileSync("interrupted", ""));
       fs.writeFileSync("ready", "");
       setInterval(() => { if (fs.existsSync("cancel")) process.exit(0); }, 20);`,
    );
    const pid = await startRunner({ cli, root: folder, run: 'r-1', folder });
    while (!isReady(folder)) await pause(20);
    writeFileSync(join(folder, 'cancel'), '');
    await stopRunner(pid, 60_000);
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(join(folder, 'interrupted'))).toBe(false);
  });

  it('says when it cannot be started', async () => {
    const folder = temporary();
    await expect(
      startRunner({ cli: 'x', root: folder, run: 'r', folder, node: join(folder, 'missing') }),
    ).rejects.toThrow(/ENOENT/);
  });

  const isReady = (folder: string) => {
    try {
      readFileSync(join(folder, 'ready'));
      return true;
    } catch {
      return false;
    }
  };
});

describe('watching a run', () => {
  it('reports each trial once and ends with the run', async () => {
    const folder = temporary();
    const log = join(folder, 'trials.jsonl');
    const states: RunState[] = [];
    const fresh: string[] = [];
    let state: RunState = { manifest: { ...manifest, state: 'running' }, trials: [], verdict: null, runner: 1, folder };
    const step = (count: number, over: Partial<RunManifest> = {}) => {
      state = { ...state, manifest: { ...state.manifest, ...over }, trials: trials.slice(0, count) };
      writeFileSync(log, 'x'.repeat(count));
    };
    step(1);
    const watch = new RunWatch({
      folder,
      every: 5,
      read: async () => state,
      onChange: (now, added) => {
        states.push(now);
        fresh.push(...added.map((one) => `${one.task}/${one.arm}/${one.repeat}`));
        if (states.length === 1) step(3);
        else if (states.length === 2) step(4, { state: 'finished' });
      },
      onError: (error) => {
        throw error;
      },
    });
    await watch.ended;
    expect(fresh).toEqual(['up/baseline/1', 'up/candidate/1', 'up/baseline/2', 'up/candidate/2']);
    expect(states.at(-1)!.manifest.state).toBe('finished');
  });

  it('goes on after a read that failed, and stops when told', async () => {
    const folder = temporary();
    const errors: unknown[] = [];
    const watch = new RunWatch({
      folder,
      every: 5,
      read: async () => {
        throw new Error('busy');
      },
      onChange: () => {},
      onError: (error) => {
        errors.push(error);
        writeFileSync(join(folder, 'manifest.json'), String(errors.length));
        if (errors.length === 2) watch.stop();
      },
    });
    await watch.ended;
    expect(errors).toHaveLength(2);
  });
});

it('leads from a task to the trace of its newest failure, of the candidate first', () => {
  expect(failingTrace(trials, 'down')).toBe('trials/down-candidate-2/t.json');
  expect(failingTrace(trials, 'up')).toBe('trials/up-baseline-2/t.json');
  expect(failingTrace(trials, 'same')).toBeNull();
  expect(failingTrace([trial('x', 'candidate', 1, 'fail', { trace: null })], 'x')).toBeNull();
});
