import { describe, expect, it } from 'vitest';
import { detectors, diagnoseRun, type Finding } from '../../../src/core/diagnosis';
import { acrossDetectors } from '../../../src/core/diagnosis/detectors';
import type { TraceRun } from '../../../src/core/traces';
import { call, fakeReader, fakeRun, idle, map } from './fakeTrace';

type Steps = Parameters<typeof fakeReader>[1];

interface Side {
  steps: Steps;
  run?: Partial<TraceRun>;
  texts?: { file: string; text: string }[];
}

interface Case {
  detector: string;
  fires: Side;
  /** The label and the steps of the finding, the telling step first. */
  finding: Pick<Finding, 'why' | 'steps'>;
  /** Why the other run, which looks much the same, shows no such fault. */
  because: string;
  silent: Side;
}

const ended = (exception: string): Partial<TraceRun> => ({ outcome: { ...fakeRun().outcome, exception } });
const passed: Partial<TraceRun> = { outcome: { ...fakeRun().outcome, verdict: 'pass' } };
const event = (name: string, text: string) => ({ kind: 'event' as const, event: name, text });
const system = (text: string) => ({ kind: 'system' as const, text });
const user = (text: string) => ({ kind: 'user' as const, text });
const read = (path: string, text: string) => call('read', { path }, text);
const shell = (command: string, text: string) => call('shell', { command }, text);
const edit = (path: string, text = 'Edited.', isError = false) => call('edit', { path }, text, isError);
const submit = () => call('submit', {}, 'Submitted.');
const oneCall = '{"tool":"read","args":{"path":"a.ts"}}';
const long = 'a result that is long enough to be worth asking for twice';

