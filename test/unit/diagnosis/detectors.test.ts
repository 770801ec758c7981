import { describe, expect, it } from 'vitest';
import { diagnoseRun, type Finding } from '../../../src/core/diagnosis';
import type { Link } from '../../../src/core/links';
import type { TraceRun } from '../../../src/core/traces';
import { call, fakeReader, fakeRun, idle, link, map } from './fakeTrace';

type Steps = Parameters<typeof fakeReader>[1];

async function findings(steps: Steps, over: Partial<TraceRun> = {}, links: Link[] = []): Promise<Finding[]> {
  const run = fakeRun(over);
  return diagnoseRun({ run, reader: fakeReader(run, steps), links, map });
}

async function found(why: Finding['why'], steps: Steps, over: Partial<TraceRun> = {}, links: Link[] = []) {
  return (await findings(steps, over, links)).filter((finding) => finding.why === why);
}

const system = { kind: 'system' as const, text: 'You are an agent.' };
const submit = () => call('submit', {}, 'Submitted.');

describe('a run in which all goes well', () => {
  it('gives no finding', async () => {
    const steps = [
      system,
      call('read', { path: 'a.ts' }, 'const a = 1;'),
      call('edit', { path: 'a.ts', old: '1', new: '2' }, 'Edited.'),
      call('shell', { command: 'npm test' }, 'exit code 0'),
      submit(),
    ];
    expect(await findings(steps, { outcome: { ...fakeRun().outcome, verdict: 'pass' } })).toEqual([]);
    expect(await findings([])).toEqual([]);
    expect(await findings([system])).toEqual([]);
  });
});

describe('format_violation', () => {
  const bad = 'action: read a.ts';
  it('finds unreadable replies with the feedback, in one finding with all steps', async () => {
    const steps = [
      system,
      idle(bad, 'Your last reply could not be processed. Reply again.'),
      idle(bad, 'Your last reply could not be processed. Reply again.'),
      call('read', { path: 'a.ts' }, 'text'),
    ];
    const [finding, ...more] = await found('format_violation', steps);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ steps: [2, 3], task: 'task-a', runFailed: true, confidence: 0.75 });
    expect(finding!.explanation).toBe(
      '2 replies could not be read; the harness answered "Your last reply could not be processed. Reply again."; ' +
        '1 reply repeated an earlier one word for word.',
    );
    expect(await found('loop_or_stagnation', steps)).toEqual([]);
  });

  it('finds feedback in a step of its own, recorded events, and feedback that links to the unit', async () => {
    const separate = [idle(bad), { kind: 'user' as const, text: 'Error: no tool calls found in your answer.' }];
    expect((await found('format_violation', separate))[0]).toMatchObject({ steps: [2] });
    expect((await found('format_violation', [idle(bad, 'Hm.', 'format_error')]))[0]).toMatchObject({
      confidence: 0.95,
    });
    expect(await found('format_violation', [idle(bad, 'Hm.')])).toEqual([]);
    expect(await found('format_violation', [idle(bad, 'Hm.')], {}, [link(1, 'u-format')])).toHaveLength(1);
  });

  it('does not mind tool results that speak of formats', async () => {
    const steps = [call('shell', { command: 'node x' }, 'SyntaxError: invalid JSON, could not be parsed')];
    expect(await found('format_violation', steps)).toEqual([]);
  });
});

describe('no_action_turn', () => {
  it('counts turns without a call while the run goes on', async () => {
    const steps = [call('read', {}, 'a'), idle('Let me think.'), idle('I think.', 'Go on.'), submit()];
    const [finding] = await found('no_action_turn', steps);
    expect(finding).toMatchObject({ steps: [2, 3], explanation: '2 turns of 4 called no tool, and the run went on.' });
  });

  it('does not mind conversations, last words, and unreadable replies', async () => {
    expect(await found('no_action_turn', [idle('Hello.'), idle('More.')])).toEqual([]);
    const asks = [call('read', {}, 'a'), idle('Which file?'), { kind: 'user' as const, text: 'a.ts' }, submit()];
    expect(await found('no_action_turn', asks)).toEqual([]);
    expect(await found('no_action_turn', [call('read', {}, 'a'), idle('Done.')])).toEqual([]);
    expect(await found('no_action_turn', [call('read', {}, 'a'), idle('x', 'Parse error.'), submit()])).toEqual([]);
  });
});

