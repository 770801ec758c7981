import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/core/errors';
import { activityOf } from '../../../src/host/traces/activity';
import { outlineParts } from '../../../src/host/traces/messageParts';
import { outlineOf, toolsOf } from '../../../src/host/traces/outline';
import { changedLines, RepeatedPrompts } from '../../../src/host/traces/repeatedPrompts';
import { type StepMark, surveyOf, surveyRun } from '../../../src/host/traces/survey';
import { passes } from '../../../src/host/work/handlers/searchHandlers';
import { messageLimit } from '../../../webview/shared/protocol';
import { noFilter } from '../../../webview/trace/pageState';
import { fakeReader } from '../diagnosis/fakeTrace';
import { runOf } from './fakes';

const prompt = (lines: number, changed = '') =>
  Array.from(
    { length: lines },
    (_, at) => `line ${at} of a prompt that is long enough to fold ${at === 2 ? changed : ''}`,
  ).join('\n');

const parts = [
  { kind: 'system' as const, text: prompt(10) },
  { kind: 'user' as const, text: 'Fix the parser.' },
  { text: '', calls: [{ id: '1', name: 'bash', args: { command: 'ls src' } }] },
  { kind: 'tool' as const, results: [{ callId: '1', text: 'a.ts', isError: false }] },
  { text: '', calls: [{ id: '2', name: 'bash', args: { command: 'cat a.ts' } }] },
  { kind: 'tool' as const, results: [{ callId: '2', text: 'no such file', isError: true }] },
  { kind: 'system' as const, text: prompt(10, 'now') },
  { text: 'I am done.', calls: [] },
];

describe('going through a run', () => {
  it('remembers who spoke, which tool a result answers, errors, and prompts that repeat', async () => {
    const marks = await surveyRun(fakeReader(runOf(), parts));
    expect(marks.map((mark) => mark.kind)).toEqual([
      'system',
      'user',
      'agent',
      'tool',
      'agent',
      'tool',
      'system',
      'agent',
    ]);
    expect(marks[3]!.tools).toEqual(['bash']);
    expect(marks.map((mark) => mark.isError).indexOf(true)).toBe(5);
    expect(marks[6]!.same).toEqual({ of: 1, changed: 2 });
    expect(marks.filter((mark) => mark.same)).toHaveLength(1);
  });

  it('is done once for a reader, and again after it was cancelled', async () => {
    const reader = fakeReader(
      runOf(),
      Array.from({ length: 250 }, () => ({ text: 'x' })),
    );
    const aborted = AbortSignal.abort();
    await expect(surveyOf(reader, { signal: aborted })).rejects.toThrow(CancelledError);
    const again = surveyOf(reader);
    expect(surveyOf(reader)).toBe(again);
    expect(await again).toHaveLength(250);
  });
});

