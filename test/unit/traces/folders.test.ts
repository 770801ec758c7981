import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importTraces, openTrace, type TraceRun } from '../../../src/core/traces';
import { atifDocument, importOne, jsonLines, temporaryFolders, writeFiles } from './helpers';

const folder = temporaryFolders();

async function imported(files: Record<string, unknown>): Promise<{ runs: TraceRun[]; place: string; reasons: string }> {
  const place = await folder();
  await writeFiles(place, files);
  const { runs, unknown } = await importTraces([place]);
  return { runs, place, reasons: unknown.map(({ reason }) => reason).join('\n') };
}

const streamJson = jsonLines(
  { type: 'system', subtype: 'init', session_id: 's', model: 'm' },
  {
    type: 'assistant',
    session_id: 's',
    message: { id: 'a', role: 'assistant', content: [{ type: 'text', text: 'Done' }] },
  },
  { type: 'result', num_turns: 1, total_cost_usd: 1, usage: {} },
);

describe('ATIF documents', () => {
  it('embedded sub-agents become runs of their own that belong to the first', async () => {
    const place = await folder();
    const inner = atifDocument({
      session_id: undefined,
      trajectory_id: 'inner',
      steps: [{ step_id: 1, source: 'agent', message: 'Inner' }],
    });
    const reference = { results: [{ subagent_trajectory_ref: [{ trajectory_id: 'inner' }] }] };
    const steps = [
      { step_id: 1, source: 'user', message: 'Go' },
      { step_id: 2, source: 'system', message: 'Helper', observation: reference },
    ];
    await writeFiles(place, { 't.json': atifDocument({ steps, subagent_trajectories: [inner] }) });
    const { runs } = await importTraces([place]);
    const file = join(place, 't.json');
    expect(runs.map((run) => [run.id, run.sessionId, run.memberOf])).toEqual([
      [`${file}#0`, 'session-1', undefined],
      [`${file}#1`, 'inner', `${file}#0`],
    ]);
    expect(runs[0]).toMatchObject({ counts: { subagentRuns: 1 }, warnings: [] });
    const reader = await openTrace(runs[1] as TraceRun);
    expect((await reader.step(1)).text).toBe('Inner');
    await reader.close();
  });

  it('steps that are an object are read in order, with a warning', async () => {
    const place = await folder();
    const { steps } = atifDocument() as { steps: unknown[] };
    await writeFiles(place, {
      't.json': atifDocument({ steps: Object.fromEntries(steps.map((step, index) => [index, step])) }),
      'e.json': atifDocument({ steps: 3 }),
    });
    const run = await importOne(join(place, 't.json'));
    expect(run.counts).toMatchObject({ steps: 4, toolCalls: 1, resultsLinked: 1 });
    expect(run.warnings.join()).toContain('"steps" is no list');
    expect((await importOne(join(place, 'e.json'))).warnings.join()).toContain('"steps" is no list; holds nothing');
  });

  it('a document that names the schema and has no steps says so', async () => {
    const place = await folder();
    await writeFiles(place, { 't.json': { schema_version: 'ATIF-v1.5', agent: {} } });
    expect((await importOne(join(place, 't.json'))).warnings.join()).toContain('has no steps');
  });
});

describe('a Harbor trial', () => {
  const result = {
    task_name: 'task',
    trial_name: 'task__abc',
    verifier_result: { rewards: { reward: 1 } },
    exception_info: { exception_type: 'AgentTimeoutError' },
  };

  it('counts once: native logs of the agent belong to the trajectory', async () => {
    const { runs } = await imported({
      'job/task__abc/result.json': result,
      'job/task__abc/agent/trajectory.json': atifDocument(),
      'job/task__abc/agent/claude-code.txt': streamJson,
      'job/task__abc/agent/sessions/projects/p/s.jsonl': streamJson,
    });
    const [main] = runs.filter((run) => run.memberOf === undefined);
    expect(runs).toHaveLength(3);
    expect(main).toMatchObject({
      format: 'atif',
      task: 'task',
      outcome: { verdict: 'pass', exception: 'AgentTimeoutError' },
    });
    expect(runs.filter((run) => run.memberOf === main?.id)).toHaveLength(2);
    expect(runs.filter((run) => run.outcome.verdict !== 'unknown')).toHaveLength(1);
  });

  it('without a trajectory: its native log is the run; without any log: a run without steps', async () => {
    const { runs } = await imported({
      'job/a__abc/result.json': { ...result, trial_name: 'a__abc' },
      'job/a__abc/agent/claude-code.txt': streamJson,
      'job/b__abc/result.json': { ...result, trial_name: 'b__abc', task_name: 'b', verifier_result: null },
    });
    expect(runs.map((run) => [run.format, run.trial, run.outcome.verdict])).toEqual([
      ['claude-stream-json', 'a__abc', 'pass'],
      ['verdict', 'b__abc', 'missing'],
    ]);
    expect(runs[1]?.warnings.join()).toContain('A trial without a trace');
  });

  it('episodes of an agent of its own are one run, with the outcome', async () => {
    const { runs, reasons } = await imported({
      'job/task__abc/result.json': result,
      'job/task__abc/agent/episodes/episode-0/request.json': { messages: [{ role: 'user', content: 'Go' }] },
      'job/task__abc/agent/episodes/episode-0/response.json': { role: 'assistant', content: 'One' },
      'job/task__abc/agent/episodes/episode-10/response.json': { role: 'assistant', content: 'Three' },
      'job/task__abc/agent/episodes/episode-2/response.json': { role: 'assistant', content: 'Two' },
    });
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      task: 'task',
      outcome: { verdict: 'pass' },
      counts: { modelTurns: 3, userMessages: 1 },
    });
    const reader = await openTrace(runs[0] as TraceRun);
    expect((await reader.summaries(2, 4)).map((row) => row.preview)).toEqual(['One', 'Two', 'Three']);
    await reader.close();
    expect(reasons).toBe('');
  });
});

