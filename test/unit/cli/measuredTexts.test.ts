import { describe, expect, it } from 'vitest';
import { metricsText, relationLines, stepMetricsLine } from '../../../src/cli/measuredTexts';
import type { RunMetrics, StepMetrics } from '../../../src/core/traces';

const metrics: Omit<RunMetrics, 'steps'> = {
  run: 'r',
  tokens: { input: 1200, output: 30, cached: 900, inputIncludesCached: true },
  costUsd: 0.02,
  costOrigin: 'prices.json of 2026-01-02',
  seconds: 3,
  modelSeconds: { sum: 2, most: 1, known: 2 },
  preamble: null,
  fingerprint: {
    turns: 2,
    noActionTurns: 0,
    calls: 1,
    toolErrors: 1,
    repeats: 0,
    retries: 0,
    longestErrorStreak: 1,
    truncatedResults: 0,
    compactions: 0,
    tools: [{ name: 'bash', calls: 1, errors: 1 }],
    endsTruncated: false,
  },
};

describe('numbers of a run in words', () => {
  it('say where a computed cost comes from, and count in singular and plural', () => {
    expect(metricsText(metrics)).toEqual([
      'tokens: 1200 in, 30 out, 900 cached; cost: $0.0200 (prices.json of 2026-01-02); 3 s',
      '2 turns, 0 without action; 1 call, 1 error, 0 repeats, 0 retried; 0 truncated results, 0 compactions',
      'tools: bash 1',
    ]);
  });

  it('never name a cost that is not known', () => {
    const unknown = { ...metrics, costUsd: null, costOrigin: null, seconds: null };
    expect(metricsText(unknown)[0]).toBe(
      'tokens: 1200 in, 30 out, 900 cached; cost: not recorded, and no price is known',
    );
    expect(metricsText({ ...metrics, costOrigin: 'recorded' })[0]).toContain('cost: $0.0200;');
  });

  it.each<[string, object, string]>([
    [
      'schemas',
      { systemPrompt: 100, toolSchemas: 400, toolSchemasOrigin: 'schemas' },
      'system prompt about 100, tool schemas about 400, user messages about 10',
    ],
    [
      'what remains',
      { systemPrompt: 100, toolSchemas: 400, toolSchemasOrigin: 'remainder' },
      'tool schemas about 400 (what remains)',
    ],
    [
      'neither',
      { systemPrompt: null, toolSchemas: null, toolSchemasOrigin: null },
      'system prompt not in the trace, tool schemas not in the trace',
    ],
  ])('split the first call: %s', (_, split, words) => {
    const preamble = { step: 3, recordedInput: 510, userMessages: 10, estimate: '4 characters a token', ...split };
    const line = metricsText({ ...metrics, preamble: preamble as RunMetrics['preamble'] }).at(-1);
    expect(line).toContain(words);
    expect(line).toContain('(estimates: 4 characters a token)');
  });
});

describe('numbers and relations of a step in words', () => {
  const step: StepMetrics = {
    step: 4,
    tokens: null,
    costUsd: null,
    costOrigin: null,
    seconds: null,
    secondsOrigin: null,
    estimatedTokens: 1,
  };

  it.each<[Partial<StepMetrics>, string]>([
    [{}, 'about 1 token of text'],
    [{ seconds: 1.5, secondsOrigin: 'recorded' }, 'about 1 token of text; 1.5 s'],
    [{ seconds: 600, secondsOrigin: 'timestamps' }, 'about 1 token of text; 10 min since the time stamp before'],
    [{ seconds: 9000, secondsOrigin: 'recorded' }, 'about 1 token of text; 2.5 h'],
    [{ costUsd: 1.5, costOrigin: 'recorded' }, 'about 1 token of text; $1.50'],
    [
      { tokens: { input: 7, output: null, cached: null, inputIncludesCached: null } },
      '7 tokens in, no out; about 1 token of text',
    ],
  ])('%j', (more, line) => {
    expect(stepMetricsLine({ ...step, ...more })).toBe(line);
  });

  it('a line for each relation, none for a step without', () => {
    expect(relationLines({ step: 4 })).toEqual([]);
    expect(
      relationLines({
        step: 4,
        retryOf: 3,
        repeatOf: 2,
        causedByError: 3,
        flow: [
          { call: 0, value: 'a.py', origin: 'observation', step: 2, seen: 1, nameOnly: true },
          { call: 0, value: 'b.py', origin: 'nowhere', step: null, seen: 0 },
        ],
        context: {
          copied: true,
          compacted: { from: 1, to: 3 },
          truncated: [
            { mark: '[2 lines omitted]', missing: { count: 2, unit: 'line' } },
            { mark: '[truncated]', missing: null },
          ],
          input: { since: 2, kept: 1, added: 2, dropped: 3, shortened: 0 },
        },
        starts: [
          { call: 'c', run: 'child' },
          { call: 'd', run: null },
        ],
        branch: true,
      }),
    ).toEqual([
      'tries again what failed in step 3',
      'repeats the call of step 2',
      'answers the error in step 3',
      'value a.py: observation, step 2 (only the last part of the path)',
      'value b.py: nothing before it holds it',
      'context: copied from an earlier run',
      'context: steps 1 to 3 were compacted away',
      'context: truncated by the harness, 2 lines: [2 lines omitted]',
      'context: truncated by the harness, amount not told: [truncated]',
      'context: since the model call of step 2, 1 message kept, 2 new, 3 gone, 0 shortened',
      'starts a sub-agent: child',
      'starts a sub-agent',
      'the run goes on from here on another branch',
    ]);
  });
});
