import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { api, eventually, openFolder } from '../support/extension';

/** Processes whose command line or environment names a text; only on systems with /proc. */
function processesNaming(text: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    for (const part of ['cmdline', 'environ']) {
      try {
        if (readFileSync(`/proc/${pid}/${part}`, 'utf8').includes(text)) found.push(`${pid} ${part}`);
      } catch {
        // It ended while we looked, or belongs to somebody else.
      }
    }
  }
  return found;
}

describe('a validation of the example', () => {
  it('runs baseline and candidate, and computes a verdict', async function () {
    this.timeout(240_000);
    const { services } = await api();
    await services.harness.ensure();
    const run = await services.validation.create({
      suite: 'tasks',
      proposal: null,
      trials: 1,
      tasks: ['changelog', 'greeting'],
    });
    await services.validation.start(run.id);
    const state = await eventually(
      'the run is finished',
      async () => {
        const now = await services.validation.read(run.id);
        return now.manifest.state === 'finished' && now.verdict ? now : undefined;
      },
      200_000,
    );
    assert.equal(state.trials.length, 4);
    assert.deepEqual(
      state.trials.filter((trial) => trial.verdict === 'missing').map((trial) => trial.exception),
      [],
    );
    assert.match(state.verdict!.verdict, /accept|reject|undecided/);
  });

  it('leaves no process behind when it is cancelled, and keeps what is finished', async function () {
    if (process.platform !== 'linux') return;
    this.timeout(240_000);
    const { services } = await api();
    const run = await services.validation.create({ suite: 'tasks', proposal: null, trials: 3, tasks: null });
    await services.validation.start(run.id);
    await eventually(
      'a trial is done',
      async () => (await services.validation.read(run.id)).trials.length > 0,
      120_000,
    );
    assert.ok(processesNaming(run.id).length > 0, 'the run has processes');
    await services.validation.cancel(run.id);
    await eventually('every process of the run is gone', () => processesNaming(run.id).length === 0, 30_000);
    const { trials } = await services.validation.read(run.id);
    assert.ok(trials.length > 0 && trials.length < 3 * 2 * readdirSync(`${openFolder()}/tasks`).length);
  });
});
