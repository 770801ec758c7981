import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTrace, RunRelations, relateRun, relationsOfStep } from '../../../../src/core/traces';
import { atifDocument, importOne, temporaryFolders, writeFiles } from '../helpers';

const folder = temporaryFolders();
let made = 0;

async function open(steps: unknown[]) {
  const place = await folder('relations');
  const name = `t${made++}.json`;
  await writeFiles(place, { [name]: atifDocument({ steps }) });
  return openTrace(await importOne(join(place, name)));
}

async function relate(steps: unknown[]) {
  const reader = await open(steps);
  const found = RunRelations.parse(await relateRun(reader));
  await reader.close();
  return (step: number) => found.steps.find((one) => one.step === step) ?? { step };
}

let calls = 0;
function turn(args: unknown, content: string, more: object = {}, name = 'bash') {
  const id = `c${calls++}`;
  return {
    source: 'agent',
    message: '',
    tool_calls: [{ tool_call_id: id, function_name: name, arguments: args }],
    observation: { results: [{ source_call_id: id, content, ...more }] },
  };
}
const failed = { extra: { is_error: true } };
const user = { source: 'user', message: 'Fix parse_duration in the repository.' };

describe('where the value of an argument was first seen', () => {
  it('in the prompt, in an observation, by the model itself, or nowhere', async () => {
    const of = await relate([
      user,
      turn({ command: 'grep -rn parse_duration' }, 'utils/dateparse.py:12: def parse_duration'),
      turn({ command: 'cat utils/dateparse.py' }, 'x'),
      turn({ command: 'cat > reproduce_it.py' }, ''),
      turn({ command: 'run reproduce_it.py' }, ''),
    ]);
    expect(of(2).flow).toEqual([{ call: 0, value: 'parse_duration', origin: 'prompt', step: 1, seen: 1 }]);
    expect(of(3).flow).toEqual([{ call: 0, value: 'utils/dateparse.py', origin: 'observation', step: 2, seen: 1 }]);
    expect(of(4).flow).toMatchObject([{ value: 'reproduce_it.py', origin: 'nowhere', step: null }]);
    expect(of(5).flow).toMatchObject([{ value: 'reproduce_it.py', origin: 'model', step: 4 }]);
  });

  it('a path of which a listing showed the name', async () => {
    const of = await relate([
      user,
      turn({ command: 'ls' }, 'dateparse.py'),
      turn({ path: '/app/utils/dateparse.py' }, ''),
    ]);
    expect(of(3).flow).toMatchObject([{ origin: 'observation', step: 2, nameOnly: true }]);
  });

  it('what stands in most steps does not count', async () => {
    const steps = Array.from({ length: 40 }, (_, at) =>
      turn({ command: `cd /testbed/app && cat file_${at}.py` }, '/testbed/app'),
    );
    const of = await relate([{ source: 'user', message: 'It is in /testbed/app.' }, ...steps]);
    expect(of(2).flow).toMatchObject([{ value: '/testbed/app', origin: 'prompt' }, { value: 'file_0.py' }]);
    expect(of(40).flow?.map(({ value }) => value)).toEqual(['file_38.py']);
  });
});

describe('what repeats and what answers an error', () => {
  it('a repeat, a retry, and an answer to an error are told apart', async () => {
    const of = await relate([
      user,
      turn({ command: 'ls' }, 'a'),
      turn({ command: 'ls' }, 'a'),
      turn({ command: 'python x.py' }, 'no module', failed),
      turn({ command: 'python x.py' }, 'fine'),
      turn({ command: 'python x.py' }, 'fine'),
    ]);
    expect(of(3)).toMatchObject({ repeatOf: 2 });
    expect(of(5)).toMatchObject({ retryOf: 4, causedByError: 4 });
    expect(of(6).repeatOf).toBe(5);
    expect(of(6).causedByError).toBeUndefined();
  });

  it('a like call after a failed one is a retry, another tool is not', async () => {
    const of = await relate([
      user,
      turn({ command: 'python x.py' }, 'no such file', failed),
      turn({ command: 'python src/x.py' }, 'fine'),
      turn({ command: 'ls' }, 'a'),
    ]);
    expect(of(3)).toMatchObject({ retryOf: 2, causedByError: 2 });
    expect(of(4).retryOf).toBeUndefined();
  });
});

describe('context and nesting', () => {
  it('copied steps, truncated results and started sub-agents', async () => {
    const of = await relate([
      { ...user, is_copied_context: true },
      turn({ command: 'cat big' }, 'start [Truncated: 263 characters omitted] end'),
      turn({ prompt: 'look' }, 'seen', {}, 'Task'),
    ]);
    expect(of(1).context).toEqual({ copied: true });
    expect(of(2).context?.truncated?.[0]?.missing).toEqual({ count: 263, unit: 'character' });
    expect(of(3).starts).toMatchObject([{ run: null }]);
  });

  it('inputs that the trace records are compared from call to call', async () => {
    const place = await folder('relations');
    const span = (number: number, messages: string[]) => ({
      traceId: 't',
      spanId: `s${number}`,
      name: 'chat',
      startTimeUnixNano: String(1_700_000_000_000_000_000n + BigInt(number) * 1_000_000_000n),
      endTimeUnixNano: String(1_700_000_000_500_000_000n + BigInt(number) * 1_000_000_000n),
      attributes: [
        { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
        { key: 'gen_ai.request.model', value: { stringValue: 'm' } },
        {
          key: 'gen_ai.input.messages',
          value: {
            stringValue: JSON.stringify(
              messages.map((content) => ({ role: 'user', parts: [{ type: 'text', content }] })),
            ),
          },
        },
        {
          key: 'gen_ai.output.messages',
          value: {
            stringValue: JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: `r${number}` }] }]),
          },
        },
      ],
    });
    const spans = [span(1, ['one']), span(2, ['one', 'two']), span(3, ['summary'])];
    await writeFiles(place, { 'spans.json': { resourceSpans: [{ scopeSpans: [{ spans }] }] } });
    const reader = await openTrace(await importOne(join(place, 'spans.json')));
    const found = await relateRun(reader);
    await reader.close();
    const changes = found.steps.flatMap((step) => step.context?.input ?? []);
    expect(changes).toMatchObject([
      { kept: 1, added: 1, dropped: 0 },
      { kept: 0, added: 1, dropped: 2 },
    ]);
  });

  it('relations of one step are those of the whole run', async () => {
    const reader = await open([user, turn({ command: 'ls' }, 'a'), turn({ command: 'ls' }, 'a')]);
    const whole = await relateRun(reader);
    for (let n = 1; n <= reader.stepCount; n += 1)
      expect(await relationsOfStep(reader, n)).toEqual(whole.steps.find(({ step }) => step === n) ?? { step: n });
    await reader.close();
  });

  it('stops when it is cancelled', async () => {
    const reader = await open([user]);
    const cancel = new AbortController();
    cancel.abort();
    await expect(relateRun(reader, { signal: cancel.signal })).rejects.toMatchObject({ code: 'cancelled' });
    await reader.close();
  });
});
