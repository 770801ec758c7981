import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/core/diagnosis';
import type { Link } from '../../../src/core/links';
import type { Step, StepSummary, TraceRun } from '../../../src/core/traces';
import { splitRows } from '../../../src/host/traces/messageParts';
import { matchesWords } from '../../../src/host/traces/searchText';
import { bodyParts } from '../../../src/host/traces/stepBody';
import { traceHead } from '../../../src/host/traces/traceHead';
import { linkLabel, traceRow } from '../../../src/host/traces/traceRows';
import { TraceSession } from '../../../src/host/traces/traceSession';
import { count, dollars, duration, outcomeWords, runSeconds, whoSpeaks } from '../../../src/host/traces/words';
import { searchWords } from '../../../webview/shared/markedText';
import type { ToTracePage, TraceRow } from '../../../webview/shared/protocol';
import { noFilter } from '../../../webview/trace/pageState';
import { FakeLog, FakeWork, failed, runOf } from './fakes';

const finding: Finding = {
  id: 'n-1',
  detector: 'format',
  why: 'format_violation',
  run: '/t/a.json',
  task: 'a',
  steps: [17, 19],
  unit: null,
  site: null,
  explanation: 'the reply could not be read',
  confidence: 0.9,
  runFailed: true,
};

const link: Link = {
  step: 4,
  kind: 'literal',
  file: 'src/tools/output.ts',
  symbol: 'truncate',
  start: 33,
  end: 40,
  unit: 'u-1',
  confidence: 0.9,
  reason: 'literal text, 6 of 7 lines',
};

const summary: StepSummary = {
  n: 4,
  kind: 'user',
  preview: 'Could not parse',
  textLength: 900,
  calls: [],
  isError: false,
  tokensOut: null,
};
const step: Step = { n: 4, kind: 'tool', text: 'some Text', calls: [], results: [] };

describe('words', () => {
  it('carry what colours only repeat', () => {
    const base = { reward: null, source: null };
    expect(outcomeWords({ ...base, verdict: 'pass', exception: 'AgentTimeoutError' }).words).toBe(
      'passed, ended by AgentTimeoutError',
    );
    expect(outcomeWords({ ...base, verdict: 'missing', exception: null })).toMatchObject({
      words: 'no verdict',
      tone: 'neutral',
    });
    expect(outcomeWords({ ...base, verdict: 'unknown', exception: null }).words).toBe('no verdict recorded');
  });

  it('have their unit', () => {
    expect([count(1, 'step'), count(12000, 'step'), count(2, 'access', 'accesses')]).toEqual([
      '1 step',
      '12,000 steps',
      '2 accesses',
    ]);
    expect([dollars(0), dollars(0.0004), dollars(0.12)]).toEqual(['$0', '$0.0004', '$0.12']);
    expect([duration(0.44), duration(38.2), duration(250), duration(3900)]).toEqual([
      '0.4 s',
      '38 s',
      '4 min 10 s',
      '1 h 5 min',
    ]);
    expect(runSeconds(runOf({ ended: 'no date' }))).toBeNull();
    expect(runSeconds(runOf({ ended: '2025-01-01T00:00:00Z' }))).toBeNull();
  });

  it('call a later user message the harness', () => {
    expect(whoSpeaks('user', undefined, 2, false)).toBe('task');
    expect(whoSpeaks('user', undefined, 17, false)).toBe('harness');
    expect(whoSpeaks('user', undefined, 17, true)).toBe('result');
    expect(whoSpeaks('event', 'compaction', 5, false)).toBe('compaction');
  });
});

describe('the head of the page', () => {
  const input = {
    run: failed(),
    stepCount: 31,
    findings: [finding],
    lastError: 29,
    linksMissing: null,
    runs: [failed()],
  };

  it('opens a failed run at its first finding, else at its last error', () => {
    expect(traceHead(input)).toMatchObject({ startAt: 17, title: 'fix-date-parser - run 1' });
    expect(traceHead({ ...input, findings: [] })).toMatchObject({ startAt: 29 });
    expect(traceHead({ ...input, findings: [], lastError: null })).toMatchObject({ startAt: 1, startReason: null });
  });

  it('opens a passed run at its start', () => {
    expect(traceHead({ ...input, run: runOf() })).toMatchObject({ startAt: 1, startReason: null });
  });

  it('states figures with their unit', () => {
    expect(traceHead(input).facts).toEqual([
      '31 steps',
      '24 turns',
      '20 tool calls',
      '2 tool errors',
      '4 no-action turns',
      '3,912 tokens in',
      '210 tokens out',
      '$0.12',
      '38 s',
      'm-1',
    ]);
  });
});

