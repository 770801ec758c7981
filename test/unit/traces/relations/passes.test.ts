import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { relateRun, type Step, type TraceReader } from '../../../../src/core/traces';
import { relateSteps } from '../../../../src/core/traces/relations/relateRun';
import { Repeats } from '../../../../src/core/traces/relations/repeats';
import { call, readerOf, result, step } from '../../links/helpers';

const agent = (n: number, change: Partial<Step> = {}) => step({ n, kind: 'agent', ...change });
const answer = (n: number, text: string, isError = false) => step({ n, results: [result(text, null, isError)] });
const bash = (command: string) => [call('bash', { command })];

async function noted(looked: number[], n: number, raw: string): Promise<string> {
  looked.push(n);
  return raw;
}

async function relate(steps: Step[], reader: TraceReader = readerOf(steps)) {
  const found = await relateRun(reader);
  return (n: number) => found.steps.find((one) => one.step === n) ?? { step: n };
}

describe('where values come from', () => {
  it('is not asked of copied steps, but what they hold is remembered', async () => {
    const of = await relate([
      agent(1, { copied: true, calls: [call('read', { path: 'src/first_one.py' })] }),
      agent(2, { calls: [call('read', { path: 'src/first_one.py' })] }),
    ]);
    expect(of(1)).toEqual({ step: 1, context: { copied: true } });
    expect(of(2).flow).toEqual([{ call: 0, value: 'src/first_one.py', origin: 'model', step: 1, seen: 1 }]);
    expect(of(2).repeatOf).toBeUndefined();
  });

  it('names the call, shows eight at most and those from nowhere last', async () => {
    const known = Array.from({ length: 10 }, (_, at) => `pkg/known_${at}.py`);
    const calls = [call('read', { path: 'pkg/unheard_of.py' }), call('read', { paths: known })];
    const of = await relate([step({ n: 1, kind: 'user', text: known.join(' ') }), agent(2, { calls })]);
    expect(of(2).flow).toHaveLength(8);
    expect(of(2).flow?.every((one) => one.call === 1 && one.origin === 'prompt')).toBe(true);
    const few = await relate([
      step({ n: 1, kind: 'user', text: known[3] ?? '' }),
      agent(2, { calls: [calls[0]!, call('read', { paths: [known[3]] })] }),
    ]);
    expect(few(2).flow?.map(({ call: at, origin }) => [at, origin])).toEqual([
      [1, 'prompt'],
      [0, 'nowhere'],
    ]);
  });

  it('the reasoning of the model is its own, a result inside its step an observation', async () => {
    const of = await relate([
      agent(1, { reasoning: 'I will make check_it.py', calls: bash('ls'), results: [result('other_one.py')] }),
      agent(2, { calls: bash('python check_it.py other_one.py') }),
    ]);
    const origins = Object.fromEntries((of(2).flow ?? []).map(({ value, origin }) => [value, origin]));
    expect(origins).toEqual({ 'check_it.py': 'model', 'other_one.py': 'observation' });
  });
});