describe('a terminal-bench trial', () => {
  it('joins its recording or episodes with its result; other trials of the file stay', async () => {
    const trial = (name: string, resolved: boolean | null) => ({
      task_id: 'hello',
      trial_name: name,
      is_resolved: resolved,
      failure_mode: 'agent_timeout',
    });
    const { runs } = await imported({
      'run/results.json': { results: [trial('hello.1-of-2', true), trial('hello.2-of-2', null)] },
      'run/hello/hello.1-of-2/results.json': trial('hello.1-of-2', true),
      'run/hello/hello.1-of-2/sessions/agent.cast': '{"version": 2, "width": 80, "height": 24}\n[1, "o", "a"]\n',
      'run/hello/hello.1-of-2/sessions/tests.cast': '{"version": 2, "width": 80, "height": 24}\n[1, "o", "a"]\n',
      'run/hello/hello.1-of-2/agent-logs/episode-0/debug.json': { messages: [] },
      'run/hello/hello.1-of-2/agent-logs/episode-0/prompt.txt': 'Solve it',
      'run/hello/hello.1-of-2/agent-logs/episode-0/response.txt': '{"analysis": "x", "commands": [1]}',
    });
    const main = runs.find((run) => run.format === 'episodes');
    expect(main).toMatchObject({
      task: 'hello',
      trial: 'hello.1-of-2',
      outcome: { verdict: 'pass', exception: 'agent_timeout' },
      counts: { userMessages: 1, modelTurns: 1 },
    });
    expect(runs.find((run) => run.format === 'asciinema')?.memberOf).toBe(main?.id);
    expect(runs.filter((run) => run.format === 'verdict').map((run) => run.trial)).toContain('hello.2-of-2');
  });
});

describe('run folders of optimizers', () => {
  it('AHE: what an iteration measures is the candidate of the one before', async () => {
    const { runs } = await imported({
      'exp/iteration_scores.yaml': 'x',
      'exp/runs/iteration_003/input/benchmark/job/t__abcdefg/result.json': {
        task_name: 't',
        trial_name: 't__abcdefg',
        verifier_result: { rewards: { reward: 0 } },
      },
      'exp/runs/iteration_003/input/benchmark/job/t__abcdefg/agent/nexau_in_memory_tracer.cleaned.json': {
        messages_count: 1,
        messages: [{ role: 'user', content: 'Go' }],
      },
      'exp/runs/iteration_003/input/benchmark/variant_2/job/u__abcdefg/agent/trajectory.json': atifDocument(),
    });
    expect(runs.map((run) => [run.task, run.candidate])).toEqual([
      ['t', 'iteration_002'],
      [null, 'iteration_002/variant_2'],
    ]);
  });

  it('Meta-Harness: the job names the candidate', async () => {
    const { runs } = await imported({
      'logs/run/frontier_val.json': {},
      'jobs/run/evolve-lean-t2/task__abc/agent/trajectory.json': atifDocument(),
      'jobs/run/notes/task__abc/agent/trajectory.json': atifDocument(),
    });
    expect(runs.map((run) => run.candidate)).toEqual(['lean', undefined]);
  });

  it('the same folder names elsewhere mean nothing', async () => {
    const { runs } = await imported({
      'runs/iteration_003/input/t.json': atifDocument(),
      'jobs/run/evolve-x-t2/t.json': atifDocument(),
    });
    expect(runs.map((run) => run.candidate)).toEqual([undefined, undefined]);
  });
});
