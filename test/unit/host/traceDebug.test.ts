import { describe, expect, it } from 'vitest';
import type { Step } from '../../../src/core/traces';
import { type DebugMessage, TraceDebugger } from '../../../src/host/traces/traceDebug';
import { runOf } from './fakes';

const steps: Step[] = [
  { n: 1, kind: 'system', text: 'You are tinker.', calls: [], results: [] },
  {
    n: 2,
    kind: 'agent',
    text: 'I look.',
    reasoning: 'hm',
    calls: [{ id: '1', name: 'shell', args: { command: 'ls', deep: { a: [1, 2] } } }],
    results: [],
    model: 'm-1',
    tokens: { input: 3, output: 4, cached: null, inputIncludesCached: null },
  },
  { n: 3, kind: 'tool', text: '', calls: [], results: [{ callId: '1', text: 'no such file', isError: true }] },
  { n: 4, kind: 'event', event: 'submission', text: 'done', calls: [], results: [] },
];

function session(start = 1) {
  const sent: DebugMessage[] = [];
  const stops: number[] = [];
  const debuggerOf = new TraceDebugger(
    {
      run: runOf(),
      stepCount: steps.length,
      step: async (n) => steps[n - 1]!,
      places: async (n) =>
        n === 2
          ? [
              { path: '/h/src/shell.ts', line: 61, symbol: 'run' },
              { path: '/h/src/model.ts', line: 5, symbol: 'call' },
            ]
          : [],
      stoppedAt: (n) => stops.push(n),
      callers: [{ name: 'started by main', place: null }],
    },
    (message) => sent.push(message),
    start,
  );
  let seq = 0;
  const ask = async (command: string, values: Record<string, unknown> = {}) => {
    const from = sent.length;
    await debuggerOf.handle({ seq: ++seq, type: 'request', command, arguments: values });
    const [response, ...events] = sent.slice(from);
    return {
      body: response!.body as never,
      success: response!.success,
      request: response!.request_seq,
      events: events.map((event) => event.event),
    };
  };
  return { ask, sent, stops };
}

interface Scopes {
  scopes: { name: string; variablesReference: number }[];
}
interface Variables {
  variables: { name: string; value: string; variablesReference: number }[];
}

describe('stepping through a trace', () => {
  it('answers first and then says where it stopped', async () => {
    const { ask, stops } = session(2);
    const start = await ask('initialize');
    expect([start.body, start.events]).toEqual([expect.objectContaining({ supportsStepBack: true }), ['initialized']]);
    expect((await ask('configurationDone')).events).toEqual(['stopped']);
    expect((await ask('next')).events).toEqual(['stopped']);
    await ask('stepBack');
    await ask('stepBack');
    await ask('stepBack');
    expect(stops).toEqual([2, 3, 2, 1, 1]);
    expect((await ask('disconnect')).events).toEqual(['terminated']);
  });

  it('goes on to the next error, back to the one before, and to the ends', async () => {
    const { ask, stops } = session();
    for (const command of ['continue', 'continue', 'reverseContinue', 'reverseContinue']) await ask(command);
    expect(stops).toEqual([3, 4, 3, 1]);
  });

  it('places the step at its harness code, above the runs that started it', async () => {
    const { ask } = session(2);
    const { body } = await ask('stackTrace', { threadId: 1 });
    expect((body as { stackFrames: object[] }).stackFrames).toEqual([
      expect.objectContaining({
        name: '2 agent shell',
        line: 61,
        source: { path: '/h/src/shell.ts', name: 'shell.ts' },
      }),
      expect.objectContaining({ name: 'call', line: 5 }),
      expect.objectContaining({ name: 'started by main', line: 0 }),
    ]);
    const [frame] = ((await session(1).ask('stackTrace')).body as { stackFrames: object[] }).stackFrames;
    expect(frame).toEqual({ id: 1, name: '1 prompt', line: 0, column: 0 });
  });

  it('shows messages, arguments and facts as variables that open', async () => {
    const { ask } = session(2);
    const { scopes } = (await ask('scopes', { frameId: 1 })).body as Scopes;
    expect(scopes.map((scope) => scope.name)).toEqual(['Message', 'Tool calls', 'Step']);
    const of = async (reference: number) =>
      ((await ask('variables', { variablesReference: reference })).body as Variables).variables;
    expect((await of(scopes[0]!.variablesReference)).map((one) => [one.name, one.value])).toEqual([
      ['text', 'I look.'],
      ['reasoning', 'hm'],
    ]);
    const [call] = await of(scopes[1]!.variablesReference);
    expect(call!.value).toContain('command: ls');
    const [command, deep] = await of(call!.variablesReference);
    expect([command!.value, deep!.value]).toEqual(['ls', '{a}']);
    const [list] = await of(deep!.variablesReference);
    expect(list!.value).toBe('list of 2');
    expect((await of(scopes[2]!.variablesReference)).map((one) => one.name)).toEqual([
      'number',
      'kind',
      'model',
      'tokens',
    ]);
    await ask('next');
    // What was handed out before a stop is gone after it.
    expect(await of(scopes[0]!.variablesReference)).toEqual([]);
  });

  it('changes and evaluates nothing, and says so', async () => {
    const { ask } = session();
    for (const command of ['evaluate', 'setVariable']) expect((await ask(command)).success).toBe(false);
    expect((await ask('setBreakpoints', { breakpoints: [{ line: 3 }] })).body).toEqual({
      breakpoints: [{ verified: false }],
    });
    expect((await ask('whatever')).success).toBe(true);
  });

  it('starts inside the trace whatever it is asked', async () => {
    const { ask, stops } = session(99);
    await ask('configurationDone');
    const odd = session(Number.NaN);
    await odd.ask('configurationDone');
    expect([stops, odd.stops]).toEqual([[4], [1]]);
  });
});