describe('repeats and retries', () => {
  it('a failed call made again after seven turns is another attempt, after six a retry', async () => {
    const again = async (turns: number) => {
      const between = Array.from({ length: turns - 1 }, (_, at) => agent(at + 3, { calls: [call('look', { at })] }));
      const n = turns + 2;
      const steps = [agent(1, { calls: bash('make') }), answer(2, 'no', true), ...between];
      return (await relate([...steps, agent(n, { calls: bash('make') })]))(n);
    };
    expect(await again(6)).toMatchObject({ retryOf: 1 });
    expect(await again(7)).toMatchObject({ repeatOf: 1 });
    expect((await again(7)).retryOf).toBeUndefined();
  });

  it('twice the same call in one turn repeats nothing', async () => {
    const of = await relate([agent(1, { calls: [...bash('ls'), ...bash('ls')] })]);
    expect(of(1).repeatOf).toBeUndefined();
  });

  it.each(['format_error', 'exception'])('an answer to %s is caused by it, the next one is not', async (event) => {
    const of = await relate([step({ n: 1, kind: 'event', event }), agent(2), agent(3)]);
    expect([of(2).causedByError, of(3).causedByError]).toEqual([1, undefined]);
  });

  it('an error of one of two calls makes only that one a failed one', async () => {
    const [first, second] = [call('read', { path: 'a' }), call('write', { path: 'b' })];
    const of = await relate([
      agent(1, { calls: [first, second] }),
      step({ n: 2, results: [result('fine', first.id), result('no', second.id, true)] }),
      agent(3, { calls: [first] }),
      agent(4, { calls: [second] }),
    ]);
    expect(of(3)).toMatchObject({ repeatOf: 1, causedByError: 2 });
    expect(of(4)).toMatchObject({ retryOf: 1 });
  });

  it('point back to an earlier step, and never are both for the same call', () => {
    const move = fc.record({ of: fc.constantFrom('agent', 'tool', 'event'), args: fc.nat(2), failed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
        const repeats = new Repeats();
        const seen = new Set<number>();
        for (const [at, { of, args, failed }] of moves.entries()) {
          const n = at + 1;
          const found = repeats.next(
            of === 'agent'
              ? agent(n, { calls: [call('bash', { command: `x${args}` })] })
              : of === 'tool'
                ? answer(n, 'text', failed)
                : step({ n, kind: 'event', event: failed ? 'exception' : 'note' }),
          );
          for (const other of Object.values(found)) expect(other).toBeLessThan(n);
          expect(found.repeatOf !== undefined && found.retryOf !== undefined).toBe(false);
          if (of !== 'agent') expect(found).toEqual({});
          else if (seen.has(args)) expect(found.repeatOf ?? found.retryOf).toBeDefined();
          else expect(found.repeatOf).toBeUndefined();
          if (of === 'agent') seen.add(args);
        }
      }),
    );
  });
});

describe('what the harness did to the context', () => {
  it('each compaction tells the steps since the one before', async () => {
    const compaction = (n: number) => step({ n, kind: 'event', event: 'compaction' });
    const of = await relate([agent(1), agent(2), compaction(3), agent(4), compaction(5), compaction(6)]);
    expect([3, 5, 6].map((n) => of(n).context?.compacted)).toEqual([
      { from: 1, to: 2 },
      { from: 3, to: 4 },
      { from: 5, to: 5 },
    ]);
  });

  it('the records of three answers without an input are looked at, no more', async () => {
    const steps = Array.from({ length: 8 }, (_, at) => agent(at + 1));
    const looked: number[] = [];
    await relate(steps, { ...readerOf(steps), raw: (n) => noted(looked, n, '{"role":"assistant"}') });
    expect(looked).toEqual([1, 2, 3]);
  });

  it('a record of more than eight megabytes is not read for it', async () => {
    const steps = [agent(1), agent(2)];
    const ranges = (n: number) => [{ file: 't', offset: 0, length: n === 1 ? 8 * 1024 * 1024 + 1 : 10 }];
    const looked: number[] = [];
    await relate(steps, { ...readerOf(steps), ranges, raw: (n) => noted(looked, n, '') });
    expect(looked).toEqual([2]);
  });

  it('sub-agents: the run that the trace names, else the calls that delegate', async () => {
    const of = await relate([
      agent(1, { calls: [call('bash'), call('Task')] }),
      agent(2, { calls: [call('delegate_to_coder')], startsRun: 'run-7' }),
      agent(3, { calls: [call('task_list'), call('agents')] }),
      step({ n: 4, kind: 'event', event: 'branch_summary' }),
    ]);
    expect(of(1).starts).toEqual([{ call: 'call-Task', run: null }]);
    expect(of(2).starts).toEqual([{ call: 'call-delegate_to_coder', run: 'run-7' }]);
    expect(of(3).starts).toBeUndefined();
    expect(of(4).branch).toBe(true);
  });
});

describe('one pass', () => {
  it('hands on each step once and in order, and lists only those with something to say', async () => {
    const steps = [agent(1), agent(2, { calls: bash('ls') }), agent(3, { calls: bash('ls') }), agent(4)];
    const handed: number[] = [];
    const found = await relateSteps(readerOf(steps), {}, ({ n }, { step: of }) => handed.push(n, of), 3);
    expect(handed).toEqual([1, 1, 2, 2, 3, 3]);
    expect(found.steps.map(({ step: n }) => n)).toEqual([3]);
    expect(found).toMatchObject({ memberOf: null, flowComplete: true });
  });
});