const cases: Case[] = [
  {
    detector: 'format-violation',
    fires: { steps: [idle('read a.ts', 'Failed to parse the reply.'), submit()] },
    finding: { why: 'format_violation', steps: [1] },
    because: 'the reply held a call that was run; the words are those of the program it ran',
    silent: { steps: [shell('jq . a.json', 'Failed to parse: invalid JSON at line 3'), submit()] },
  },
  {
    detector: 'parser-rejects-valid',
    fires: { steps: [idle(oneCall, 'Malformed reply.'), submit()] },
    finding: { why: 'parser_rejects_valid_output', steps: [1] },
    because: 'two different calls in one reply leave open which is meant',
    silent: {
      steps: [
        idle(
          `\`\`\`json\n${oneCall}\n\`\`\`\n\`\`\`json\n${oneCall.replace('a.ts', 'b.ts')}\n\`\`\``,
          'Malformed reply.',
        ),
        submit(),
      ],
    },
  },
  {
    detector: 'unknown-tool',
    fires: { steps: [call('grep', {}, 'Error: unknown tool grep', true), submit()] },
    finding: { why: 'wrong_tool_or_arguments', steps: [1] },
    because: 'a program that is not installed is no tool of the harness',
    silent: { steps: [shell('rg x', 'bash: rg: command not found'), submit()] },
  },
  {
    detector: 'wrong-arguments',
    fires: { steps: [edit('a', 'missing parameter: old', true), read('a', 'text'), submit()] },
    finding: { why: 'wrong_tool_or_arguments', steps: [1] },
    because: 'the answer of the tool led to right arguments at the next call',
    silent: { steps: [edit('a', 'missing parameter: old', true), read('a', 'text'), edit('a'), submit()] },
  },
  {
    detector: 'no-action-turn',
    fires: { steps: [read('a', 'x'), idle('Hm.'), submit()] },
    finding: { why: 'no_action_turn', steps: [2] },
    because: 'a person answered in between, so the turn was a question',
    silent: { steps: [read('a', 'x'), idle('Which one?'), user('The first.'), submit()] },
  },
  {
    detector: 'loop',
    fires: { steps: [shell('status', 'busy'), shell('status', 'busy'), shell('status', 'busy')] },
    finding: { why: 'loop_or_stagnation', steps: [3, 1, 2] },
    because: 'the third answer is new: waiting has led somewhere',
    silent: { steps: [shell('status', 'busy'), shell('status', 'busy'), shell('status', 'ready')] },
  },
  {
    detector: 'error-ignored',
    fires: { steps: [shell('npm test', 'exit code: 2'), submit()] },
    finding: { why: 'evidence_unused', steps: [1, 2] },
    because: 'an exit code of 0 says success, whatever digits follow it',
    silent: { steps: [shell('npm test', 'exit code: 0\n12 passed'), submit()] },
  },
  {
    detector: 'observation-cut',
    fires: {
      run: passed,
      steps: [read('app.log', 'a\n[20 lines omitted]'), call('read', { path: 'app.log', from: 9 }, 'b')],
    },
    finding: { why: 'observation_truncated', steps: [1] },
    because: 'a run that passed without asking again needed nothing of what was cut',
    silent: { run: passed, steps: [read('app.log', 'a\n[20 lines omitted]'), read('other.log', 'b')] },
  },
  {
    detector: 'empty-result',
    fires: { steps: [shell('make', ''), shell('make', 'built')] },
    finding: { why: 'observation_truncated', steps: [1] },
    because: 'the call made again is the one that had an answer',
    silent: { steps: [shell('make', 'built'), shell('make', '')] },
  },
  {
    detector: 'guessed-value',
    fires: {
      steps: [
        call('read', { path: 'x_1.py' }, 'no such file', true),
        call('read', { path: 'x_2.py' }, 'no such file', true),
      ],
    },
    finding: { why: 'evidence_absent', steps: [1, 2] },
    because: 'the names stood in the task, so the task is wrong and the model did not guess',
    silent: {
      steps: [
        user('Look at x_1.py and x_2.py'),
        call('read', { path: 'x_1.py' }, 'no such file', true),
        call('read', { path: 'x_2.py' }, 'no such file', true),
      ],
    },
  },
  {
    detector: 'lost-in-compaction',
    fires: { steps: [read('a', 'x'), event('compaction', ''), idle('The task is unclear.')] },
    finding: { why: 'lost_in_compaction', steps: [2, 3] },
    because: 'a later shortening cannot have caused what was said before it',
    silent: { steps: [idle('The task is unclear.'), event('compaction', ''), read('a', 'x')] },
  },
  {
    detector: 'asked-again-after-compaction',
    fires: { steps: [read('a', long), read('b', long), event('compaction', ''), read('a', long), read('b', long)] },
    finding: { why: 'lost_in_compaction', steps: [3, 4, 5] },
    because: 'the files have another text now, so there was a reason to look again',
    silent: {
      steps: [read('a', long), read('b', long), event('compaction', ''), read('a', `${long}!`), read('b', `${long}!`)],
    },
  },
  {
    detector: 'context-overflow',
    fires: { steps: [read('a', 'x'), event('error', 'prompt is too long: 210000 tokens')] },
    finding: { why: 'context_overflow', steps: [2] },
    because: 'a compaction that names the window as its reason is the harness coping',
    silent: { steps: [read('a', 'x'), event('compaction', 'context window exceeded, shortened'), submit()] },
  },
  {
    detector: 'limit',
    fires: { steps: [read('a', 'x'), event('limit', 'max turns')] },
    finding: { why: 'limit_or_timeout', steps: [2] },
    because: 'an exception that speaks of no limit is a fault',
    silent: { run: ended('KeyError'), steps: [read('a', 'x')] },
  },
  {
    detector: 'command-timeout',
    fires: { steps: [shell('make', 'Error: timed out after 30 s')] },
    finding: { why: 'limit_or_timeout', steps: [1] },
    because: 'a setting that is printed has not run out',
    silent: { steps: [shell('cat config', 'request timeout = 30 (default)')] },
  },
  {
    detector: 'retries-exhausted',
    fires: { steps: [read('a', 'x'), event('exception', 'HTTP 503')] },
    finding: { why: 'recovery_missing', steps: [2] },
    because: '5030 is a number of rows and no status of HTTP',
    silent: { steps: [read('a', 'x'), event('exception', 'KeyError: row 5030')] },
  },
  {
    detector: 'permission-block',
    fires: { steps: [shell('rm a', 'Command blocked by policy')] },
    finding: { why: 'permission_block', steps: [1] },
    because: 'the owner of a file is a matter of the file system',
    silent: { steps: [shell('cat a', 'cat: a: Permission denied')] },
  },
  {
    detector: 'missing-verification',
    fires: { steps: [shell('npm test', 'exit code 0'), edit('a'), submit()] },
    finding: { why: 'missing_verification', steps: [3, 2] },
    because: 'the test ran after the last change',
    silent: { steps: [edit('a'), shell('npm test', 'exit code 0'), submit()] },
  },
  {
    detector: 'completion-without-effect',
    fires: { steps: [edit('a.ts', 'no match', true), { ...submit(), text: 'It is done.' }] },
    finding: { why: 'completion_without_effect', steps: [2, 1] },
    because: 'a run that a limit broke off while it was still looking claimed nothing',
    silent: { steps: [edit('a.ts', 'no match', true), read('a.ts', 'text'), event('limit', 'max turns')] },
  },
  {
    detector: 'premature-completion',
    fires: { steps: [read('a', 'x'), idle('Next, I edit the parser.')] },
    finding: { why: 'premature_completion', steps: [2] },
    because: 'knowing is no announcement of work',
    silent: { steps: [read('a', 'x'), idle('Now I know that the parser was right.')] },
  },
  {
    detector: 'instruction-not-followed',
    fires: { steps: [system('Read a file before you edit it.'), edit('a.ts')] },
    finding: { why: 'instruction_not_followed', steps: [2, 1] },
    because: 'a file that is new cannot be read before',
    silent: {
      steps: [system('Read a file before you edit it.'), call('write', { path: 'a.ts' }, 'Written.'), edit('a.ts')],
    },
  },
  {
    detector: 'instruction-not-activated',
    fires: {
      texts: [{ file: 'p.md', text: 'Read a file before you edit it.' }],
      steps: [system('You are an agent.'), edit('a.ts')],
    },
    finding: { why: 'instruction_not_activated', steps: [2] },
    because: 'what was done right without the instruction did not need it',
    silent: {
      texts: [{ file: 'p.md', text: 'Read a file before you edit it.' }],
      steps: [system('You are an agent.'), read('a.ts', 'x'), edit('a.ts')],
    },
  },
  {
    detector: 'sub-agent-error',
    fires: { steps: [call('delegate', {}, '')] },
    finding: { why: 'orchestration_error', steps: [1] },
    because: 'a list of tasks is a tool and no other agent',
    silent: { steps: [call('task_list', {}, '', true)] },
  },
  {
    detector: 'exception',
    fires: { steps: [read('a', 'x'), event('exception', 'TypeError: x is undefined')] },
    finding: { why: 'orchestration_error', steps: [2] },
    because: 'the model went on afterwards, so the harness handled it',
    silent: { steps: [read('a', 'x'), event('exception', 'TypeError: x is undefined'), submit()] },
  },
  {
    detector: 'environment-fault',
    fires: { steps: [shell('make', 'No space left on device'), shell('ls', 'No space left on device')] },
    finding: { why: 'environment_fault', steps: [1, 2] },
    because: 'one command that fails alone may be its own fault',
    silent: { steps: [shell('make', 'No space left on device'), shell('ls', 'a.ts')] },
  },
  {
    detector: 'refusal',
    fires: { steps: [idle('I cannot help with that.')] },
    finding: { why: 'reasoning_error', steps: [1] },
    because: 'a figure of speech declines nothing',
    silent: { steps: [idle('I cannot help but notice that the test is flaky.'), idle("I can't help wondering why.")] },
  },
];