describe('loop_or_stagnation', () => {
  const look = () => call('shell', { cwd: '.', command: 'ls' }, 'a.ts');
  it('finds equal calls with equal results, whatever the order of the arguments', async () => {
    const other = call('shell', { command: 'ls', cwd: '.' }, 'a.ts');
    const [finding] = await found('loop_or_stagnation', [look(), call('read', {}, 'x'), look(), other]);
    expect(finding).toMatchObject({ steps: [4, 1, 3], confidence: 0.5 });
    expect(finding!.explanation).toMatch(/called shell with the same arguments and got the same result, 3 times/);
  });

  it('does not mind other results or two times', async () => {
    expect(await found('loop_or_stagnation', [look(), look()])).toEqual([]);
    const polls = ['1', '2', '3', '4'].map((result) => call('shell', { command: 'status' }, result));
    expect(await found('loop_or_stagnation', polls)).toEqual([]);
  });

  it('finds the same words without a call', async () => {
    expect(await found('loop_or_stagnation', [idle('I wait.'), idle('I wait.'), idle('I wait.')])).toHaveLength(1);
  });
});

describe('evidence_unused (an error that was ignored)', () => {
  it('finds a submission right after a failure', async () => {
    const steps = [
      call('edit', { path: 'a' }, 'x'),
      call('shell', { command: 'npm test' }, 'exit code 1\n2 failed'),
      submit(),
    ];
    const [finding] = await found('evidence_unused', steps);
    expect(finding).toMatchObject({ steps: [2, 3], confidence: 0.7 });
    expect(finding!.explanation).toMatch(/submitted right after shell had failed: "exit code 1 2 failed"/);
  });

  it('finds an end right after a failure, also one marked as an error', async () => {
    expect((await found('evidence_unused', [call('edit', {}, 'no such text', true)]))[0]!.explanation).toMatch(
      /^The run ended right after edit had failed/,
    );
  });

  it('does not mind failures that were dealt with, exit code 0, and runs that told a person', async () => {
    const repaired = [call('shell', {}, 'exit code 1'), call('shell', {}, 'exit code 0'), submit()];
    expect(await found('evidence_unused', repaired)).toEqual([]);
    const told = [call('shell', {}, 'exit code 1'), idle('It fails.'), { kind: 'user' as const, text: 'Thanks.' }];
    expect(await found('evidence_unused', told)).toEqual([]);
  });
});

