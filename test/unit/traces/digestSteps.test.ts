import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestTrace } from '../../../src/core/traces';
import { code, digestSteps } from '../../../src/core/traces/digest';
import { call, readerOf, result, step } from '../links/helpers';

describe('lines of steps', () => {
  it('say what each has to do with others, what it called, and where its record lies', async () => {
    const raw = { file: 't.zip', offset: 40, length: 9 };
    const lines = await digestSteps(
      readerOf([
        step({ n: 1, kind: 'agent', text: 'I try.', calls: [call('bash', { command: 'make' })], raw }),
        step({ n: 2, results: [result('no rule', 'call-bash', true)], raw: { ...raw, part: 'run/log.jsonl' } }),
        step({ n: 3, kind: 'agent', calls: [call('bash', { command: 'make' })] }),
        step({ n: 4, results: [result('start [Truncated: 263 characters omitted] end', 'call-bash')] }),
        step({ n: 5, kind: 'event', event: 'exception', text: 'boom' }),
        step({ n: 6, kind: 'agent', text: 'Oh.' }),
      ]),
      5_000,
      'R1.',
    );
    expect(lines).toEqual([
      'R1.1. agent `I try.` > `bash make` @40',
      'R1.2. tool **error** `no rule` @run/log.jsonl:40',
      'R1.3. agent (retry of 1)  > `bash make`',
      'R1.4. tool (truncated) `start [Truncated: 263 characters omitted] end`',
      'R1.5. exception **error** `boom`',
      'R1.6. agent (after the error in 5) `Oh.`',
    ]);
  });

  const made = fc.array(fc.record({ length: fc.integer({ min: 1, max: 200 }), failed: fc.boolean() }), {
    maxLength: 60,
  });

  it('fit the budget, stay in order, and count every step that is left out', async () => {
    await fc.assert(
      fc.asyncProperty(made, fc.integer({ min: 0, max: 6_000 }), async (steps, budget) => {
        const reader = readerOf(
          steps.map(({ length, failed }, at) =>
            step({ n: at + 1, results: [result('x'.repeat(length), null, failed)] }),
          ),
        );
        const lines = await digestSteps(reader, budget, '');
        // Below the length of one line that counts there is nothing to choose from.
        expect(lines.join('\n').length).toBeLessThanOrEqual(Math.max(30, budget));
        let next = 1;
        for (const line of lines) {
          const left = /^ {3}\((\d+) steps left out\)$/.exec(line)?.[1];
          if (left === undefined) expect(line.startsWith(`${next}. tool`)).toBe(true);
          next += Number(left ?? 1);
        }
        expect(next).toBe(steps.length + 1);
      }),
    );
  });

  it('of many short steps count their line ends too', async () => {
    const steps = Array.from({ length: 300 }, (_, at) => step({ n: at + 1, kind: 'user', text: 'x' }));
    const lines = await digestSteps(readerOf(steps), 1_000, '');
    expect(lines.join('\n').length).toBeLessThanOrEqual(1_000);
    expect(lines.length).toBeGreaterThan(50);
  });

  it('leave out no error for a step without one', async () => {
    const steps = Array.from({ length: 40 }, (_, at) =>
      step({ n: at + 1, results: [result('words', null, at % 8 === 3)] }),
    );
    const lines = await digestSteps(readerOf(steps), 420, '');
    const shown = lines.map((line) => Number(/^(\d+)\./.exec(line)?.[1] ?? 0)).filter((n) => n > 0);
    expect(shown).toEqual(expect.arrayContaining([4, 12, 20, 28, 36]));
    expect(shown.length).toBeLessThan(40);
  });
});

describe('the digest of a run', () => {
  it('shows five warnings, counts the others, and says what is not known', async () => {
    const warnings = Array.from({ length: 8 }, (_, at) => `line ${at} is no record`);
    const text = await digestTrace(readerOf([step({ kind: 'user', text: 'Go.' })], { warnings, file: '/a b.json' }));
    const lines = text.split('\n');
    expect(lines.slice(0, 2)).toEqual(['# `run`', 'file: `/a b.json`']);
    expect(lines[2]).toContain('tokens ? in, ? out');
    expect(lines.filter((line) => line.startsWith('warning: '))).toHaveLength(6);
    expect(text).toContain('warning: 3 more');
  });
});

describe('a code span', () => {
  it('holds any text on one line, without a way out of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, longest) => {
        const span = code(text, longest);
        if (text.trim() === '') expect(span).toBe('');
        else expect(span).toMatch(/^`[^`\n\r]+`$/);
        expect(span.length).toBeLessThanOrEqual(longest + '``...'.length);
      }),
    );
  });
});