describe('the outline', () => {
  const mark = (over: Partial<StepMark>): StepMark => ({
    kind: 'agent',
    event: null,
    isError: false,
    tools: [],
    label: '',
    calls: '',
    digest: '',
    same: null,
    ...over,
  });
  const call = (calls: string, over: Partial<StepMark> = {}) => mark({ calls, label: calls, tools: ['bash'], ...over });

  it('has phases of turns that do the same kind of thing', async () => {
    const entries = outlineOf(await surveyRun(fakeReader(runOf(), parts)));
    expect(entries.filter((entry) => entry.level === 'phase')).toEqual([
      { level: 'phase', from: 1, to: 2, label: 'prompt', errors: 0 },
      { level: 'phase', from: 3, to: 7, label: 'explore, 2 turns', errors: 1 },
      { level: 'phase', from: 8, to: 8, label: 'no action', errors: 0 },
    ]);
    expect(entries.filter((entry) => entry.level === 'turn').map((entry) => entry.label)).toContain('bash cat a.ts');
  });

  it('calls equal calls in a row a loop', () => {
    const entries = outlineOf([call('bash ls'), call('bash pytest'), call('bash pytest'), call('bash pytest')]);
    const phases = entries.filter((entry) => entry.level === 'phase').map((entry) => entry.label);
    expect(phases).toEqual(['explore', 'loop, 3 turns']);
    expect(outlineOf([mark({}), mark({}), mark({})])[0]!.label).toBe('no action, 3 turns');
  });

  it('shows events where they happened', () => {
    const [first, event] = outlineOf([
      mark({ kind: 'user' }),
      mark({ kind: 'event', event: 'compaction', label: 'x' }),
    ]).filter((entry) => entry.level === 'phase');
    expect([first!.label, event!.label]).toEqual(['prompt', 'compaction']);
  });

  it('covers every step once and in order, in messages below the limit', () => {
    const marks = fc.array(
      fc.record({
        kind: fc.constantFrom('system', 'user', 'agent', 'tool', 'event'),
        calls: fc.constantFrom('', 'bash ls', 'edit a', 'other x'),
        isError: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(marks, (list) => {
        const entries = outlineOf(list.map((one) => mark(one as Partial<StepMark>)));
        const phases = entries.filter((entry) => entry.level === 'phase');
        let next = 1;
        for (const phase of phases) {
          expect(phase.from).toBe(next);
          next = phase.to + 1;
        }
        expect(next).toBe(list.length + 1);
        const errors = list.filter((one) => one.isError).length;
        expect(phases.reduce((sum, phase) => sum + phase.errors, 0)).toBe(errors);
      }),
    );
    const many = outlineOf(Array.from({ length: 12_000 }, (_, at) => call(`bash ${'x'.repeat(80)}${at}`)));
    const messages = outlineParts({ entries: many, tools: [], errors: [] });
    expect(messages.length).toBeGreaterThan(1);
    let at = 0;
    for (const message of messages) {
      expect(JSON.stringify(message).length).toBeLessThan(messageLimit);
      if (message.type !== 'outline') throw new Error(message.type);
      expect(message.at).toBe(at);
      at += message.entries.length;
    }
    expect(at).toBe(many.length);
  });

  it('counts the steps of each tool', () => {
    const marks = [call('bash ls'), mark({ tools: ['edit', 'bash'] }), mark({ kind: 'tool', tools: ['edit'] })];
    expect(toolsOf(marks).map(({ id, steps }) => [id, steps])).toEqual([
      ['bash', 2],
      ['edit', 2],
    ]);
  });

  it('knows what a call is for by the tool or the command', () => {
    const said = (calls: string) => activityOf(calls);
    expect(['bash sed -n 1,9p a.py', 'bash sed -i s/a/b/ a.py', 'bash cat > a.py <<EOF'].map(said)).toEqual([
      'explore',
      'edit',
      'edit',
    ]);
    expect(['bash cd /x && ls', 'bash python -m pytest', 'shell {"command": "rg foo"}'].map(said)).toEqual([
      'explore',
      'run',
      'explore',
    ]);
    expect(['str_replace_editor x', 'read_file a', 'submit', 'browser_click #a', ''].map(said)).toEqual([
      'edit',
      'explore',
      'submit',
      'browser_click',
      'no action',
    ]);
  });

  it('is what filters on speakers, tools and errors look at', () => {
    const bad = call('bash ls', { isError: true });
    expect(passes(bad, { ...noFilter, tools: ['bash'], errorsOnly: true, kinds: ['agent'] })).toBe(true);
    expect(passes(bad, { ...noFilter, tools: ['edit'] })).toBe(false);
    expect(passes(bad, { ...noFilter, kinds: ['user'] })).toBe(false);
    expect(passes(mark({}), { ...noFilter, errorsOnly: true })).toBe(false);
  });
});

describe('prompts that are sent again', () => {
  it('lead to the first of their kind and count the lines that differ', () => {
    const seen = new RepeatedPrompts();
    expect(seen.add(1, prompt(20))).toBeNull();
    expect(seen.add(5, prompt(20))).toEqual({ of: 1, changed: 0 });
    expect(seen.add(9, prompt(20, 'changed'))).toEqual({ of: 1, changed: 2 });
    expect(seen.add(12, prompt(20).toUpperCase())).toBeNull();
    expect(seen.add(15, prompt(20).toUpperCase())).toEqual({ of: 12, changed: 0 });
  });

  it('are not looked for among short texts', () => {
    const seen = new RepeatedPrompts();
    expect([seen.add(1, 'go on'), seen.add(2, 'go on')]).toEqual([null, null]);
  });

  it('show the changed lines with their sign', () => {
    expect(changedLines('a\nb\nc\n', 'a\nx\nc\n')).toBe('- b\n+ x');
    expect(changedLines('a\n', 'a\n')).toBe('');
    const different = (start: number) => Array.from({ length: 4000 }, (_, at) => `${start + at}`).join('\n');
    expect(changedLines(different(0), different(100_000))).toBeNull();
  });
});
