import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SuiteConfig } from '../../../src/core/harness';
import { engineOf } from '../../../src/core/validation';
import { parseResult } from '../../../src/core/validation/engines/resultFile';
import { temporaryFolder, writeFiles } from './repository';

const suiteOf = (command: string[], more: Record<string, unknown> = {}) =>
  SuiteConfig.parse({ tasks: ['t'], command, ...more });
const request = {
  task: 'my task',
  arm: 'candidate' as const,
  repeat: 2,
  seed: 8,
  worktree: '/w',
  out: '/o',
  version: null,
};

describe('the command engine', () => {
  it('fills placeholders as single arguments and tells the trial in the environment', () => {
    const suite = suiteOf(
      ['./run', '--task={task}', '{seed}:{repeat}', '{out}', '{worktree}', '{node}', '{other}', '$HOME'],
      {
        environment: { A: 'b', HARNESSMITH_TASK: 'wrong' },
      },
    );
    const plan = engineOf(suite).plan({ ...request, suite });
    expect(plan.argv).toEqual(['./run', '--task=my task', '8:2', '/o', '/w', process.execPath, '{other}', '$HOME']);
    expect(plan.cwd).toBe('/w');
    expect(plan.environment).toMatchObject({ A: 'b', HARNESSMITH_TASK: 'my task', HARNESSMITH_SEED: '8' });
  });

  it('does not expand what stands in a task name', () => {
    const suite = suiteOf(['run', '{task}']);
    const plan = engineOf(suite).plan({ ...request, suite, task: '{out} $& `id`; rm' });
    expect(plan.argv).toEqual(['run', '{out} $& `id`; rm']);
  });

  it('reads reward, exception and cost as separate things', async () => {
    const out = temporaryFolder();
    writeFiles(out, {
      'result.json': JSON.stringify({
        task_name: 't',
        verifier_result: { rewards: { reward: 1.0 } },
        exception_info: { exception_type: 'AgentTimeoutError', exception_message: 'after 900 s' },
        agent_result: { n_input_tokens: 100, n_output_tokens: 20, cost_usd: 0.5, n_cache_tokens: null },
      }),
      'agent/trajectory.json': '{}',
    });
    const suite = suiteOf(['run'], { result: { file: 'result.json' }, trace: 'agent/trajectory.json' });
    const outcome = await engineOf(suite).parse({ kind: 'exited', code: 5 }, { ...request, suite, out });
    expect(outcome).toEqual({
      verdict: 'pass',
      reward: 1,
      exception: { type: 'CommandError', message: 'The command ended with exit code 5.' },
      infrastructure: false,
      tokens: 120,
      costUsd: 0.5,
      trace: `${out}/agent/trajectory.json`,
    });
    const clean = await engineOf(suite).parse({ kind: 'exited', code: 0 }, { ...request, suite, out });
    expect(clean.exception).toEqual({ type: 'AgentTimeoutError', message: 'after 900 s' });
  });
});

describe('a result', () => {
  it.each([
    ['{"reward": 0.5}', 0.5],
    ['{"reward": 0, "tokens": 7}', 0],
    ['{"verifier_result": {"rewards": {"accuracy": 0.25}}}', 0.25],
    ['{"verifier_result": {"rewards": {"reward": 1, "style": 0}}}', 1],
    ['{"reward": 1, "verifier_result": null, "exception_info": null, "agent_result": null}', 1],
  ])('%s has a reward', (text, reward) => {
    expect(parseResult(text, 'r')).toMatchObject({ reward, problem: null, malformed: false });
  });

  it.each([
    ['{"verifier_result": null, "exception_info": {"exception_type": "X"}}', 'has no reward', false],
    ['{"verifier_result": {"rewards": {"a": 1, "b": 0}}}', 'It has a, b, none named "reward"', true],
    ['{"verifier_result": {"rewards": {"reward": "NaN"}}}', 'is "NaN", not a number', true],
    ['{"reward": -0.1}', 'is -0.1, not a number from 0 to 1', true],
    ['{"reward": true}', 'is true', true],
    ['null', 'is not as expected', true],
    ['{"reward": 1, "exception_info": {"exception_type": 3}}', 'exception_info.exception_type', true],
  ])('%s has none', (text, problem, malformed) => {
    expect(parseResult(text, 'r')).toMatchObject({
      reward: null,
      problem: expect.stringContaining(problem),
      malformed,
    });
  });

  it('never throws, and has either a reward in range or a problem', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((reward) => JSON.stringify({ reward })),
        ),
        (text) => {
          const { reward, problem } = parseResult(text, 'r');
          expect((reward === null) === (problem !== null)).toBe(true);
          if (reward !== null) expect(reward >= 0 && reward <= 1).toBe(true);
        },
      ),
    );
  });
});
