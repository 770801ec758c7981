import { describe, expect, it } from 'vitest';
import { measureRun, priceTable, type Step } from '../../../../src/core/traces';
import { FingerprintCount } from '../../../../src/core/traces/metrics/fingerprint';
import { preambleOf } from '../../../../src/core/traces/metrics/preamble';
import { metricsOfStep, secondsBetween } from '../../../../src/core/traces/metrics/stepMetrics';
import { call, readerOf, result, run, step } from '../../links/helpers';

const prices = priceTable({
  schemaVersion: 1,
  date: '2026-01-02',
  models: { a: { input: 10, output: 100 }, b: { input: 1, output: 2 } },
});
const tokens = (input: number | null, output: number | null, more: object = {}) => ({
  input,
  output,
  cached: null,
  inputIncludesCached: null,
  ...more,
});
const agent = (n: number, change: Partial<Step> = {}) => step({ n, kind: 'agent', ...change });

describe('numbers of a step', () => {
  it('recorded seconds go before time stamps, and nothing is said without either', () => {
    const seconds = (change: Partial<Step>, before: string | null) => {
      const found = metricsOfStep(agent(1, change), prices, null, before);
      return [found.seconds, found.secondsOrigin];
    };
    const time = '2026-01-02T00:00:05Z';
    expect(seconds({ time, seconds: 2 }, '2026-01-02T00:00:00Z')).toEqual([2, 'recorded']);
    expect(seconds({ time }, '2026-01-02T00:00:00+00:00')).toEqual([5, 'timestamps']);
    expect(seconds({ time }, null)).toEqual([null, null]);
    expect(secondsBetween('yesterday', time)).toBeNull();
  });

  it('estimates the tokens of all texts of it, each rounded up', () => {
    const shown = agent(1, { text: 'abcde', reasoning: 'ab', calls: [call('x', { a: 1 })], results: [result('abcd')] });
    // 2 and 1 for what was said, 2 for {"a":1}, 1 for the result
    expect(metricsOfStep(shown, prices, null, null).estimatedTokens).toBe(6);
  });

  it('is priced by its own model before that of the run, and a recorded cost of nothing is one', () => {
    const cost = (change: Partial<Step>) => metricsOfStep(agent(1, change), prices, 'a', null);
    expect(cost({ tokens: tokens(1_000_000, 0) }).costUsd).toBe(10);
    expect(cost({ tokens: tokens(1_000_000, 0), model: 'b' }).costUsd).toBe(1);
    expect(cost({ tokens: tokens(1_000_000, 0), costUsd: 0 })).toMatchObject({ costUsd: 0, costOrigin: 'recorded' });
    expect(cost({ tokens: tokens(null, 10) }).costUsd).toBeNull();
  });
});

describe('numbers of a run', () => {
  const cost = async (steps: Step[], head: Parameters<typeof run>[0] = {}) => {
    const { metrics } = await measureRun(readerOf(steps, head), prices);
    return [metrics.costUsd, metrics.costOrigin];
  };

  it('of one model is priced by the sums of its head, in which usage that is repeated counts once', async () => {
    const twice = [agent(1, { tokens: tokens(100, 1), model: 'a' }), agent(2, { tokens: tokens(100, 1), model: 'a' })];
    const [usd, origin] = await cost(twice, { tokens: tokens(100, 1) });
    expect(usd).toBeCloseTo(0.0011);
    expect(origin).toBe('prices.json of 2026-01-02');
  });

  it('of two models is the sum of its steps, and says so when some were recorded', async () => {
    const steps = [
      agent(1, { tokens: tokens(1_000_000, 0), model: 'a' }),
      agent(2, { tokens: tokens(1_000_000, 0), model: 'b', costUsd: 0.25 }),
      agent(3, { model: 'b' }),
    ];
    expect(await cost(steps)).toEqual([10.25, 'prices.json of 2026-01-02; recorded']);
  });

  it('that is recorded is kept whatever the steps cost', async () => {
    expect(await cost([agent(1, { tokens: tokens(9, 9), model: 'a' })], { costUsd: 3 })).toEqual([3, 'recorded']);
  });

  it('seconds of the model leave out those of tools', async () => {
    const at = (second: number) => `2026-01-02T00:00:0${second}Z`;
    const steps = [
      step({ n: 1, kind: 'user', time: at(0) }),
      agent(2, { time: at(1) }),
      step({ n: 3, time: at(6) }),
      agent(4),
      agent(5, { time: at(8) }),
    ];
    const { metrics } = await measureRun(readerOf(steps, { started: at(0), ended: at(8) }), prices);
    expect(metrics.modelSeconds).toEqual({ sum: 3, most: 2, known: 2 });
    expect(metrics.seconds).toBe(8);
  });
});