describe('rows', () => {
  it('show at most three links, best first, with their evidence', () => {
    const row = traceRow(summary, [link, link, link, link], [{ ...finding, steps: [4] }], () => 'Truncation');
    expect(row.links).toHaveLength(3);
    expect(row.links[0]).toMatchObject({
      label: 'output.ts:33 truncate',
      unit: 'Truncation',
      reason: 'literal text, 6 of 7 lines',
    });
    expect(row.findings).toEqual(['format violation: the reply could not be read']);
    expect(row.who).toBe('harness');
  });

  it('name the folder where the file name says nothing', () => {
    expect(linkLabel({ ...link, file: 'src/agent/index.ts', symbol: '' })).toBe('agent/index.ts:33');
  });

  it('cut long texts and say how much is missing', () => {
    const long = 'x'.repeat(70_000);
    const parts = bodyParts({
      ...step,
      text: long,
      results: Array.from({ length: 5 }, () => ({ callId: null, text: long, isError: true })),
    });
    expect(parts[0]).toMatchObject({ title: 'text', left: 10_000 });
    expect(parts.reduce((sum, part) => sum + part.text.length, 0)).toBeLessThanOrEqual(200_000);
    expect(parts.reduce((sum, part) => sum + part.text.length + part.left, 0)).toBe(6 * 70_000);
    expect(bodyParts({ ...step, text: '' })).toEqual([{ kind: 'text', title: 'text', text: '(empty)', left: 0 }]);
  });

  it('show arguments as people read them', () => {
    const call = { id: '1', name: 'write', args: { path: 'a.txt', content: 'one\ntwo', n: 3 } };
    expect(bodyParts({ ...step, text: '', calls: [call] })[0]).toMatchObject({
      title: 'call write',
      text: 'path: a.txt\ncontent:\none\ntwo\nn: 3',
    });
    expect(bodyParts({ ...step, text: '', calls: [{ id: '1', name: 'sh', args: 'ls' }] })[0]!.text).toBe('ls');
  });

  it('are found by every word in any case, wherever it stands', () => {
    const whole = { ...step, calls: [{ id: '1', name: 'shell', args: { command: 'pytest' } }] };
    expect(matchesWords(whole, searchWords('PYTEST text'))).toBe(true);
    expect(matchesWords(whole, searchWords('pytest absent'))).toBe(false);
    expect(matchesWords(whole, searchWords('  '))).toBe(true);
  });

  it('are split into messages below the limit without losing one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 60 }), (sizes) => {
        const rows = sizes.map(
          (size, index): TraceRow => ({
            ...traceRow({ ...summary, n: index + 1 }, [], [], () => null),
            preview: 'p'.repeat(size),
          }),
        );
        const parts = splitRows(rows, 3000);
        expect(parts.flat()).toEqual(rows);
        for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(3000);
      }),
    );
  });
});

