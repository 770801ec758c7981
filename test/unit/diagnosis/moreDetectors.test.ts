import { describe, expect, it } from 'vitest';
import { diagnoseRun, type Finding } from '../../../src/core/diagnosis';
import type { Link } from '../../../src/core/links';
import type { TraceRun } from '../../../src/core/traces';
import { call, fakeReader, fakeRun, idle, link, map } from './fakeTrace';

type Steps = Parameters<typeof fakeReader>[1];
const pass = { outcome: { ...fakeRun().outcome, verdict: 'pass' as const } };
const system = { kind: 'system' as const, text: 'You are an agent.' };
const submit = () => call('submit', {}, 'Submitted.');
const event = (name: string, text: string) => ({ kind: 'event' as const, event: name, text });

async function by(detector: string, steps: Steps, over: Partial<TraceRun> = {}, links: Link[] = [], texts = noTexts) {
  const run = fakeRun(over);
  const found = await diagnoseRun({ run, reader: fakeReader(run, steps), links, map, texts });
  return found.filter((finding) => finding.detector === detector);
}
const noTexts: { file: string; text: string }[] = [];

async function one(detector: string, steps: Steps, over: Partial<TraceRun> = {}): Promise<Finding> {
  const found = await by(detector, steps, over);
  expect(found).toHaveLength(1);
  return found[0]!;
}

describe('unknown-tool', () => {
  const wrong = () => call('grep_all', { q: 'x' }, 'Unknown tool: grep_all. Use shell.', true);
  it('is a wrong tool once, and a missing one when it is asked for again', async () => {
    expect(await one('unknown-tool', [wrong(), submit()])).toMatchObject({
      why: 'wrong_tool_or_arguments',
      party: 'harness',
    });
    expect(await one('unknown-tool', [wrong(), wrong()])).toMatchObject({
      why: 'tool_affordance_missing',
      steps: [1, 2],
    });
  });
  it('reads other wordings, and not what files say', async () => {
    for (const said of ["Tool 'x' does not exist", 'no such function: x', 'The tool "x" is not available.'])
      expect(await by('unknown-tool', [call('x', {}, said)])).toHaveLength(1);
    const file = `${'a line of a file\n'.repeat(200)}unknown tool`;
    expect(await by('unknown-tool', [call('read', {}, file)])).toEqual([]);
    expect(await by('unknown-tool', [call('shell', {}, 'exit code 0')])).toEqual([]);
  });
});

describe('wrong-arguments', () => {
  const refused = () => call('edit', { p: 'a' }, 'Missing required parameter: path', true);
  it('counts refusals that were not cured, and not one that was', async () => {
    expect((await one('wrong-arguments', [refused(), submit()])).explanation).toMatch(/never got right/);
    expect(await by('wrong-arguments', [refused(), call('edit', { path: 'a' }, 'Edited.')])).toEqual([]);
    expect((await one('wrong-arguments', [refused(), refused(), call('edit', {}, 'ok')])).confidence).toBe(0.5);
  });
  it('does not mind programs that the shell runs', async () => {
    expect(await by('wrong-arguments', [call('shell', { command: 'tool' }, 'missing argument: --in', true)])).toEqual(
      [],
    );
  });
});

describe('parser-rejects-valid', () => {
  const reply = 'I read it.\n```json\n{"tool": "read", "args": {"path": "a.ts"}}\n```';
  it('finds a whole call in a refused reply', async () => {
    const found = await one('parser-rejects-valid', [idle(reply, 'Your reply could not be parsed.'), submit()]);
    expect(found).toMatchObject({ why: 'parser_rejects_valid_output', steps: [1] });
  });
  it('does not mind broken calls and accepted ones', async () => {
    const broken = reply.replace('}}', '}');
    expect(await by('parser-rejects-valid', [idle(broken, 'Your reply could not be parsed.')])).toEqual([]);
    expect(await by('parser-rejects-valid', [idle('no call', 'Your reply could not be parsed.')])).toEqual([]);
    expect(await by('parser-rejects-valid', [idle(reply, 'Go on.')])).toEqual([]);
  });
});

