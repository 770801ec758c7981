import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ComparePair } from '../../../webview/shared/compareProtocol';
import { installFakeDom } from './fakeDom';
import { scrolled } from './fakeVirtua';
import { sampleComparison, sampleRow } from './samples';
import { opened } from './tracePageOpened';

vi.mock('virtua', () => import('./fakeVirtua'));

beforeEach(() => {
  installFakeDom();
  scrolled.length = 0;
});

describe('a comparison', () => {
  const pairs: ComparePair[] = [
    { left: 1, right: 1, state: 'same' },
    { left: 2, right: 2, state: 'texts' },
    { left: 3, right: 3, state: 'calls' },
    { left: null, right: 4, state: 'onlyRight' },
  ];
  async function compared() {
    const page = await opened();
    await page.bridge.post({ type: 'comparison', at: 0, head: sampleComparison(), pairs });
    const box = () => page.root.withClass('pairs')[0]!;
    return { ...page, box };
  }

  it('begins where the runs part and says so', async () => {
    const { root, box } = await compared();
    expect(box().attribute('aria-activedescendant')).toBe('pair-2');
    expect(root.withClass('parting')).toHaveLength(1);
    const labels = root.withClass('pair').map((pair) => pair.attribute('aria-label'));
    expect(labels[2]).toBe('step 3 and step 3: other calls, here the runs part');
    expect(labels[3]).toBe('nothing and step 4: only in the run on the right');
  });

  it('asks for the rows of both runs and shows each on its side', async () => {
    const { root, sentOf, bridge } = await compared();
    expect(sentOf('otherRows')).toEqual([{ type: 'otherRows', from: 1, to: 40 }]);
    await bridge.post({ type: 'rows', from: 3, rows: [sampleRow(3, { preview: 'mine' })] });
    await bridge.post({ type: 'otherRows', rows: [sampleRow(3, { preview: 'theirs', isError: true })] });
    const [left, right] = root.withClass('pair')[2]!.withClass('cell');
    expect(left!.textContent).toContain('mine');
    expect(right!.textContent).toContain('theirs');
    expect(right!.textContent).toContain('error');
  });

  it('is walked by keys, with the code of either side, and left by Escape', async () => {
    const { box, sentOf, root } = await compared();
    await box().key('ArrowRight');
    await box().key('Enter');
    await box().key('N');
    await box().key('d');
    await box().key('ArrowLeft');
    await box().key('2');
    await box().key('f');
    expect(sentOf('select').map(({ n, other }) => [n, other])).toEqual([
      [3, true],
      [2, true],
      [2, false],
      [3, false],
    ]);
    expect(sentOf('openCode').map(({ n, link, other }) => [n, link, other])).toEqual([
      [3, 0, true],
      [2, 1, false],
    ]);
    expect(sentOf('difference')).toEqual([{ type: 'difference', base: { n: 2, other: false }, n: 2, other: true }]);
    await box().key('?');
    expect(root.textContent).toContain('leave the comparison');
    await root.withClass('help')[0]!.key('Escape');
    await box().key('Escape');
    expect(sentOf('leaveCompare')).toHaveLength(1);
    expect(root.withClass('pair')).toEqual([]);
    expect(root.withClass('step')).toHaveLength(100);
  });

  it('opens nothing where a run has no step', async () => {
    const { box, sentOf } = await compared();
    await box().key('End');
    await box().key('Enter');
    await box().key('d');
    expect([sentOf('openCode'), sentOf('difference')]).toEqual([[], []]);
  });
});
