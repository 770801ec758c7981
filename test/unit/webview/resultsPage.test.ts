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
});
