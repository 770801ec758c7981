import { h } from 'preact';
import { beforeEach, describe, expect, it } from 'vitest';
import { CostPlot } from '../../../webview/results/CostPlot';
import { Interval } from '../../../webview/results/Interval';
import { signedPoints } from '../../../webview/results/intervalScale';
import type { CostDot, IntervalRow } from '../../../webview/shared/resultsProtocol';
import { drawn, type FakeElement, installFakeDom } from './fakeDom';

beforeEach(installFakeDom);

const named = (root: FakeElement, name: string) => root.all((element) => element.localName === name);
const numberOf = (element: FakeElement, name: string) => Number(element.attribute(name));

describe('the interval', () => {
  const row = (label: string, difference: number, interval: [number, number]): IntervalRow => ({
    label,
    difference,
    interval,
  });
  const draw = (rows: IntervalRow[], noiseFloor: number | null = null, margin: number | null = null) =>
    drawn(h(Interval, { rows, noiseFloor, margin }));

  it('has one axis for all rows, so that their points can be compared', async () => {
    const root = await draw([row('all', 0.1, [0, 0.2]), row('search', 0.1, [-0.4, 0.45])]);
    const [first, second] = root.withClass('point');
    expect(numberOf(first!, 'cx')).toBe(numberOf(second!, 'cx'));
    expect(named(root, 'text').map((text) => text.textContent)).toEqual(['-50', '0', '+50 pp']);
  });

  it('puts the point between the ends of its range, and what is worse left of zero', async () => {
    const root = await draw([row('all', -0.1, [-0.15, -0.05])]);
    const [whole, low, high] = root.withClass('range');
    const point = numberOf(root.withClass('point')[0]!, 'cx');
    expect(numberOf(whole!, 'x1')).toBeLessThan(point);
    expect(numberOf(whole!, 'x2')).toBeGreaterThan(point);
    expect([numberOf(low!, 'x1'), numberOf(high!, 'x1')]).toEqual([numberOf(whole!, 'x1'), numberOf(whole!, 'x2')]);
    expect(numberOf(whole!, 'x2')).toBeLessThan(numberOf(root.withClass('zero')[0]!, 'x1'));
  });

  it('keeps a noise floor that is wider than the axis on it', async () => {
    const root = await draw([row('all', 0.01, [-0.02, 0.03])], 0.9, 0.9);
    const [noise] = root.withClass('noise');
    const [axis] = root.withClass('axis');
    expect(numberOf(noise!, 'x')).toBe(numberOf(axis!, 'x1'));
    expect(numberOf(noise!, 'x') + numberOf(noise!, 'width')).toBe(numberOf(axis!, 'x2'));
    expect(root.textContent).toContain('within 90.0 pp');
  });

  it('says a loss too small to be written as none, without a sign', () => {
    expect([-0.0004, 0.0004, -0.0006, 1, -1].map(signedPoints)).toEqual([
      '0.0 pp',
      '0.0 pp',
      '-0.1 pp',
      '+100.0 pp',
      '-100.0 pp',
    ]);
  });
});

describe('cost against score', () => {
  const dot = (label: string, cost: number, score: number, over: Partial<CostDot> = {}): CostDot => ({
    label,
    cost,
    score,
    picks: [],
    onLine: true,
    current: false,
    ...over,
  });
  const draw = (unit: string, dots: CostDot[]) => drawn(h(CostPlot, { unit, dots }));

  it('draws the line through what nothing dominates, from cheap to dear', async () => {
    const root = await draw('tokens', [
      dot('dear', 9000, 0.9, { picks: ['heavy'] }),
      dot('bad', 5000, 0.1, { onLine: false }),
      dot('cheap', 100, 0.5, { picks: ['light', 'medium'] }),
    ]);
    const points = root.withClass('pareto')[0]!.attribute('points')!.split(' ');
    const xs = points.map((point) => Number(point.split(',')[0]));
    const ys = points.map((point) => Number(point.split(',')[1]));
    expect(points).toHaveLength(2);
    expect([xs[0]! < xs[1]!, ys[0]! > ys[1]!]).toEqual([true, true]);
    expect(root.withClass('hollow')).toHaveLength(1);
    const svg = named(root, 'svg')[0]!;
    expect(svg.attribute('aria-label')).toBe('Cost against score. light and medium: cheap, heavy: dear.');
    const rows = named(root, 'tr').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      'cheap10050.0 %light, medium',
      'bad5,00010.0 %dominated',
      'dear9,00090.0 %heavy',
    ]);
  });

  it('stands a suite that cost nothing, and says small prices with the digits that matter', async () => {
    const free = await draw('USD', [dot('free', 0, 1)]);
    const point = free.withClass('point')[0]!;
    expect([numberOf(point, 'cx'), numberOf(point, 'cy')].every(Number.isFinite)).toBe(true);
    const priced = await draw('USD', [dot('a', 0.0123, 0), dot('b', 12.345, 1)]);
    expect(priced.textContent).toContain('$0.0123');
    expect(priced.textContent).toContain('up to $12.35');
  });
});