describe('a session of the page', () => {
  const runs = [failed({ id: '/t/a.json' })];
  const place = { file: 'src/parser.ts', start: 24, end: 37, symbol: 'parseReply', reason: 'literal' };

  function session(over: { root?: string | null; shown?: boolean; known?: TraceRun[]; choice?: TraceRun } = {}) {
    const posted: ToTracePage[] = [];
    const shown: unknown[] = [];
    const copied: string[] = [];
    const log = new FakeLog();
    const work = new FakeWork({
      readTraceFile: () => ({ runs, unknown: [] }),
      openRun: () => ({ stepCount: 31 }),
      closeRun: () => null,
      runFindings: () => [finding],
      findSteps: ({ from, to }) => ({ steps: [from], hits: [to] }),
      outline: () => ({ entries: [], tools: [{ id: 'bash', label: 'bash', steps: 4 }], errors: [9, 29] }),
      relate: () => null,
      runUnits: () => [{ id: 'u-1', label: 'Truncation', steps: 2 }],
      stepRaw: () => ({ ranges: [], text: '{}', left: 0 }),
      stepImage: ({ index }) => (index === 0 ? { type: 'image/png', bytes: 9, data: null } : null),
      stepText: ({ run, step: n, as }) => `${run} ${n} as ${as}`,
      promptBefore: ({ step: n }) => (n > 2 ? n - 2 : null),
      alignRuns: () => ({
        sentence: 'Then other calls are made.',
        divergence: { left: 3, right: 3 },
        pairs: [{ left: 1, right: 1, state: 'same' }],
      }),
      rows: ({ from, to }) => [
        traceRow({ ...summary, n: from }, [], [], () => null),
        traceRow({ ...summary, n: to }, [], [], () => null),
      ],
      stepBody: () => ({ parts: [{ kind: 'text', title: 'text', text: 'all', left: 0 }], images: 0 }),
      stepLinks: ({ step: n }) => (n === 5 ? [] : [place]),
    });
    const page = new TraceSession('/t/a.json', {
      work,
      log,
      harnessRoot: () => (over.root === undefined ? '/h' : over.root),
      knownRuns: () => over.known ?? runs,
      post: (message) => void posted.push(message),
      showCode: async (root, where, focus) => {
        shown.push([root, where.file, focus]);
        return true;
      },
      codeIsShown: () => over.shown ?? false,
      openSource: async (file) => void shown.push(file),
      copy: async (text) => void copied.push(text),
      openRun: async (run) => void shown.push(`run ${run}`),
      clearCode: () => void shown.push('cleared'),
      chooseRun: async () => over.choice ?? null,
      showDifference: (before, after) => void shown.push([before, after]),
      linkTo: (run, n) => `vscode://x/trace?run=${run}&step=${n}`,
    });
    return { page, posted, shown, copied, work, log };
  }

  it('answers ready with the head, then rows, bodies and searches', async () => {
    const { page, posted } = session();
    await page.receive({ type: 'ready', run: null });
    await page.receive({ type: 'rows', from: 1, to: 40 });
    await page.receive({ type: 'body', n: 4 });
    await page.receive({ type: 'search', request: 3, filter: { ...noFilter, text: 'x' } });
    expect(posted.map((message) => message.type)).toEqual(['head', 'outline', 'units', 'rows', 'body', 'found']);
    expect(posted[5]).toMatchObject({ request: 3, from: 1, to: 31, steps: [1], hits: [31], done: true });
  });

  it('answers with records, images that are there, and copies', async () => {
    const { page, posted, copied } = session();
    await page.receive({ type: 'ready', run: null });
    posted.length = 0;
    await page.receive({ type: 'raw', n: 4 });
    await page.receive({ type: 'image', n: 4, index: 0 });
    await page.receive({ type: 'image', n: 4, index: 1 });
    for (const as of ['markdown', 'json', 'link'] as const) await page.receive({ type: 'copy', n: 4, as });
    expect(posted.map((message) => message.type)).toEqual(['raw', 'image', 'said', 'said', 'said']);
    expect(copied).toEqual(['/t/a.json 4 as markdown', '/t/a.json 4 as json', 'vscode://x/trace?run=/t/a.json&step=4']);
    expect(posted.at(-1)).toEqual({ type: 'said', words: 'Step 4 was copied as a link.' });
  });

  it('searches a long run in windows, and a new search ends the one before', async () => {
    const { page, posted, work } = session();
    work.answer('openRun', () => ({ stepCount: 1200 }));
    await page.receive({ type: 'ready', run: null });
    posted.length = 0;
    const windows: number[] = [];
    let second: Promise<void> = Promise.resolve();
    work.answer('findSteps', async ({ from, filter }) => {
      windows.push(from);
      if (filter.text === 'old' && from > 1) second = page.receive({ type: 'search', request: 2, filter: noFilter });
      return { steps: [from], hits: [] };
    });
    await page.receive({ type: 'search', request: 1, filter: { ...noFilter, text: 'old' } });
    await second;
    expect(windows).toEqual([1, 501, 1, 501, 1001]);
    const found = posted.filter((message) => message.type === 'found');
    expect(found.map((message) => [message.request, message.to, message.done])).toEqual([
      [1, 500, false],
      [2, 500, false],
      [2, 1000, false],
      [2, 1200, true],
    ]);
  });

  it('goes to the step somebody asked for before the page was there', async () => {
    const { page, posted } = session();
    await page.goTo('/t/a.json', 12);
    expect(posted).toEqual([]);
    await page.receive({ type: 'ready', run: null });
    expect(posted.at(-1)).toEqual({ type: 'goTo', n: 12 });
    await page.goTo('/t/a.json', 13);
    expect(posted.at(-1)).toEqual({ type: 'goTo', n: 13 });
  });

  it('opens code where it is asked to and follows only while code is shown', async () => {
    const closed = session();
    await closed.page.receive({ type: 'ready', run: null });
    await closed.page.receive({ type: 'select', n: 4, other: false });
    expect(closed.shown).toEqual([]);
    await closed.page.receive({ type: 'openCode', n: 4, link: 0, focus: true, other: false });
    expect(closed.shown).toEqual([['/h', 'src/parser.ts', true]]);
    const open = session({ shown: true });
    await open.page.receive({ type: 'ready', run: null });
    await open.page.receive({ type: 'select', n: 4, other: false });
    await open.page.receive({ type: 'select', n: 5, other: false });
    // Step 5 leads nowhere, so nothing stays marked.
    expect(open.shown).toEqual([['/h', 'src/parser.ts', false], 'cleared']);
  });

  it('lays another run beside, moves its code, and shows how texts differ', async () => {
    const other = runOf({ id: '/t/b.json', file: '/t/b.json', trial: 'run 2' });
    const { page, posted, shown, work } = session({ choice: other, shown: true });
    await page.receive({ type: 'ready', run: null });
    posted.length = 0;
    await page.receive({ type: 'compare', run: null });
    expect(posted).toEqual([
      {
        type: 'comparison',
        at: 0,
        head: expect.objectContaining({ leftTitle: 'run 1, failed', rightTitle: 'run 2, passed', rightSteps: 31 }),
        pairs: [{ left: 1, right: 1, state: 'same' }],
      },
    ]);
    const asked: string[] = [];
    work.answer('stepLinks', ({ run }) => {
      asked.push(run);
      return [place];
    });
    await page.receive({ type: 'select', n: 3, other: true });
    await page.receive({ type: 'select', n: 3, other: false });
    expect(asked).toEqual(['/t/b.json', '/t/a.json']);
    await page.receive({ type: 'otherRows', from: 1, to: 2 });
    expect(posted.at(-1)!.type).toBe('otherRows');
    await page.receive({ type: 'difference', base: { n: 3, other: false }, n: 3, other: true });
    await page.receive({ type: 'difference', base: null, n: 7, other: false });
    expect(shown.slice(-2)).toEqual([
      [
        { title: 'run 1 step 3', text: '/t/a.json 3 as text' },
        { title: 'run 2 step 3', text: '/t/b.json 3 as text' },
      ],
      [
        { title: 'run 1 step 5', text: '/t/a.json 5 as text' },
        { title: 'run 1 step 7', text: '/t/a.json 7 as text' },
      ],
    ]);
    await page.receive({ type: 'difference', base: null, n: 1, other: false });
    expect(posted.at(-1)).toMatchObject({ type: 'said', words: expect.stringContaining('No earlier step') });
    await page.receive({ type: 'leaveCompare' });
    await page.receive({ type: 'select', n: 3, other: true });
    expect(asked.at(-1)).toBe('/t/a.json');
  });

  it('opens the run that a step started, whatever the trace calls it', async () => {
    const started = runOf({ id: '/t/agent-7.jsonl', file: '/t/agent-7.jsonl', sessionId: 's-7' });
    const { page, shown, posted } = session({ known: [...runs, started] });
    await page.receive({ type: 'ready', run: null });
    for (const run of ['agent-7', 's-7', 'agent-8']) await page.receive({ type: 'openRun', run });
    expect(shown).toEqual(['run /t/agent-7.jsonl', 'run /t/agent-7.jsonl']);
    expect(posted.at(-1)).toMatchObject({ type: 'said', words: expect.stringContaining('agent-8 is not in the list') });
  });

  it('compares nothing when no run was chosen, and a known one without asking', async () => {
    const other = runOf({ id: '/t/b.json', file: '/t/b.json' });
    const none = session();
    await none.page.receive({ type: 'ready', run: null });
    await none.page.receive({ type: 'compare', run: null });
    expect(none.work.calls).not.toContain('alignRuns');
    const known = session({ known: [...runs, other] });
    await known.page.compare('/t/a.json', '/t/b.json');
    expect(known.posted).toEqual([]);
    await known.page.receive({ type: 'ready', run: null });
    expect(known.posted.at(-1)).toMatchObject({ type: 'comparison', head: { run: '/t/b.json' } });
  });

  it('takes in what was added while the page is seen, and what waits once it is quiet', async () => {
    const { page, posted, work, log } = session();
    const settles: boolean[] = [];
    let state: 'same' | 'grew' = 'same';
    work.answer('growRun', ({ settle }) => {
      settles.push(settle);
      return { state, stepCount: 500 };
    });
    await page.look();
    expect(settles).toEqual([]);
    await page.receive({ type: 'ready', run: null });
    posted.length = 0;
    await page.look();
    expect(posted).toEqual([]);
    state = 'grew';
    await page.look();
    // A long run gets its outline and links when it is quiet.
    expect(posted).toEqual([{ type: 'grew', stepCount: 500 }]);
    state = 'same';
    for (let look = 0; look < 4; look++) await page.look();
    state = 'grew';
    await page.look();
    expect(settles).toEqual([false, false, false, false, false, false, true]);
    expect(posted.map((message) => message.type)).toEqual(expect.arrayContaining(['grew', 'outline', 'stale']));
    work.answer('growRun', () => Promise.reject(new Error('half a file')));
    await page.look();
    expect(log.lines.filter((line) => line.includes('half a file'))).toHaveLength(1);
  });

  it('goes to the next error or finding in both directions', async () => {
    const { page, posted } = session();
    await page.receive({ type: 'ready', run: null });
    const next = async (n: number, direction: 1 | -1) => {
      await page.receive({ type: 'nextError', n, direction });
      return posted.at(-1);
    };
    expect(await next(10, 1)).toEqual({ type: 'goTo', n: 17 });
    expect(await next(17, -1)).toEqual({ type: 'goTo', n: 9 });
    const before = posted.length;
    await next(29, 1);
    expect(posted).toHaveLength(before);
  });

  it('shows a long trace at once and tells the page when links are there', async () => {
    const { page, posted, work } = session();
    let release: (value: Finding[]) => void = () => {};
    work.answer('openRun', () => ({ stepCount: 12_000 }));
    work.answer('runFindings', () => new Promise((resolve) => (release = resolve)));
    const opening = page.receive({ type: 'ready', run: null });
    while (posted.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(posted[0]).toMatchObject({ type: 'head', head: { stepCount: 12_000, startAt: 1, findings: [] } });
    // What goes through the whole run waits until the page has its first rows.
    expect(work.calls).not.toContain('runFindings');
    await page.receive({ type: 'rows', from: 1, to: 40 });
    while (!work.calls.includes('runFindings')) await new Promise((resolve) => setTimeout(resolve, 1));
    release([finding, { ...finding, id: 'n-2', steps: [40] }]);
    await opening;
    expect(posted.map((message) => message.type)).toEqual([
      'head',
      'rows',
      'head',
      'outline',
      'units',
      'stale',
      'stale',
    ]);
    expect(posted[2]).toMatchObject({ head: { startAt: 17, findings: [{ steps: [17, 19, 40] }] } });
  });

  it('says why no step has links when no harness is there', async () => {
    const { page, posted } = session({ root: null });
    await page.receive({ type: 'ready', run: null });
    expect(posted[0]).toMatchObject({ type: 'head', head: { linksMissing: expect.stringContaining('No harness') } });
  });

  it('shows failures in the page and keeps strange messages out', async () => {
    const { page, posted, log } = session();
    await page.receive({ type: 'ready', run: null });
    await page.receive({ type: 'chooseRun', run: '/t/none' });
    await page.receive({ type: 'evil', command: 'rm' });
    expect(posted.map((message) => message.type)).toEqual(['head', 'outline', 'units']);
    expect(log.lines.filter((line) => line.startsWith('error'))).toHaveLength(1);
  });
});
