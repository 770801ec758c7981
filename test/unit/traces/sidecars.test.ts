import { appendFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addToCatalog, importTraces, loadCatalog, type TraceRun } from '../../../src/core/traces';
import { atifDocument, claudeLine, importOne, jsonLines, temporaryFolders, writeFiles } from './helpers';

const folder = temporaryFolders();

async function outcomeOf(files: Record<string, unknown>, trace = 'trial/agent/trajectory.json'): Promise<TraceRun> {
  const place = await folder();
  await writeFiles(place, { [trace]: atifDocument(), ...files });
  const { runs } = await importTraces([join(place, trace)]);
  return runs[0]!;
}

describe('each kind of outcome file', () => {
  it.each<[string, unknown, object]>([
    ['verifier/reward.txt', '1.0', { verdict: 'pass', reward: 1, source: '../verifier/reward.txt' }],
    ['verifier/reward.json', { reward: 1 }, { verdict: 'pass', reward: 1, source: '../verifier/reward.json' }],
    ['verifier/reward.json', 0.25, { verdict: 'fail', reward: 0.25, source: '../verifier/reward.json' }],
    ['agent/reward.txt', '0', { verdict: 'fail', reward: 0, source: 'reward.txt' }],
    ['agent/reward.json', { correct: 1, style: 1 }, { verdict: 'pass', reward: 1, source: 'reward.json' }],
    ['agent/report.json', { resolved: false }, { verdict: 'fail', reward: 0, source: 'report.json' }],
  ])('%s with %j', async (name, content, outcome) => {
    expect((await outcomeOf({ [`trial/${name}`]: content })).outcome).toMatchObject(outcome);
  });

  it('a Harbor result without rewards takes those the verifier wrote, of either kind', async () => {
    const result = { trial_name: 'x', verifier_result: null };
    for (const [name, content] of [
      ['reward.txt', '1'],
      ['reward.json', { reward: 1 }],
    ] as const) {
      const run = await outcomeOf({ 'trial/result.json': result, [`trial/verifier/${name}`]: content });
      expect(run.outcome, name).toMatchObject({ verdict: 'pass', reward: 1 });
    }
  });

  it('an exception without a type is still an exception; a verdict beside it stands', async () => {
    const run = await outcomeOf({
      'trial/result.json': { trial_name: 'x', exception_info: {}, verifier_result: { rewards: { reward: 0 } } },
    });
    expect(run.outcome).toMatchObject({ verdict: 'fail', reward: 0, exception: 'exception' });
  });

  it('a summary of other tasks says nothing', async () => {
    const run = await outcomeOf({ 'results.json': { resolved_ids: ['other'], unresolved_ids: ['more'] } });
    expect(run.outcome).toEqual({ verdict: 'unknown', reward: null, exception: null, source: null });
  });

  it('reward files without a trace are named for what they are', async () => {
    const place = await folder();
    await writeFiles(place, { 'a/reward.txt': '1', 'b/reward.json': { reward: 1 } });
    const { runs, unknown } = await importTraces([join(place, 'a/reward.txt'), join(place, 'b/reward.json')]);
    expect(runs).toEqual([]);
    expect(unknown.map(({ reason }) => reason)).toEqual([
      'a reward file, but no trace was found that it belongs to',
      'a reward file, but no trace was found that it belongs to',
    ]);
  });
});

describe('a catalog while its files change', () => {
  const times = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:05:00Z')] as const;

  it('a session that grew is read again, and its counts with it', async () => {
    const root = await folder('root');
    const file = join(root, 's.jsonl');
    await writeFiles(root, { 's.jsonl': jsonLines(claudeLine(1, 'user', 'go'), claudeLine(2, 'assistant', 'ok')) });
    const before = (await addToCatalog(root, [file])).runs[0];
    expect(before?.counts).toMatchObject({ steps: 2, modelTurns: 1 });
    await appendFile(file, jsonLines(claudeLine(3, 'user', 'more'), claudeLine(4, 'assistant', 'done')));
    const after = (await loadCatalog(root)).runs[0];
    expect(after?.counts).toMatchObject({ steps: 4, modelTurns: 2, userMessages: 2 });
    expect(after?.id).toBe(before?.id);
  });

  it('a file of the same size but another time is read again', async () => {
    const root = await folder('root');
    const file = join(root, 'a.json');
    await writeFiles(root, { 'a.json': atifDocument({ session_id: 'one' }) });
    await utimes(file, ...([times[0], times[0]] as const));
    await addToCatalog(root, [file]);
    await writeFile(file, JSON.stringify(atifDocument({ session_id: 'two' })));
    await utimes(file, ...([times[1], times[1]] as const));
    expect((await loadCatalog(root)).runs[0]?.sessionId).toBe('two');
  });

  it('a removed file leaves the list, a new one in a recorded folder joins it', async () => {
    const root = await folder('root');
    await writeFiles(root, {
      't/a.json': atifDocument({ session_id: 'a' }),
      't/b.json': atifDocument({ session_id: 'b' }),
    });
    await addToCatalog(root, [join(root, 't')]);
    await rm(join(root, 't/a.json'));
    await writeFiles(root, { 't/c.json': atifDocument({ session_id: 'c' }) });
    expect((await loadCatalog(root)).runs.map((run) => run.sessionId)).toEqual(['b', 'c']);
  });

  it('a verdict that changes or goes away is seen without the trace changing', async () => {
    const root = await folder('root');
    await writeFiles(root, { 't/trajectory.json': atifDocument(), 't/reward.txt': '0' });
    const verdict = async () => (await loadCatalog(root)).runs[0]?.outcome.verdict;
    expect((await addToCatalog(root, [join(root, 't')])).runs[0]?.outcome.verdict).toBe('fail');
    await writeFile(join(root, 't/reward.txt'), '1');
    expect(await verdict()).toBe('pass');
    await rm(join(root, 't/reward.txt'));
    expect(await verdict()).toBe('unknown');
  });
});

describe('versions of ATIF', () => {
  it.each(['1.0', '1.2', '1.4', '1.5', '1.6', '1.7'])('%s is read, and told', async (version) => {
    const place = await folder();
    await writeFiles(place, { 't.json': atifDocument({ schema_version: `ATIF-v${version}` }) });
    expect(await importOne(join(place, 't.json'))).toMatchObject({
      format: 'atif',
      formatVersion: version,
      agent: 'tinker',
      model: 'small-model',
      counts: { steps: 4, modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
      tokens: { input: 10, output: 2, cached: 4, inputIncludesCached: true },
      costUsd: 0.5,
    });
  });

  it('totals of the writer win over the sum of the steps', async () => {
    const place = await folder();
    const final = { total_prompt_tokens: 100, total_completion_tokens: 20, total_cost_usd: 2 };
    await writeFiles(place, { 't.json': atifDocument({ final_metrics: final }) });
    expect(await importOne(join(place, 't.json'))).toMatchObject({ tokens: { input: 100, output: 20 }, costUsd: 2 });
  });

  it('a run that ends with an unanswered call was cut, unless the call finishes it', async () => {
    const ended = async (name: string) => {
      const place = await folder();
      const call = { tool_call_id: 'c', function_name: name, arguments: {} };
      const steps = [
        { source: 'user', message: 'go' },
        { source: 'agent', message: '', tool_calls: [call] },
      ];
      await writeFiles(place, { 't.json': atifDocument({ steps }) });
      return (await importOne(join(place, 't.json'))).endsTruncated;
    };
    expect([await ended('shell'), await ended('submit'), await ended('task_complete')]).toEqual([true, false, false]);
  });
});