describe('the fingerprint', () => {
  it('names the twelve tools of most calls, by name where they are equal', () => {
    const count = new FingerprintCount();
    for (let at = 0; at < 30; at += 1)
      count.step(agent(at + 1, { calls: [call(`t${String(at % 20).padStart(2, '0')}`)] }), { step: at + 1 });
    const { tools } = count.of(run());
    const names = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((at) => `t${String(at).padStart(2, '0')}`);
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(tools.map(({ calls }) => calls)).toEqual([...Array(10).fill(2), 1, 1]);
  });

  it('counts an error for the tool of its call, and none without one', () => {
    const count = new FingerprintCount();
    count.step(agent(1, { calls: [call('read'), call('write')] }), { step: 1 });
    count.step(step({ n: 2, results: [result('no', 'call-write', true), result('no', 'other', true)] }), { step: 2 });
    count.step(agent(3), { step: 3 });
    count.step(step({ n: 4, results: [result('no', 'call-write', true)] }), { step: 4 });
    expect(count.of(run()).tools).toEqual([
      { name: 'read', calls: 1, errors: 0 },
      { name: 'write', calls: 1, errors: 1 },
    ]);
  });

  it('keeps the longest streak of answers to errors, and leaves out copied steps', () => {
    const count = new FingerprintCount();
    for (const [at, error] of [true, true, false, true, true, true, false, true].entries())
      count.step(agent(at + 1), error ? { step: at + 1, causedByError: at } : { step: at + 1 });
    count.step(agent(9, { copied: true, calls: [call('read')] }), { step: 9, repeatOf: 1 });
    expect(count.of(run())).toMatchObject({ longestErrorStreak: 3, repeats: 0, tools: [] });
  });
});

describe('the preamble', () => {
  const input = JSON.stringify({
    messages: [
      { role: 'system', content: 's'.repeat(40) },
      { role: 'developer', content: 'd'.repeat(40) },
      { role: 'user', content: 'u'.repeat(8) },
    ],
    tools: [{ name: 'read' }],
  });

  it('is that of the recorded input, with the schemas of the tools, whatever the steps show', async () => {
    const steps = [step({ n: 1, kind: 'system', text: 'shown' }), agent(2, { tokens: tokens(500, 1) })];
    expect(await preambleOf({ ...readerOf(steps), raw: async () => input })).toMatchObject({
      step: 2,
      recordedInput: 500,
      systemPrompt: 20,
      userMessages: 2,
      toolSchemas: Math.ceil('[{"name":"read"}]'.length / 4),
      toolSchemasOrigin: 'schemas',
    });
  });

  it.each([
    ['inside the input', { cached: 300, inputIncludesCached: true }, 500],
    ['beside it', { cached: 300, cacheWrite: 20, inputIncludesCached: false }, 820],
  ])('counts cached tokens %s', async (_, more, whole) => {
    const steps = [step({ n: 1, kind: 'system', text: 'x'.repeat(400) }), agent(2, { tokens: tokens(500, 1, more) })];
    expect(await preambleOf(readerOf(steps))).toMatchObject({
      recordedInput: whole,
      toolSchemas: whole - 100,
      toolSchemasOrigin: 'remainder',
    });
  });

  it('never leaves less than nothing for the tools, and passes over copied answers', async () => {
    const steps = [
      step({ n: 1, kind: 'system', text: 'x'.repeat(400) }),
      agent(2, { copied: true }),
      agent(3, { tokens: tokens(10, 1) }),
    ];
    expect(await preambleOf(readerOf(steps))).toMatchObject({ step: 3, toolSchemas: 0 });
  });
});
