import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { connect } from '../../../webview/shared/bridge';
import { FromResultsPage, FromTracePage, ToResultsPage, ToTracePage } from '../../../webview/shared/protocol';
import { SavedState } from '../../../webview/trace/savedState';
import { sampleComparison, sampleHead, sampleRow, sampleView } from './samples';

const filter = { text: 'a', onlyHits: true, kinds: ['agent'], tools: ['bash'], unit: null, errorsOnly: true };

/** What goes through postMessage arrives as a copy, so JSON is a fair stand-in for the channel. */
const throughChannel = (message: unknown): unknown => JSON.parse(JSON.stringify(message));

describe('messages', () => {
  it.each<[string, z.ZodType, unknown[]]>([
    [
      'from the trace page',
      FromTracePage,
      [
        { type: 'ready', run: null },
        { type: 'rows', from: 1, to: 40 },
        { type: 'body', n: 3 },
        { type: 'search', request: 1, filter },
        { type: 'select', n: 2, other: false },
        { type: 'openCode', n: 2, link: 0, focus: true, other: true },
        { type: 'compare', run: null },
        { type: 'otherRows', from: 1, to: 40 },
        { type: 'leaveCompare' },
        { type: 'difference', base: { n: 1, other: false }, n: 3, other: true },
        { type: 'nextError', n: 2, direction: -1 },
        { type: 'chooseRun', run: 'r' },
        { type: 'openSource' },
        { type: 'raw', n: 3 },
        { type: 'openRun', run: 'agent-1' },
        { type: 'image', n: 3, index: 0 },
        { type: 'copy', n: 3, as: 'json' },
      ],
    ],
    [
      'to the trace page',
      ToTracePage,
      [
        { type: 'head', head: sampleHead() },
        { type: 'rows', from: 1, rows: [sampleRow(1)] },
        { type: 'body', n: 1, parts: [{ kind: 'text', title: 't', text: 'x', left: 0 }], images: 1 },
        { type: 'raw', n: 1, raw: { ranges: [{ file: '/a', part: null, offset: 0, length: 9 }], text: '{}', left: 0 } },
        { type: 'image', n: 1, index: 0, image: { type: 'image/png', bytes: 9, data: null } },
        { type: 'outline', at: 0, entries: [{ level: 'turn', from: 1, to: 2, label: 'x', errors: 0 }], tools: [] },
        { type: 'units', units: [{ id: 'u', label: 'Unit', steps: 2 }] },
        { type: 'found', request: 1, from: 1, to: 9, steps: [1], hits: [1], done: true },
        { type: 'said', words: 'Copied.' },
        { type: 'comparison', at: 0, head: sampleComparison(), pairs: [{ left: 1, right: null, state: 'onlyLeft' }] },
        { type: 'otherRows', rows: [sampleRow(1)] },
        { type: 'goTo', n: 1 },
        { type: 'stale' },
        { type: 'grew', stepCount: 120 },
        { type: 'failed', message: 'm', nextStep: null },
      ],
    ],
    [
      'from the results page',
      FromResultsPage,
      [{ type: 'ready', run: 'r' }, { type: 'openTrace', file: '/a' }, { type: 'openJson' }, { type: 'resume' }],
    ],
    [
      'to the results page',
      ToResultsPage,
      [
        { type: 'results', view: sampleView() },
        { type: 'failed', message: 'm', nextStep: 'n' },
      ],
    ],
  ])('%s arrive as they were sent, and not with a field missing', (_name, schema, messages) => {
    for (const message of messages) {
      expect(schema.parse(throughChannel(message))).toEqual(message);
      for (const key of Object.keys(message as object)) {
        const { [key]: _left, ...rest } = message as Record<string, unknown>;
        expect([key, schema.safeParse(rest).success]).toEqual([key, false]);
      }
    }
  });

  it.each([
    { type: 'body', n: 1.5 },
    { type: 'body', n: '1' },
    { type: 'nextError', n: 1, direction: 2 },
    { type: 'search', request: 1, filter: { ...filter, text: 1 } },
    { type: 'deleteEverything' },
    null,
    'ready',
  ])('that are wrong are refused: %j', (message) => {
    expect(FromTracePage.safeParse(message).success).toBe(false);
  });
});

describe('the bridge', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  function editor(state: unknown) {
    const listeners = new Set<(event: { data: unknown }) => void>();
    const posted: unknown[] = [];
    let saved = state;
    vi.stubGlobal('acquireVsCodeApi', () => ({
      postMessage: (message: unknown) => posted.push(message),
      getState: () => saved,
      setState: (next: unknown) => {
        saved = next;
      },
    }));
    vi.stubGlobal('window', {
      addEventListener: (_type: string, listener: (event: { data: unknown }) => void) => listeners.add(listener),
      removeEventListener: (_type: string, listener: (event: { data: unknown }) => void) => listeners.delete(listener),
    });
    const post = (data: unknown) => {
      for (const listener of listeners) listener({ data });
    };
    return { posted, post, listeners };
  }

  const Message = z.object({ n: z.int() });
  const State = z.object({ run: z.string() });

  it('lets only messages of the protocol through, and stops when told', () => {
    const { post, listeners } = editor(undefined);
    const got: unknown[] = [];
    const stop = connect(Message, State).onMessage((message) => got.push(message));
    for (const data of [{ n: 1 }, { n: 'x' }, null, undefined, { type: 'webpackOk' }, { n: 2 }]) post(data);
    expect(got).toEqual([{ n: 1 }, { n: 2 }]);
    stop();
    expect(listeners.size).toBe(0);
  });

  it('gives back what was saved, and nothing when that is of an older version', () => {
    editor(undefined);
    connect(Message, State).save({ run: 'r-1' });
    expect(connect(Message, State).restored).toEqual({ run: 'r-1' });
    for (const old of [{ runId: 'r' }, 'r', 7, undefined]) {
      editor(old);
      expect(connect(Message, State).restored).toBeNull();
    }
  });

  it('restores every state a trace page can save', () => {
    const filters = fc.record({
      text: fc.string(),
      onlyHits: fc.boolean(),
      kinds: fc.array(fc.string()),
      tools: fc.array(fc.string()),
      unit: fc.option(fc.string()),
      errorsOnly: fc.boolean(),
    });
    const states = fc.record({
      run: fc.string(),
      selected: fc.nat(),
      filter: filters,
      open: fc.array(fc.nat()),
      raw: fc.array(fc.nat()),
      outline: fc.boolean(),
      markdown: fc.boolean(),
    });
    fc.assert(
      fc.property(states, (state) => {
        editor(throughChannel(state));
        expect(connect(ToTracePage, SavedState).restored).toEqual(state);
      }),
    );
  });
});