describe('command-timeout and limit', () => {
  const slow = () => call('shell', { command: 'make' }, 'Command timed out after 30 seconds.');
  it('tells the limit of a command from that of the run', async () => {
    expect(await one('command-timeout', [slow(), slow()])).toMatchObject({ why: 'limit_or_timeout', confidence: 0.8 });
    expect(await by('command-timeout', [slow(), submit()], pass)).toEqual([]);
    expect(
      await by('command-timeout', [call('shell', {}, `ok ${'x'.repeat(700)} timed out ${'x'.repeat(700)}`)]),
    ).toEqual([]);
  });
  it.each([
    ['turns', 'Stopped: the limit of 12 turns is reached.'],
    ['tokens', 'The token budget is exceeded.'],
    ['cost', 'The cost limit of $2 was reached'],
    ['time', 'Deadline of 900 seconds exceeded'],
    ['format errors', 'Limit of malformed replies reached'],
  ])('says that it was a limit of %s', async (owner, text) => {
    const found = await one('limit', [call('read', {}, 'a'), event('limit', text)]);
    expect(found.explanation).toContain(`by a limit of ${owner} `);
  });
});

describe('retries-exhausted', () => {
  it('finds a fault that ended the run, after tries or without any', async () => {
    const tries = [call('read', {}, 'a'), event('exception', 'gave up after 4 attempts: 503')];
    expect((await one('retries-exhausted', tries)).explanation).toMatch(/after several tries/);
    const first = [call('read', {}, 'a'), event('exception', 'HTTP 429: rate limit')];
    expect(await one('retries-exhausted', first)).toMatchObject({ why: 'recovery_missing' });
  });
  it('does not mind one that was recovered from', async () => {
    const steps = [call('read', {}, 'a'), event('error', '429 rate limit'), call('read', {}, 'b'), submit()];
    expect(await by('retries-exhausted', steps)).toEqual([]);
  });
});

describe('permission-block', () => {
  const blocked = () => call('shell', { command: 'npm test' }, 'Command not allowed by policy: npm', true);
  it('counts calls that were stopped', async () => {
    expect(await one('permission-block', [blocked(), blocked()])).toMatchObject({ steps: [1, 2], confidence: 0.85 });
  });
  it('does not mind one that the model got around', async () => {
    expect(await by('permission-block', [blocked(), submit()], pass)).toEqual([]);
    expect(await by('permission-block', [call('shell', {}, 'ls: cannot open: Permission denied')])).toEqual([]);
  });
});

describe('refusal, context overflow and faults of the environment', () => {
  it('finds a model that declines', async () => {
    expect(await one('refusal', [idle("I'm sorry, but I can't help with that.")])).toMatchObject({ party: 'model' });
    expect(await by('refusal', [idle('I cannot find the file.'), idle("I can't do it in one step.")])).toEqual([]);
  });
  it('finds a conversation that became too long, with the result that filled it', async () => {
    const steps = [call('read', {}, 'x'.repeat(9_000)), event('exception', 'context_length_exceeded: 140000 tokens')];
    expect(await one('context-overflow', steps)).toMatchObject({ steps: [2, 1], why: 'context_overflow' });
    expect(await by('context-overflow', [call('read', {}, 'maximum context length is 4096')])).toEqual([]);
  });
  it('finds a fault that different commands met', async () => {
    const full = (command: string) => call('shell', { command }, 'write error: No space left on device');
    expect(await one('environment-fault', [full('a'), full('b')])).toMatchObject({ party: 'environment' });
    expect(await by('environment-fault', [full('a'), full('a')])).toEqual([]);
  });
});

describe('completion-without-effect', () => {
  const read = (text: string) => call('read', { path: 'src/a.ts' }, text);
  it('finds a confirmed change that is not there afterwards', async () => {
    const steps = [read('const a = 1;'), call('edit', { path: 'src/a.ts' }, 'Edited.'), read('const a = 1;'), submit()];
    expect(await one('completion-without-effect', steps)).toMatchObject({ steps: [2, 3], confidence: 0.85 });
    steps[2] = read('const a = 2;');
    expect(await by('completion-without-effect', steps)).toEqual([]);
  });
  it('finds a claim after changes that all failed', async () => {
    const steps = [call('edit', { path: 'a.ts' }, 'no matches', true), call('submit', {}, 'ok')];
    expect(await one('completion-without-effect', steps)).toMatchObject({ steps: [2, 1], party: 'model' });
    expect(await by('completion-without-effect', steps, pass)).toEqual([]);
  });
});

