import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importTraces } from '../../src/core/traces';
import { programs, runOf } from './harness';

/** A configuration whose model gives two fixed answers: a command, and the end. */
const configuration = (command: string) =>
  JSON.stringify({
    agent: {
      system_template: 'You work in a shell.',
      instance_template: 'Your task: {{task}}',
      agent_class: 'default',
    },
    environment: { environment_class: 'local' },
    model: {
      model_class: 'minisweagent.models.test_models.DeterministicModel',
      model_name: 'deterministic',
      outputs: [command, 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT'].map((each) => ({
        role: 'assistant',
        content: `I run ${each}`,
        extra: { actions: [{ command: each }], cost: 0.25, timestamp: 0 },
      })),
    },
  });

it('mini-swe-agent works in the folder of the trial and is judged by the command of the suite', async () => {
  const suite = {
    engine: 'mini-swe-agent',
    program: [join(programs, 'mini')],
    target: '{worktree}/mini.yaml',
    arguments: ['--agent-class', 'default'],
    tasks: ['write a file', 'write another'],
    trials: 2,
    verify: ['test', '-s', 'answer.txt'],
  };
  const { trials, verdict, manifest, root } = await runOf(
    suite,
    { 'mini.yaml': configuration('echo done > result.txt') },
    { 'mini.yaml': configuration('echo done > answer.txt') },
  );
  expect(trials.filter(({ arm }) => arm === 'baseline').map((trial) => trial.verdict)).toEqual(Array(4).fill('fail'));
  expect(trials.filter(({ arm }) => arm === 'candidate').map((trial) => trial.verdict)).toEqual(Array(4).fill('pass'));
  expect(verdict).toMatchObject({ up: 2, down: 0 });
  const [trace] = trials.map((trial) => join(root, '.harnessmith', 'runs', manifest.id, trial.trace ?? 'none'));
  const { runs } = await importTraces([trace as string]);
  expect(runs[0]).toMatchObject({ format: 'mini-swe-agent', exitStatus: 'Submitted' });
});
