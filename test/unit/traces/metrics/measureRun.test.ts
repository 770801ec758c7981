import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureRun, measureStep, openTrace, priceTable, RunMetrics, relateRun } from '../../../../src/core/traces';
import { preambleOf } from '../../../../src/core/traces/metrics/preamble';
import { atifDocument, importOne, temporaryFolders, writeFiles } from '../helpers';

const folder = temporaryFolders();
let made = 0;
const table = priceTable({ schemaVersion: 1, date: '2026-01-02', models: { m: { input: 10, output: 100 } } });

async function open(steps: unknown[], change: object = {}) {
  const place = await folder('metrics');
  const name = `t${made++}.json`;
  const agent = { name: 'tinker', version: '1.0', model_name: 'm' };
  await writeFiles(place, { [name]: atifDocument({ agent, steps, ...change }) });
  return openTrace(await importOne(join(place, name)));
}

let calls = 0;
function turn(command: string, content: string, more: object = {}, failed = false) {
  const id = `c${calls++}`;
  const extra = failed ? { extra: { is_error: true } } : {};
  return {
    source: 'agent',
    message: '',
    tool_calls: [{ tool_call_id: id, function_name: 'bash', arguments: { command } }],
    observation: { results: [{ source_call_id: id, content, ...extra }] },
    ...more,
  };
}
const metrics = (input: number, output: number, cost: object = {}) => ({
  metrics: { prompt_tokens: input, completion_tokens: output, ...cost },
});
const at = (second: number) => ({ timestamp: new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString() });

describe('numbers of a run', () => {
  it('costs are recorded ones, else computed and said to be', async () => {
    const reader = await open([
      { source: 'user', message: 'Go.', ...at(0) },
      turn('ls', 'a', { ...metrics(1000, 100), ...at(2) }),
      turn('pwd', '/', { ...metrics(1000, 100, { cost_usd: 0.5 }), ...at(5) }),
    ]);
    const found = RunMetrics.parse((await measureRun(reader, table)).metrics);
    await reader.close();
    expect(found.steps.map(({ costUsd, costOrigin }) => [costUsd, costOrigin])).toEqual([
      [null, null],
      [0.02, 'prices.json of 2026-01-02'],
      [0.5, 'recorded'],
    ]);
    expect(found.steps.map(({ seconds }) => seconds)).toEqual([null, 2, 3]);
    expect(found.modelSeconds).toEqual({ sum: 5, most: 3, known: 2 });
    expect(found.seconds).toBe(5);
  });

  it('a model without a price has no cost, whatever else is known', async () => {
    const reader = await open([turn('ls', 'a', { ...metrics(10, 1), model_name: 'unheard-of' })]);
    const found = (await measureRun(reader, table)).metrics;
    await reader.close();
    expect(found.steps[0]).toMatchObject({ costUsd: null, costOrigin: null, tokens: { input: 10 } });
    expect(found).toMatchObject({ costUsd: null, costOrigin: null });
  });

  it('a run of two models of which one has no price has no sum', async () => {
    const reader = await open([
      turn('ls', 'a', { ...metrics(1000, 100), model_name: 'm' }),
      turn('pwd', 'a', { ...metrics(1000, 100), model_name: 'unheard-of' }),
    ]);
    const found = (await measureRun(reader, table)).metrics;
    await reader.close();
    expect(found.steps.map(({ costUsd }) => costUsd)).toEqual([0.02, null]);
    expect(found.costUsd).toBeNull();
  });

  it('the clock that goes back gives no seconds', async () => {
    const reader = await open([turn('ls', 'a', at(9)), turn('pwd', 'b', at(3))]);
    const found = (await measureRun(reader, table)).metrics;
    await reader.close();
    expect(found.steps[1]).toMatchObject({ seconds: null, secondsOrigin: null });
  });

  it('the fingerprint counts repeats, retries and errors in a row', async () => {
    const reader = await open([
      turn('ls', 'a'),
      turn('ls', 'a'),
      turn('python x.py', 'bad', {}, true),
      turn('python x.py', 'bad', {}, true),
      turn('python x.py', 'good'),
      { source: 'agent', message: 'Hm.' },
      { source: 'agent', message: 'Done.' },
    ]);
    const { metrics: found, relations } = await measureRun(reader, table);
    expect(found.fingerprint).toMatchObject({
      turns: 7,
      noActionTurns: 1,
      calls: 5,
      toolErrors: 2,
      repeats: 1,
      retries: 2,
      longestErrorStreak: 2,
      tools: [{ name: 'bash', calls: 5, errors: 2 }],
    });
    expect(relations).toEqual(await relateRun(reader));
    for (const step of found.steps) expect((await measureStep(reader, step.step, table)).metrics).toEqual(step);
    await expect(measureStep(reader, 99, table)).rejects.toMatchObject({ code: 'step-missing' });
    await reader.close();
  });
});

describe('the preamble of the first call', () => {
  const prompts = [
    { source: 'system', message: 's'.repeat(400) },
    { source: 'user', message: 'u'.repeat(40) },
  ];

  it('is split by the messages before it, tools being what remains', async () => {
    const reader = await open([...prompts, turn('ls', 'a', metrics(510, 2))]);
    expect(await preambleOf(reader)).toEqual({
      step: 3,
      recordedInput: 510,
      systemPrompt: 100,
      userMessages: 10,
      toolSchemas: 400,
      toolSchemasOrigin: 'remainder',
      estimate: '4 characters a token',
    });
    await reader.close();
  });

  it('says what the trace does not tell', async () => {
    const reader = await open([turn('ls', 'a')]);
    expect(await preambleOf(reader)).toMatchObject({ systemPrompt: null, toolSchemas: null, recordedInput: null });
    await reader.close();
    const silent = await open(prompts);
    expect(await preambleOf(silent)).toBeNull();
    await silent.close();
  });
});
