import { describe, expect, it } from 'vitest';
import { type EngineId, SuiteConfig } from '../../../src/core/harness';
import { engineOf } from '../../../src/core/validation';
import { temporaryFolder, writeFiles } from './repository';

/** Command lines as the published packages take them: Harbor 0.2.0, 0.3.0, 0.8.0; SWE-bench 4.1.0, 5.0.2; others as named. */
function planned(engine: EngineId, version: string | null, more: Record<string, unknown> = {}) {
  const suite = SuiteConfig.parse({
    engine,
    tasks: ['t'],
    target: 'set@1',
    model: 'm',
    arguments: ['--x={seed}'],
    ...more,
  });
  const request = { suite, task: 'my.task', arm: 'candidate' as const, repeat: 2, seed: 8, version };
  return engineOf(suite).plan({ ...request, worktree: '/w', out: '/o' });
}

const line = (...given: Parameters<typeof planned>) => planned(...given).argv.join(' ');

describe('the command line of', () => {
  it('Inspect takes one sample and one epoch', () => {
    expect(line('inspect', '0.3.260', { target: 'evals/a.py@b' })).toBe(
      'inspect eval evals/a.py@b --sample-id my.task --epochs 1 --seed 8 --log-dir /o/logs --log-format json ' +
        '--display plain --model m --x=8',
    );
  });

  it('Harbor names the task as its version wants it', () => {
    expect(line('harbor', '0.2.0')).toContain('--dataset set@1 --task-name my.task');
    expect(line('harbor', '0.3.0')).toContain('--dataset set@1 --include-task-name my.task');
    expect(line('harbor', '0.8.0', { target: './tasks' })).toBe(
      'harbor run --path ./tasks --include-task-name my.task --n-attempts 1 --n-concurrent 1 --jobs-dir /o/jobs ' +
        '--job-name trial --model m --x=8',
    );
  });

  it('terminal-bench makes one attempt of one task', () => {
    expect(line('terminal-bench', null, { target: 'terminal-bench-core==0.1.1' })).toBe(
      'tb run --dataset terminal-bench-core==0.1.1 --task-id my.task --n-attempts 1 --n-concurrent 1 ' +
        '--output-path /o/runs --run-id trial --model m --x=8',
    );
  });

  it('SWE-bench changed with version 5', () => {
    const given = { target: 'verified', arguments: ['-p', '{worktree}/preds.json'] };
    expect(line('swe-bench', '5.0.2', given)).toBe(
      'swebench eval verified --instance my.task --run-id trial --workers 1 --report-dir /o -p /w/preds.json',
    );
    expect(line('swe-bench', '4.1.0', given)).toBe(
      'python -m swebench.harness.run_evaluation --dataset_name verified --instance_ids my.task --run_id trial ' +
        '--max_workers 1 --report_dir /o -p /w/preds.json',
    );
  });

  it('promptfoo filters by the whole description, literally', () => {
    expect(planned('promptfoo', '0.121.20').argv).toContain('^my\\.task$');
  });

  it('mini-swe-agent works in the folder of the trial, or on one instance of a subset', () => {
    expect(planned('mini-swe-agent', null).cwd).toBe('/o');
    expect(line('mini-swe-agent', null)).toBe(
      'mini --config set@1 --task my.task --output /o/trajectory/trial.traj.json --yolo --exit-immediately --model m --x=8',
    );
    expect(line('mini-swe-agent', null, { arguments: ['--subset', 'lite'] })).toBe(
      'mini-extra swebench --config set@1 --filter ^my\\.task$ --workers 1 --model m --output /o/trajectory --subset lite',
    );
  });

  it('SWE-agent and OpenHands choose the instance, and are judged by the command of the suite', () => {
    const verify = ['grade', '{task}', '{out}'];
    expect(planned('swe-agent', null, { verify })).toMatchObject({ verify: ['grade', 'my.task', '/o'] });
    expect(line('swe-agent', null)).toContain(
      'run-batch --config set@1 --instances.filter=^my\\.task$ --output_dir=/o',
    );
    expect(planned('openhands', null).files).toEqual({ 'select.txt': 'my.task\n' });
  });

  it('a tool is started as the suite says', () => {
    const program = ['uv', 'run', '--project', '{worktree}', 'inspect'];
    expect(planned('inspect', '0.3.1', { program }).argv.slice(0, 6)).toEqual([
      ...program.slice(0, 3),
      '/w',
      'inspect',
      'eval',
    ]);
  });
});