describe('observation_truncated', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index} of the log`).join('\n');

  it('finds a notice after which the model asked again', async () => {
    const steps = [
      call('read', { path: 'logs/app.log' }, `${lines(9)}\n[... 900 lines omitted ...]`),
      call('read', { path: 'logs/app.log', offset: 900 }, 'the rest'),
    ];
    const [finding] = await found('observation_truncated', steps, {
      outcome: { ...fakeRun().outcome, verdict: 'pass' },
    });
    expect(finding).toMatchObject({ steps: [1], confidence: 0.7 });
    expect(finding!.explanation).toMatch(/asked again for the same thing 1 time/);
  });

  it('weighs a notice less when nobody asked again, and not at all in a run that passed', async () => {
    const steps = [call('shell', { command: 'npm test' }, 'x\n<output truncated>'), submit()];
    expect(await found('observation_truncated', steps)).toMatchObject([{ confidence: 0.4 }]);
    expect(await found('observation_truncated', steps, { outcome: { ...fakeRun().outcome, verdict: 'pass' } })).toEqual(
      [],
    );
  });

  it('finds results with fewer lines than they announce, and no notice', async () => {
    const result = `Output of read (200 lines):\n${lines(60)}`;
    const [finding] = await found('observation_truncated', [call('read', { path: 'a.log' }, result)]);
    expect(finding).toMatchObject({ steps: [1], confidence: 0.8, explanation: expect.stringMatching(/no notice/) });
    const whole = `Output of read (60 lines):\n${lines(60)}`;
    expect(await found('observation_truncated', [call('read', { path: 'a.log' }, whole)])).toEqual([]);
  });
});

describe('limit_or_timeout', () => {
  it.each([
    [{ exitStatus: 'LimitsExceeded' }],
    [{ outcome: { verdict: 'pass' as const, reward: 1, exception: 'AgentTimeoutError', source: null } }],
  ])('reads it from the run: %j', async (over) => {
    const [finding] = await found('limit_or_timeout', [system, call('read', {}, 'a')], over);
    expect(finding).toMatchObject({ steps: [2], confidence: 0.9 });
    expect(await found('orchestration_error', [call('read', {}, 'a')], over)).toEqual([]);
  });

  it('reads it from an event, and not from other endings', async () => {
    const event = { kind: 'event' as const, event: 'limit', text: 'Turn limit of 20 reached' };
    expect(await found('limit_or_timeout', [call('read', {}, 'a'), event])).toMatchObject([{ steps: [2] }]);
    expect(await found('limit_or_timeout', [submit()], { exitStatus: 'Submitted' })).toEqual([]);
    expect(await found('limit_or_timeout', [], { exitStatus: 'LimitsExceeded' })).toEqual([]);
  });
});

describe('missing_verification', () => {
  const edit = () => call('edit', { path: 'a.ts' }, 'Edited.');
  const run = () => call('shell', { command: 'npm test' }, 'exit code 0');
  it('finds a submission with nothing run after the last change', async () => {
    expect(await found('missing_verification', [run(), edit(), submit()])).toMatchObject([
      { steps: [3, 2], explanation: expect.stringMatching(/right away/) },
    ]);
    const writes = call('shell', { command: 'echo x > out.txt' }, '');
    expect(await found('missing_verification', [writes, submit()])).toHaveLength(1);
  });

  it('does not mind checks before the last submission, or runs without change or submission', async () => {
    expect(await found('missing_verification', [edit(), run(), submit()])).toEqual([]);
    expect(await found('missing_verification', [edit(), submit(), run(), submit()])).toEqual([]);
    expect(await found('missing_verification', [run(), submit()])).toEqual([]);
    expect(await found('missing_verification', [edit()])).toEqual([]);
  });
});

describe('lost_in_compaction', () => {
  it('finds a model that forgot its task after the conversation was shortened', async () => {
    const compaction = { kind: 'system' as const, event: 'compaction', text: '12 messages removed' };
    const lost = { ...submit(), text: 'I do not see the task any more, so I take it as done.' };
    expect(await found('lost_in_compaction', [call('read', {}, 'a'), compaction, lost])).toMatchObject([
      { steps: [2, 3] },
    ]);
    const note = {
      kind: 'system' as const,
      text: '[The conversation grew too long: 9 earlier messages were removed.]',
    };
    expect(await found('lost_in_compaction', [call('read', {}, 'a'), note, lost])).toMatchObject([{ steps: [2, 3] }]);
    expect(await found('lost_in_compaction', [lost])).toEqual([]);
    expect(await found('lost_in_compaction', [system, lost])).toEqual([]);
    expect(await found('lost_in_compaction', [call('read', {}, 'a'), compaction, submit()])).toEqual([]);
  });
});

describe('exceptions', () => {
  const broke = (exception: string) => ({
    outcome: { verdict: 'missing' as const, reward: null, exception, source: null },
  });
  it('tells faults of the environment from those of the harness', async () => {
    const steps = [call('read', {}, 'a')];
    expect(await found('orchestration_error', steps, broke('KeyError'))).toMatchObject([
      { steps: [1], runFailed: false },
    ]);
    expect(await found('environment_fault', steps, broke('KeyError'))).toEqual([]);
    expect(await found('environment_fault', steps, broke('DockerDaemonNotFoundError'))).toHaveLength(1);
    expect(await found('orchestration_error', steps, broke('DockerDaemonNotFoundError'))).toEqual([]);
    const event = { kind: 'event' as const, event: 'exception', text: 'TypeError: x is undefined' };
    expect(await found('orchestration_error', [...steps, event])).toMatchObject([{ steps: [2] }]);
  });
});
