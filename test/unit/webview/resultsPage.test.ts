import { h } from 'preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { ResultsPage } from '../../../webview/results/ResultsPage';
import type { FromResultsPage, ResultsView, ToResultsPage } from '../../../webview/shared/resultsProtocol';
import { drawn, installFakeDom } from './fakeDom';
import { FakeBridge, sampleResult, sampleView } from './samples';

type TestBridge = FakeBridge<ToResultsPage, FromResultsPage, { run: string }>;

async function opened(view: ResultsView, restored: { run: string } | null = null) {
  const bridge: TestBridge = new FakeBridge(restored);
  const root = await drawn(h(ResultsPage, { bridge }));
  await bridge.post({ type: 'results', view });
  return { bridge, root };
}

beforeEach(installFakeDom);

describe('the results page', () => {
  it('asks for the run it showed before, and remembers the one it shows', async () => {
    const { bridge } = await opened(sampleView({ run: 'r-2' }), { run: 'r-1' });
    expect(bridge.sent[0]).toEqual({ type: 'ready', run: 'r-1' });
    expect(bridge.saved).toEqual([{ run: 'r-2' }]);
  });

  it('says verdict and regressions before any number', async () => {
    const rows = [sampleResult('down', { regression: true, group: 'flipped down' }), sampleResult('up')];
    const { root } = await opened(sampleView({ sentence: 'Reject. It breaks tasks.', regressions: ['down'], rows }));
    const text = root.textContent;
    const order = ['Reject. It breaks tasks.', 'Regression: down', 'Candidate minus baseline', '2 of 3'];
    const places = order.map((words) => text.indexOf(words));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
    // Colour alone would not say it.
    expect(root.withClass('regression')[0]!.textContent).toContain('flipped down regression');
  });

  it('says the interval in words, with sign and unit', async () => {
    const { root } = await opened(sampleView());
    const [figure] = root.all((element) => element.localName === 'svg');
    expect(figure!.attribute('aria-label')).toBe(
      'Candidate minus baseline: +6.2 pp, 95 % interval -3.1 pp to +15.4 pp.',
    );
  });

  it('draws no interval and no row before there is a trial', async () => {
    const { root } = await opened(sampleView({ difference: null, interval: null, rows: [], verdict: null }));
    expect(root.all((element) => element.localName === 'svg')).toEqual([]);
    expect(root.textContent).toContain('No trial is finished yet.');
  });

  it('keeps trials without a verdict apart from failed ones', async () => {
    const { root } = await opened(
      sampleView({ rows: [sampleResult('a', { candidate: { passed: 1, of: 2, missing: 1 } })] }),
    );
    expect(root.textContent).toContain('1 of 2 (1 no verdict)');
  });

  it('offers to resume only where that is possible, with what is missing', async () => {
    expect((await opened(sampleView())).root.textContent).not.toContain('Resume');
    const { root, bridge } = await opened(sampleView({ canResume: true, done: 4, planned: 6 }));
    await root.saying('Resume, 2 of 6 trials missing').fire('click');
    await root.saying('Open as JSON').fire('click');
    expect(bridge.sent.slice(1)).toEqual([{ type: 'resume' }, { type: 'openJson' }]);
  });

  it('opens the traces and the output that are there, and no others', async () => {
    const rows = [sampleResult('a', { candidateTrace: '/run/a.json', output: '/run/a.txt' })];
    const { root, bridge } = await opened(sampleView({ rows }));
    const links = root.withClass('link');
    expect(links.map((link) => link.textContent)).toEqual(['candidate', 'why no verdict']);
    for (const link of links) await link.fire('click');
    expect(bridge.sent.slice(1)).toEqual([
      { type: 'openTrace', file: '/run/a.json' },
      { type: 'openOutput', file: '/run/a.txt' },
    ]);
  });

  it('keeps the last results when a later read fails, and drops the failure when one works', async () => {
    const { root, bridge } = await opened(sampleView());
    await bridge.post({ type: 'failed', message: 'The run is being written.', nextStep: 'Wait.' });
    expect(root.textContent).toContain('The run is being written. Wait.');
    expect(root.textContent).toContain('Accept.');
    await bridge.post({ type: 'results', view: sampleView() });
    expect(root.textContent).not.toContain('being written');
  });

  it('shows names of tasks as text', async () => {
    const { root } = await opened(sampleView({ rows: [sampleResult('<b>x</b>\u202e')] }));
    expect(root.all((element) => element.localName === 'b')).toEqual([]);
    expect(root.textContent).toContain('<b>x</b><U+202E>');
  });

  it('draws splits, noise floor and margin, and says them in words', async () => {
    const intervals = [
      { label: 'all tasks', difference: 0.05, interval: [-0.01, 0.11] as [number, number] },
      { label: 'split search, 8 tasks', difference: 0.2, interval: [0.1, 0.3] as [number, number] },
    ];
    const { root } = await opened(sampleView({ intervals, noiseFloor: 0.06, margin: 0.05 }));
    expect(root.textContent).toContain('Band: reruns of the unchanged harness, within 6.0 pp.');
    expect(root.textContent).toContain('Dotted: equal, within 5.0 pp.');
    expect(root.textContent).toContain('split search, 8 tasks: +20.0 pp [+10.0 pp, +30.0 pp]');
    expect(root.withClass('range')).toHaveLength(6);
  });

  it('shows one part at a time: tasks, cost, details, history', async () => {
    const dot = { label: 'HEAD', cost: 0.02, score: 0.5, picks: ['light'], onLine: true, current: true };
    const line = {
      run: 'r-0',
      when: '2026-01-01 00:00',
      what: 'p9',
      verdict: 'undecided',
      difference: '',
      parent: null,
      current: false,
    };
    const { root, bridge } = await opened(
      sampleView({
        rows: [sampleResult('a', { unstable: true, evidence: 'p 0.1, q 0.4' })],
        facts: ['retention: 3 of 3'],
        cost: { unit: 'USD', dots: [dot, { ...dot, label: 'p9', cost: 0.3, score: 0.4, picks: [], onLine: false }] },
        history: [line, { ...line, run: 'r-1', current: true }],
      }),
    );
    expect(root.textContent).toContain('unstable');
    expect(root.textContent).toContain('p 0.1, q 0.4');
    expect(root.textContent).not.toContain('retention');
    await root.saying('details').fire('click');
    expect(root.textContent).toContain('retention: 3 of 3');
    await root.saying('cost').fire('click');
    expect(root.textContent).toContain('HEAD (this run)$0.020050.0 %light');
    expect(root.textContent).toContain('dominated');
    await root.saying('history').fire('click');
    await root.saying('compare with this run').fire('click');
    await root.saying('open').fire('click');
    expect(bridge.sent.slice(1)).toEqual([
      { type: 'compareWith', run: 'r-0' },
      { type: 'openRun', run: 'r-0' },
    ]);
  });

  it('says plainly where there is nothing to plot or list', async () => {
    const { root } = await opened(sampleView());
    await root.saying('cost').fire('click');
    expect(root.textContent).toContain('No finished run of this suite states tokens');
    await root.saying('history').fire('click');
    expect(root.textContent).toContain('No other run of this suite.');
  });

  it('offers to overrule, to run more within the planned looks, and to export', async () => {
    const { root, bridge } = await opened(sampleView({ canOverride: true, looksLeft: 2, override: 'it is needed' }));
    expect(root.textContent).toContain('Accepted against the verdict: it is needed');
    await root.saying('Run more of each (2 planned looks left)').fire('click');
    await root.saying('Accept anyway...').fire('click');
    await root.saying('Export...').fire('click');
    expect(bridge.sent.slice(1)).toEqual([{ type: 'runMore' }, { type: 'override' }, { type: 'export' }]);
    const { root: plain } = await opened(sampleView());
    expect(plain.textContent).not.toContain('Accept anyway');
  });
});