describe('versions', () => {
  it('that nobody looked at are refused', () => {
    const knows = (engine: EngineId, version: string | null) => engineOf({ engine }).tool?.knows(version);
    expect([knows('inspect', '0.3.260'), knows('inspect', '0.4.0'), knows('inspect', null)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([knows('harbor', '0.26.0'), knows('harbor', '0.1.2'), knows('harbor', '1.0.0')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([knows('swe-bench', '5.0.2'), knows('swe-bench', '6.0.0')]).toEqual([true, false]);
    expect([knows('promptfoo', '0.121.20'), knows('promptfoo', '1.0.0')]).toEqual([true, false]);
  });
});

describe('a suite of a tool', () => {
  it('needs a target, and a suite of commands a command', () => {
    const issues = (value: unknown) => SuiteConfig.safeParse(value).error?.issues.map(({ message }) => message);
    expect(issues({ engine: 'inspect', tasks: ['a'] })).toEqual(['the engine "inspect" needs "target"']);
    expect(issues({ tasks: ['a'] })).toEqual(['the engine "command" needs "command"']);
    expect(issues({ engine: 'inspect', tasks: ['a'], target: 'x.py' })).toBeUndefined();
  });
});

describe('the outcome', () => {
  async function outcome(
    engine: EngineId,
    files: Record<string, unknown>,
    code: number,
    more: Record<string, unknown> = {},
  ) {
    const out = temporaryFolder();
    writeFiles(out, Object.fromEntries(Object.entries(files).map(([path, value]) => [path, JSON.stringify(value)])));
    const suite = SuiteConfig.parse({ engine, tasks: ['t'], target: 'x', ...more });
    const request = { suite, task: 't', arm: 'baseline' as const, repeat: 1, seed: 1, version: null };
    return engineOf(suite).parse({ kind: 'exited', code }, { ...request, worktree: '/w', out });
  }

  it('of promptfoo is a failure though it ends with exit code 100', async () => {
    const results = [{ testIdx: 0, success: false, score: 0, failureReason: 1, testCase: { description: 't' } }];
    expect(await outcome('promptfoo', { 'results.json': { results: { results } } }, 100)).toMatchObject({
      verdict: 'fail',
      exception: null,
      infrastructure: false,
    });
  });

  it('of a tool that left nothing is missing, and the environment is to blame', async () => {
    expect(await outcome('inspect', {}, 0)).toMatchObject({ verdict: 'missing', infrastructure: true });
    expect(await outcome('harbor', {}, 2)).toMatchObject({ verdict: 'missing', infrastructure: true });
  });

  it('of Harbor is that of its trial, under the name with or without the organization', async () => {
    const result = { task_name: 'org/t', verifier_result: { rewards: { reward: 1 } } };
    const found = await outcome('harbor', { 'jobs/trial/t__abcdef1/result.json': result }, 0);
    expect(found).toMatchObject({ verdict: 'pass', reward: 1 });
  });

  it('of a tool without verdicts is what the command of the suite says', async () => {
    const trajectory = {
      'trajectory/trial.traj.json': { trajectory_format: 'mini-swe-agent-1.1', messages: [], info: {} },
    };
    const unjudged = await outcome('mini-swe-agent', trajectory, 0);
    expect(unjudged).toMatchObject({ verdict: 'missing', exception: { type: 'NoVerdict' }, infrastructure: false });
    expect(await outcome('mini-swe-agent', trajectory, 1, { verify: ['check'] })).toMatchObject({ verdict: 'fail' });
    expect(await outcome('mini-swe-agent', {}, 0, { verify: ['check'] })).toMatchObject({
      verdict: 'pass',
      trace: null,
    });
  });

  it('of SWE-bench is read from its summary', async () => {
    const found = await outcome('swe-bench', { 'm.trial.json': { resolved_ids: ['t'], submitted_ids: ['t'] } }, 0);
    expect(found).toMatchObject({ verdict: 'pass' });
  });
});