describe('premature-completion', () => {
  const worked = call('read', { path: 'a' }, 'text');
  it('finds an end that announces more work or asks', async () => {
    expect(await one('premature-completion', [worked, idle('Now I will edit the parser.')])).toMatchObject({
      steps: [2],
    });
    expect((await one('premature-completion', [worked, idle('Shall I go on?')])).explanation).toMatch(/asked/);
  });
  it('does not mind ends that report, limits and submissions', async () => {
    expect(await by('premature-completion', [worked, idle('The parser reads dates now.')])).toEqual([]);
    const cut = [worked, idle('Let me edit it.'), event('limit', 'turns')];
    expect(await by('premature-completion', cut)).toEqual([]);
    expect(await by('premature-completion', [worked, submit(), idle('Let me know.')])).toEqual([]);
  });
});

describe('results that do not help', () => {
  it('finds an empty result after which the model asks again', async () => {
    const empty = () => call('shell', { command: 'make' }, '');
    expect(await one('empty-result', [empty(), empty(), submit()])).toMatchObject({ steps: [1] });
    expect(await by('empty-result', [empty(), call('shell', { command: 'ls' }, 'a')])).toEqual([]);
  });
  it('finds names that the model had to guess', async () => {
    const guess = (path: string) => call('read', { path }, `${path}: no such file`, true);
    const steps = [
      { kind: 'user' as const, text: 'Repair known_a.py' },
      guess('known_a.py'),
      guess('src/guess_1.py'),
      guess('lib/guess_2.py'),
    ];
    expect(await one('guessed-value', steps)).toMatchObject({ steps: [3, 4], why: 'evidence_absent', party: 'model' });
    expect(await by('guessed-value', steps.slice(0, 3))).toEqual([]);
  });
  it('finds what is asked for again after the conversation was shortened', async () => {
    const text = 'a long enough result to be worth something';
    const look = (path: string) => call('read', { path }, `${path} ${text}`);
    const steps = [look('a'), look('b'), event('compaction', 'summary'), look('a'), look('b')];
    expect(await one('asked-again-after-compaction', steps)).toMatchObject({
      steps: [3, 4, 5],
      why: 'lost_in_compaction',
    });
    expect(
      await by(
        'asked-again-after-compaction',
        steps.filter((_, index) => index !== 2),
      ),
    ).toEqual([]);
  });
  it('finds work of another agent that failed', async () => {
    expect(await one('sub-agent-error', [call('task', { do: 'x' }, '', false)])).toMatchObject({
      why: 'orchestration_error',
    });
    expect(await by('sub-agent-error', [call('task', { do: 'x' }, 'Done: it is in a.ts')])).toEqual([]);
  });
});

describe('instructions', () => {
  const rule = 'Always run the tests before you submit your work.';
  const careless = [call('edit', { path: 'a' }, 'Edited.'), submit()];
  it('finds one that stood in the input and was not followed', async () => {
    const found = await one('instruction-not-followed', [{ kind: 'system', text: rule }, ...careless]);
    expect(found).toMatchObject({ steps: [3, 1], party: 'model', why: 'instruction_not_followed' });
    const careful = [call('edit', { path: 'a' }, 'Edited.'), call('shell', { command: 'npm test' }, 'ok'), submit()];
    expect(await by('instruction-not-followed', [{ kind: 'system', text: rule }, ...careful])).toEqual([]);
  });
  it('finds one that the harness has and did not show', async () => {
    const texts = [{ file: 'prompts/rules.md', text: rule }];
    const found = await by('instruction-not-activated', [system, ...careless], {}, [], texts);
    expect(found[0]).toMatchObject({ why: 'instruction_not_activated', party: 'harness' });
    expect(found[0]!.explanation).toContain('prompts/rules.md');
    expect(await by('instruction-not-activated', [{ kind: 'system', text: rule }, ...careless], {}, [], texts)).toEqual(
      [],
    );
  });
});

describe('where and whose', () => {
  it('names module, component, evidence of the place and other units', async () => {
    const links = [link(1, 'u-format'), link(1, 'u-parser', { kind: 'lifecycle', confidence: 0.4 })];
    const [found] = await by('format-violation', [idle('x', 'Your reply could not be parsed.'), submit()], {}, links);
    expect(found).toMatchObject({
      unit: 'u-format',
      placeEvidence: 'literal',
      alsoUnits: ['u-parser'],
      module: 'Tool Use',
      component: 'middleware',
      party: 'harness',
    });
  });
});
