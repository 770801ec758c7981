import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planTrials } from '../../../src/core/validation';
import { BoundedOutput, runPool, runProcess } from '../../../src/core/validation/runner';
import { inheritedEnvironment } from '../../../src/core/validation/runner/environment';
import { trialFolderName } from '../../../src/core/validation/runs/makeTrial';
import { TrialLog, uniqueTrials } from '../../../src/core/validation/runs/trialLog';
import { temporaryFolder } from './repository';
import { manifestOf, trial } from './trials';

const kept = 64 * 1024;

describe('bounded output', () => {
  it('keeps everything up to 128 KB, and beyond it the first and last 64 KB', async () => {
    const folder = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 50_000 }), { maxLength: 12 }), async (sizes) => {
        const file = join(folder, 'log');
        const output = await BoundedOutput.open(file);
        const whole = Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, 97 + index)));
        let from = 0;
        for (const size of sizes) {
          output.write(Buffer.from(whole.subarray(from, from + size)));
          from += size;
        }
        const { dropped } = await output.finish();
        const written = readFileSync(file);
        expect(dropped).toBe(Math.max(0, whole.length - 2 * kept));
        if (dropped === 0) expect(written.equals(whole)).toBe(true);
        else {
          expect(written.subarray(0, kept).equals(whole.subarray(0, kept))).toBe(true);
          expect(written.subarray(-kept).equals(whole.subarray(-kept))).toBe(true);
          expect(written.toString('latin1')).toContain(`[... ${dropped} bytes left out ...]`);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('the pool', () => {
  it('works on at most the given number at a time, in order, and on each once', async () => {
    const started: number[] = [];
    let running = 0;
    let most = 0;
    await runPool([1, 2, 3, 4, 5, 6, 7], 3, new AbortController().signal, async (item) => {
      started.push(item);
      most = Math.max(most, ++running);
      await new Promise((done) => setTimeout(done, 5));
      running--;
    });
    expect(started).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(3);
  });

  it('starts nothing after an abort or a failure, and waits for what is under way', async () => {
    const stop = new AbortController();
    const started: number[] = [];
    await runPool([1, 2, 3, 4], 1, stop.signal, async (item) => {
      started.push(item);
      if (item === 2) stop.abort();
    });
    expect(started).toEqual([1, 2]);

    let finished = false;
    const failing = runPool([1, 2, 3, 4], 2, new AbortController().signal, async (item) => {
      if (item === 1) throw new Error('disk full');
      await new Promise((done) => setTimeout(done, 20));
      finished = true;
    });
    await expect(failing).rejects.toThrow('disk full');
    expect(finished).toBe(true);
  });
});

describe('the order of trials', () => {
  it('holds every trial once, arms side by side with equal seeds, each arm first equally often', () => {
    const manifest = manifestOf(['a', 'b', 'c', 'd'], 3);
    const planned = planTrials({ ...manifest, suite: { ...manifest.suite, seed: 10 } });
    expect(planned).toHaveLength(24);
    expect(uniqueTrials(planned.map(({ task, arm, repeat }) => trial(task, arm, repeat, 'pass')))).toHaveLength(24);
    const pairs = Array.from({ length: 12 }, (_, index) => planned.slice(2 * index, 2 * index + 2));
    for (const [one, other] of pairs) {
      expect(one).toMatchObject({ task: other?.task, repeat: other?.repeat, seed: other?.seed });
      expect(one?.seed).toBe(9 + (one?.repeat ?? 0));
      expect(one?.arm).not.toBe(other?.arm);
    }
    expect(pairs.filter(([one]) => one?.arm === 'baseline')).toHaveLength(6);
    expect(planned[0]?.repeat).toBe(1);
    expect(planned.at(-1)?.repeat).toBe(3);
  });
});

describe('trial folders', () => {
  it('are different for different trials and never lead elsewhere', () => {
    const task = fc.oneof(fc.string(), fc.constantFrom('a/b', 'a_b', '..', '.', 'a--baseline-1', '', '_a_b', 'a:b'));
    fc.assert(
      fc.property(fc.uniqueArray(task, { maxLength: 20 }), (tasks) => {
        const names = tasks.flatMap((each) =>
          [1, 2].map((repeat) => trialFolderName({ task: each, arm: 'baseline', repeat, seed: 1 })),
        );
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/);
      }),
    );
  });
});

describe('the trial log', () => {
  it('writes records that arrive together one by one', async () => {
    const file = join(temporaryFolder(), 'trials.jsonl');
    const log = new TrialLog(file);
    await Promise.all(Array.from({ length: 20 }, (_, index) => log.append(trial('a', 'baseline', index + 1, 'pass'))));
    const written = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).repeat);
    expect(written).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it('refuses a record that is no trial, and goes on with the next', async () => {
    const log = new TrialLog(join(temporaryFolder(), 'trials.jsonl'));
    await expect(log.append({ ...trial('a', 'baseline', 1, 'pass'), repeat: 0 })).rejects.toThrow();
    await log.append(trial('a', 'baseline', 1, 'pass'));
  });
});

describe('the environment of processes', () => {
  it('holds the variables of the machine and of the trial, not those of a git hook or an editor', () => {
    const before = { ...process.env };
    Object.assign(process.env, { GIT_DIR: '/x', GIT_INDEX_FILE: '/y', ELECTRON_RUN_AS_NODE: '1', VSCODE_PID: '1' });
    Object.assign(process.env, { KEPT: 'yes', GIT_AUTHOR_NAME: 'me' });
    try {
      const environment = inheritedEnvironment({ ADDED: 'a', GIT_DIR: '/asked-for' });
      expect(environment).toMatchObject({ KEPT: 'yes', GIT_AUTHOR_NAME: 'me', ADDED: 'a', GIT_DIR: '/asked-for' });
      for (const name of ['GIT_INDEX_FILE', 'ELECTRON_RUN_AS_NODE', 'VSCODE_PID']) {
        expect(environment).not.toHaveProperty(name);
      }
    } finally {
      process.env = before;
    }
  });
});

describe('a process', () => {
  const run = async (argv: [string, ...string[]], cwd: string, signal?: AbortSignal) => {
    const output = await BoundedOutput.open(join(temporaryFolder(), 'log'));
    const end = await runProcess({
      argv,
      cwd,
      environment: {},
      mark: ['MARK', cwd],
      timeoutSeconds: 60,
      output,
      signal,
    });
    await output.finish();
    return end;
  };

  it('that cannot start says why', async () => {
    const folder = temporaryFolder();
    expect(await run(['./none'], folder)).toEqual({
      kind: 'not started',
      message: 'The program ./none was not found.',
    });
    const gone = join(folder, 'gone');
    expect(await run([process.execPath], gone)).toMatchObject({ message: `The folder ${gone} does not exist.` });
    expect(await run(['a\0b'], folder)).toMatchObject({ kind: 'not started' });
    expect(await run([''], folder)).toMatchObject({ kind: 'not started' });
    expect(await run([folder], folder)).toMatchObject({ message: expect.stringContaining('could not be started') });
  });

  it('is not started when it was cancelled before', async () => {
    expect(await run([process.execPath, '-v'], temporaryFolder(), AbortSignal.abort())).toEqual({ kind: 'cancelled' });
  });
});
