import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareTraces, digestTrace, openTrace, type TraceReader } from '../../../src/core/traces';
import { atifDocument, fixtures, importOne, temporaryFolders, writeFiles } from './helpers';

const folder = temporaryFolders();

async function open(steps: unknown[]): Promise<TraceReader> {
  const place = await folder();
  await writeFiles(place, { 't.json': atifDocument({ steps }) });
  return openTrace(await importOne(join(place, 't.json')));
}

describe('digest', () => {
  it('tells outcome, counts and what each step did', async () => {
    const reader = await openTrace(
      await importOne(join(fixtures, 'mini/django__django-10999/django__django-10999.traj.json')),
    );
    const text = await digestTrace(reader, 20_000);
    expect(text).toContain('django__django-10999');
    expect(text).toContain('verdict: fail');
    expect(text).toContain('18 model turns');
    expect(text).toContain('bash');
    await reader.close();
  });

  it('keeps the beginning, the end and the errors when the budget is small, and counts what it leaves out', async () => {
    const steps = Array.from({ length: 120 }, (_, at) => ({
      source: 'agent',
      message: `turn ${at} ${'words '.repeat(60)}`,
      tool_calls: [{ tool_call_id: `c${at}`, function_name: 'shell', arguments: { at } }],
      observation: { results: [{ source_call_id: `c${at}`, content: 'fine', extra: { is_error: at === 60 } }] },
    }));
    const reader = await open(steps);
    for (const budget of [2_000, 6_000, 100_000]) {
      const text = await digestTrace(reader, budget);
      const shown = (text.match(/^\d+\. /gm) ?? []).length;
      const left = [...text.matchAll(/\((\d+) steps left out\)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
      expect(shown + left).toBe(120);
      expect(text).toMatch(/^61\. agent \*\*error\*\*/m);
      expect(text).toMatch(/^1\. /m);
      expect(text).toMatch(/^120\. /m);
    }
    await reader.close();
  });

  it('keeps text of the trace in code spans', async () => {
    const reader = await open([{ source: 'user', message: '` <img src=x> [a](b)\n# heading' }]);
    expect(await digestTrace(reader)).toContain("`' <img src=x> [a](b) # heading`");
    await reader.close();
  });
});

describe('comparison', () => {
  const user = { source: 'user', message: 'Fix it.' };
  const turn = (command: string, content: string, message = 'words') => ({
    source: 'agent',
    message,
    tool_calls: [{ tool_call_id: 'c', function_name: 'shell', arguments: { command, cwd: '.' } }],
    observation: { results: [{ source_call_id: 'c', content }] },
  });
  const compare = async (left: unknown[], right: unknown[]) => {
    const [a, b] = [await open(left), await open(right)];
    const found = await compareTraces(a, b);
    await a.close();
    await b.close();
    return found;
  };

  it('a run equals itself, whatever the words, times and temporary names', async () => {
    const found = await compare(
      [user, turn('ls', 'took 3 ms in /tmp/a1 at 2026-01-01T00:00:00Z', 'I look')],
      [user, turn('ls', 'took 9 ms in /tmp/b2 at 2026-02-02T11:11:11Z', 'Let me see')],
    );
    expect(found).toMatchObject({ divergence: null, alike: 1 });
  });

  it.each<[string, unknown[], unknown[], object]>([
    [
      'another call',
      [user, turn('ls', 'a'), turn('cat a', 'x')],
      [user, turn('ls', 'a'), turn('cat b', 'x')],
      { what: 'call', firstStep: 3, secondStep: 3 },
    ],
    ['another answer', [user, turn('ls', 'a')], [user, turn('ls', 'b')], { what: 'result', firstStep: 2 }],
    [
      'one goes on',
      [user, turn('ls', 'a')],
      [user, turn('ls', 'a'), turn('pwd', '/')],
      { what: 'end', firstStep: null, secondStep: 3 },
    ],
    ['one only talks', [user, turn('ls', 'a')], [user, { source: 'agent', message: 'Done.' }], { what: 'call' }],
  ])('%s', async (_, left, right, divergence) => {
    const found = await compare(left, right);
    expect(found.divergence).toMatchObject(divergence);
    expect(found.sentence).toMatch(/^The first \d+ turns are alike\. Then /);
  });

  it('finds results that are recorded in a step of their own', async () => {
    const call = {
      source: 'agent',
      message: '',
      tool_calls: [{ tool_call_id: 'c', function_name: 'exec', arguments: {} }],
    };
    const answer = (content: string) => ({
      source: 'agent',
      message: content,
      observation: { results: [{ content }] },
      extra: { openclaw_role: 'toolResult', tool_call_id: 'c' },
    });
    const found = await compare([call, answer('a')], [call, answer('b')]);
    expect(found.divergence).toMatchObject({ what: 'result', firstStep: 1 });
  });
});
