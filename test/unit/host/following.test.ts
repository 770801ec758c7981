import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunManifest } from '../../../src/core/validation';
import { HarnessService } from '../../../src/host/harness/harnessService';
import { isAlive } from '../../../src/host/validation/runProcess';
import type { RunState } from '../../../src/host/validation/runWatch';
import { ValidationService } from '../../../src/host/validation/validationService';
import { FakeLog, FakeWork, mapOf } from './fakes';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A harness whose only run has the given states, one a read; the last one stays. */
async function following(states: Pick<RunManifest, 'state'>['state'][], runner: number | null = null) {
  const folder = mkdtempSync(join(tmpdir(), 'harnessmith-follow-'));
  folders.push(folder);
  let reads = 0;
  const judgeRun = (): RunState => {
    const state = states[Math.min(reads++, states.length - 1)];
    // Another size is what a watcher sees of a file that was written.
    writeFileSync(join(folder, 'manifest.json'), 'x'.repeat(reads));
    return { manifest: { id: 'r-1', state } as RunManifest, trials: [], verdict: null, runner, folder };
  };
  const work = new FakeWork({
    openHarness: ({ root }) => ({ root, name: 'h', configFile: null, suites: [], model: null, applyTo: 'branch' }),
    buildHandbook: () => ({ map: mapOf(), fingerprint: 'f-1', seconds: 0, parsed: 0, files: 0 }),
    judgeRun,
    listRuns: () => [],
  });
  const log = new FakeLog();
  const harness = new HarnessService(
    work,
    {
      folders: async () => [{ root: folder, name: 'h', configured: true }],
      remembered: () => undefined,
      remember: () => {},
      withProgress: (_title, task) => task(() => {}, new AbortController().signal),
    },
    log,
  );
  await harness.ensure();
  const service = new ValidationService(work, harness, join(folder, 'cli.cjs'), log);
  return { service, folder, log, work };
}

describe('following a run', () => {
  it('ends when the run is finished, having told every change', async () => {
    const { service } = await following(['running', 'running', 'finished']);
    const seen: string[] = [];
    const fired: string[] = [];
    service.onDidChange((run) => fired.push(run));
    await service.follow('r-1', {
      onChange: ({ manifest }) => seen.push(manifest.state),
      onError: (error) => {
        throw error;
      },
    });
    expect(seen).toEqual(['running', 'finished']);
    expect(fired).toEqual(['r-1', 'r-1']);
  });

  it('says what the runner printed last when it died before the end', async () => {
    const { service, folder } = await following(['interrupted']);
    writeFileSync(join(folder, 'runner.log'), 'one\ntwo\nthree\nThe disk is full.\n');
    let told: (error: unknown) => void = () => {};
    const failure = new Promise<unknown>((resolve) => {
      told = resolve;
    });
    await service.follow('r-1', { onChange: () => {}, onError: told });
    expect(await failure).toMatchObject({
      code: 'runner-ended',
      message: expect.stringMatching(/r-1 ended before.*It said: two three The disk is full\.$/),
      nextStep: expect.stringContaining('Resume'),
    });
  });

  it('stops when the window closes, without calling that a failure', async () => {
    const { service } = await following(['running']);
    const errors: unknown[] = [];
    let changed: () => void = () => {};
    const first = new Promise<void>((resolve) => {
      changed = resolve;
    });
    const followed = service.follow('r-1', { onChange: () => changed(), onError: (error) => errors.push(error) });
    await first;
    service.dispose();
    await followed;
    expect(errors).toEqual([]);
  });

  it('asks the run to stop by its files, and waits until its runner is gone', async () => {
    const script = 'setInterval(() => {}, 1000)';
    const runner = spawn(process.execPath, ['-e', script]);
    await once(runner, 'spawn');
    const { service, work } = await following(['running'], runner.pid);
    work.answer('cancelRun', () => {
      runner.kill();
      return null;
    });
    await service.cancel('r-1');
    expect(isAlive(runner.pid!)).toBe(false);
    expect(work.calls).toContain('cancelRun');
  });

  it('asks nobody to stop a run that nobody carries out', async () => {
    const { service, work } = await following(['cancelled']);
    await service.cancel('r-1');
    expect(work.calls).not.toContain('cancelRun');
  });

  it('starts no second runner beside one that works', async () => {
    const { service, log } = await following(['running'], process.pid);
    // The script does not exist; a start would fail or be logged.
    await service.start('r-1');
    expect(log.lines.filter((line) => line.includes('carried out by process'))).toEqual([]);
  });
});
