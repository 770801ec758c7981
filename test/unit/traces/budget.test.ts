import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTraces, digestTrace, openTrace, type TraceReader } from '../../../src/core/traces';
import { atifDocument, importOne, temporaryFolders, writeFiles } from './helpers';

const folder = temporaryFolders();

async function open(steps: unknown[]): Promise<TraceReader> {
  const place = await folder();
  await writeFiles(place, { 't.json': atifDocument({ steps }) });
  return openTrace(await importOne(join(place, 't.json')));
}

function turn(at: number, isError: boolean, args: object = { at }): object {
  return {
    source: 'agent',
    message: `turn ${at} ${'words '.repeat(at % 7)}`,
    tool_calls: [{ tool_call_id: `c${at}`, function_name: 'shell', arguments: args }],
    observation: { results: [{ source_call_id: `c${at}`, content: 'fine', extra: { is_error: isError } }] },
  };
}

describe('the budget of a digest', () => {
  it('holds for any number of steps and errors, and every step is shown or counted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 80 }),
        fc.integer({ min: 600, max: 8_000 }),
        async (errors, budget) => {
          const reader = await open(errors.map((isError, at) => turn(at, isError)));
          const text = await digestTrace(reader, budget);
          await reader.close();
          expect(text.length).toBeLessThanOrEqual(budget);
          const shown = (text.match(/^\d+\. /gm) ?? []).length;
          const left = [...text.matchAll(/\((\d+) steps left out\)/g)].reduce(
            (sum, [, count]) => sum + Number(count),
            0,
          );
          expect(shown + left).toBe(errors.length);
        },
      ),
      { numRuns: 30, examples: [[Array.from({ length: 80 }, (_, at) => at % 2 === 0), 4_500]] },
    );
  });

  it('many warnings leave room for the steps', async () => {
    const reader = await open([turn(0, false), turn(1, true)]);
    reader.run.warnings.push(...Array.from({ length: 40 }, (_, at) => `record ${at} ${'is odd '.repeat(40)}`));
    const text = await digestTrace(reader, 6_000);
    await reader.close();
    expect(text).toMatch(/^1\. agent/m);
    expect(text).toMatch(/^2\. agent \*\*error\*\*/m);
    expect(text).toContain('record 0 ');
    expect(text).toMatch(/warning: 3\d more/);
  });
});

describe('what makes two calls the same', () => {
  const compare = async (left: unknown[], right: unknown[]) => {
    const [a, b] = [await open(left), await open(right)];
    const found = await compareTraces(a, b);
    await a.close();
    await b.close();
    return found;
  };

  it('the order of arguments does not matter, at any depth; the order of a list does', async () => {
    const one = { path: 'a', options: { deep: true, lines: [1, 2] } };
    expect(
      (await compare([turn(0, false, one)], [turn(0, false, { options: { lines: [1, 2], deep: true }, path: 'a' })]))
        .divergence,
    ).toBeNull();
    const other = { path: 'a', options: { deep: true, lines: [2, 1] } };
    expect((await compare([turn(0, false, one)], [turn(0, false, other)])).divergence).toMatchObject({ what: 'call' });
  });

  it('an answer that becomes an error is another answer', async () => {
    const found = await compare([turn(0, false)], [turn(0, true)]);
    expect(found).toMatchObject({ alike: 0, divergence: { what: 'result', firstStep: 1, secondStep: 1 } });
  });

  it('the other way round names the same step with the sides exchanged', async () => {
    const [left, right] = [[turn(0, false), turn(1, false)], [turn(0, false)]];
    const [there, back] = [await compare(left, right), await compare(right, left)];
    expect(there.divergence).toEqual({ what: 'end', firstStep: 2, secondStep: null });
    expect(back.divergence).toEqual({ what: 'end', firstStep: null, secondStep: 2 });
    expect(there.alike).toBe(back.alike);
  });
});
