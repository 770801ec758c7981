import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Step, StepSummary } from '../../../src/core/traces';
import { bodyParts } from '../../../src/host/traces/stepBody';
import { traceHead } from '../../../src/host/traces/traceHead';
import { traceRow } from '../../../src/host/traces/traceRows';
import { messageLimit, ToTracePage } from '../../../webview/shared/protocol';
import { runOf } from './fakes';

const step = (over: Partial<Step>): Step => ({ n: 4, kind: 'tool', text: '', calls: [], results: [], ...over });

const sizeOf = (message: unknown) => JSON.stringify(message).length;
const bodySize = (parts: ReturnType<typeof bodyParts>) => sizeOf({ type: 'body', n: 4, parts, images: 0 });
const result = (text: string) => ({ callId: null, text, isError: false });

// Escaped in JSON these grow: a line end doubles, a NUL becomes six characters, half a pair too.
const costly = ['\n', '"', '\\', '\u0000', '\u001b', '\ud800', 'x', '\u00e4', '\ud83d\ude00'];

describe('the text of a step in a message', () => {
  it.each(costly)('stays below the limit of a message when it is all %j', (character) => {
    const text = character.repeat(300_000);
    const parts = bodyParts(step({ text, reasoning: text, results: [result(text), result(text)] }));
    expect(bodySize(parts)).toBeLessThan(messageLimit);
    // What is cut is said: shown and left together are the whole.
    const whole = parts.reduce((sum, part) => sum + part.text.length + part.left, 0);
    expect(whole).toBe(4 * text.length);
  });

  it('stays below it with very many results, and with calls of very long names', () => {
    const results = Array.from({ length: 20_000 }, (_, n) => result(`result ${n}`));
    const many = bodyParts(step({ results }));
    expect(bodySize(many)).toBeLessThan(messageLimit);
    expect(many.reduce((sum, part) => sum + part.text.length + part.left, 0)).toBe(
      results.reduce((sum, one) => sum + one.text.length, 0),
    );
    const calls = Array.from({ length: 50 }, () => ({ id: '1', name: 'n'.repeat(100_000), args: 'ls' }));
    expect(bodySize(bodyParts(step({ calls })))).toBeLessThan(messageLimit);
  });

  it('is whole when it is short, whatever it is made of', () => {
    const texts = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), {
      minLength: 1,
      maxLength: 10,
    });
    fc.assert(
      fc.property(texts, (all) => {
        const parts = bodyParts(step({ results: all.map(result) }));
        expect(parts.map((part) => [part.text, part.left])).toEqual(all.map((text) => [text, 0]));
      }),
    );
  });

  it('shows the beginning of what is cut', () => {
    const text = Array.from({ length: 30_000 }, (_, n) => `line "${n}"`).join('\n');
    const [part] = bodyParts(step({ text }));
    expect(text.startsWith(part!.text)).toBe(true);
    expect(part!.text.length).toBeGreaterThan(20_000);
  });
});

describe('a row in a message', () => {
  it('is small, however long names, links and findings are', () => {
    const long = '\u0000'.repeat(50_000);
    const summary: StepSummary = {
      n: 4,
      kind: 'agent',
      preview: long,
      textLength: long.length,
      calls: Array.from({ length: 100 }, () => ({ name: long, preview: long })),
      isError: false,
      tokensOut: null,
    };
    const link = {
      step: 4,
      file: 'a.ts',
      symbol: long,
      start: 1,
      end: 2,
      kind: 'literal',
      confidence: 1,
      reason: long,
    };
    const links = Array.from({ length: 10 }, () => ({ ...link, unit: 'u' }) as Parameters<typeof traceRow>[1][number]);
    const row = traceRow(summary, links, [], () => long);
    expect(sizeOf(row)).toBeLessThan(messageLimit / 2);
    expect(ToTracePage.safeParse({ type: 'rows', from: 4, rows: [row] }).success).toBe(true);
  });
});

describe('the head in a message', () => {
  it('is small, however long names and warnings are, and fits the protocol', () => {
    const long = '"'.repeat(50_000);
    const run = runOf({ task: long, trial: long, model: long, warnings: Array.from({ length: 500 }, () => long) });
    const runs = Array.from({ length: 800 }, (_, n) => runOf({ id: `/t/${n}.json`, trial: `${n} ${long}` }));
    const head = traceHead({ run, stepCount: 3, findings: [], lastError: null, linksMissing: null, runs });
    expect(sizeOf({ type: 'head', head })).toBeLessThan(messageLimit);
    expect(ToTracePage.safeParse({ type: 'head', head }).success).toBe(true);
  });
});