async function findingsOf(detector: string, { steps, run = {}, texts = [] }: Side): Promise<Finding[]> {
  const whole = fakeRun(run);
  const found = await diagnoseRun({ run: whole, reader: fakeReader(whole, steps), links: [], map, texts });
  return found.filter((finding) => finding.detector === detector);
}

describe('every detector', () => {
  it('has a case here, with cost-outlier below', () => {
    expect(cases.map(({ detector }) => detector).sort()).toEqual(detectors.map(({ id }) => id).sort());
    expect(acrossDetectors.map(({ id }) => id)).toEqual(['cost-outlier']);
  });

  it.each(cases)('$detector fires once, at the telling steps', async ({ detector, fires, finding }) => {
    const found = await findingsOf(detector, fires);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject(finding);
    expect(found[0]!.confidence).toBeGreaterThan(0);
    expect(found[0]!.confidence).toBeLessThan(1);
  });

  it.each(cases)('$detector is silent: $because', async ({ detector, silent }) => {
    expect(await findingsOf(detector, silent)).toEqual([]);
  });
});

describe('cost-outlier', () => {
  const [outlier] = acrossDetectors;
  const head = (id: string, over: Partial<TraceRun>) => ({ run: fakeRun({ id, ...over }), lastStep: 7 });
  const dollars = (...values: number[]) => values.map((costUsd, n) => head(`o${n}`, { costUsd }));
  const foundFor = (own: Partial<TraceRun>, others: ReturnType<typeof dollars>) =>
    outlier!.detect(head('own', own), others);
  const tokens = (input: number | null, output: number | null) => ({
    tokens: { input, output, cached: null, inputIncludesCached: null },
  });

  // Quartiles of 1 to 5 are 2 and 4, so the fence is 4 + 3 * (4 - 2) = 10, above 2.5 times the middle of 3.
  it('needs a figure beyond the fence of three spreads', () => {
    expect(foundFor({ costUsd: 10 }, dollars(1, 2, 3, 4, 5))).toEqual([]);
    expect(foundFor({ costUsd: 10.5 }, dollars(5, 3, 1, 4, 2))).toMatchObject([{ steps: [7] }]);
  });

  // Equal figures have no spread: the fence alone would call a cent more an outlier.
  it('needs two and a half times the middle where the others hardly differ', () => {
    expect(foundFor({ costUsd: 2.4 }, dollars(1, 1, 1, 1))).toEqual([]);
    expect(foundFor({ costUsd: 2.5 }, dollars(1, 1, 1, 1))).toHaveLength(1);
  });

  it('counts the run itself to the five that a usual cost needs', () => {
    expect(foundFor({ costUsd: 9 }, dollars(1, 1, 1))).toEqual([]);
    expect(foundFor({ costUsd: 9 }, dollars(1, 1, 1, 1))).toHaveLength(1);
  });

  it('falls back to all tasks where a task has few runs, and says so', () => {
    const elsewhere = dollars(1, 1, 1, 1).map(({ run }) => head(run.id, { ...run, task: 'task-b' }));
    expect(foundFor({ costUsd: 9 }, elsewhere)[0]!.explanation).toContain('4 other runs of all tasks is 1.');
    // Four of the own task suffice; the cheap runs of another do not make its usual cost an outlier.
    expect(foundFor({ costUsd: 9 }, [...dollars(8, 8, 8, 8), ...elsewhere])).toEqual([]);
  });

  it('compares tokens where no price is known, and turns where no tokens are', () => {
    const spent = [1, 2, 3, 4].map((n) => head(`t${n}`, tokens(100, n)));
    expect(foundFor(tokens(800, null), spent)[0]!.explanation).toContain('used 800 tokens');
    const counts = (modelTurns: number) => ({ counts: { ...fakeRun().counts, modelTurns } });
    const turns = [1, 2, 3, 4].map((n) => head(`m${n}`, counts(10)));
    expect(foundFor(counts(60), turns)[0]!.explanation).toContain('used 60 model turns');
    expect(foundFor(counts(0), turns)).toEqual([]);
  });
});
