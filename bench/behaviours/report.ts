import type { Score } from './score';

type Column = [name: string, value: (score: Score) => number | null];

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const over = (pick: 'first' | 'third' | 'clicked' | 'anywhere') => (score: Score) =>
  score.byBehaviour.size === 0 ? null : mean([...score.byBehaviour.values()].map((value) => value[pick]));
const share = (counts: readonly [number, number][]): number | null => {
  const all = counts.reduce((sum, [, total]) => sum + total, 0);
  return all === 0 ? null : counts.reduce((sum, [part]) => sum + part, 0) / all;
};

const columns: Column[] = [
  ['@1', over('first')],
  ['@3', over('third')],
  ['click', over('clicked')],
  ['anywhere', over('anywhere')],
  ['false', (score) => [...score.falseClaims.values()].reduce((sum, count) => sum + count, 0)],
  ['loop', (score) => score.loop],
  ['order', (score) => score.stepOrder],
  ['steps', (score) => score.stepRecall],
  ['registers', (score) => score.registers],
  ['accesses', (score) => share([...score.registerSites.values()])],
  ['prompts', (score) => score.prompts],
  ['constants', (score) => score.constants],
  ['units', (score) => score.units],
];

const figure = (value: number | null): string =>
  value === null ? '-' : value > 1 ? String(Math.round(value)) : value.toFixed(2);

/** A row a harness, then means over harnesses with 95 % intervals from resampled harnesses. */
export function table(scores: readonly Score[]): string {
  const rows = scores.map((score) => [score.harness, ...columns.map(([, value]) => figure(value(score)))]);
  const totals = columns.map(([, value]) => scores.flatMap((score) => value(score) ?? []));
  rows.push(['mean', ...totals.map((values) => figure(values.length === 0 ? null : mean(values)))]);
  rows.push(['95 %', ...totals.map((values) => (values.length < 2 ? '-' : interval(values)))]);
  return grid(['harness', ...columns.map(([name]) => name)], rows);
}

/** Means over harnesses of one way to find behaviours: the two columns that every way has. */
export function line(name: string, scores: readonly Score[]): string {
  const [first, third, , anywhere] = columns
    .slice(0, 4)
    .map(([, value]) => mean(scores.flatMap((score) => value(score) ?? []))) as [number, number, number, number];
  return `${name}: @1 ${first.toFixed(2)}, @3 ${third.toFixed(2)}, anywhere ${anywhere.toFixed(2)}`;
}

/** Means over harnesses of each behaviour. */
export function behaviourTable(scores: readonly Score[]): string {
  const kinds = [...new Set(scores.flatMap((score) => [...score.byBehaviour.keys()]))].sort();
  const rows = kinds.map((kind) => {
    const values = scores.flatMap((score) => score.byBehaviour.get(kind) ?? []);
    const of = (pick: 'first' | 'third' | 'anywhere'): string => mean(values.map((value) => value[pick])).toFixed(2);
    return [kind, String(values.length), of('first'), of('third'), of('anywhere')];
  });
  return grid(['behaviour', 'harnesses', '@1', '@3', 'anywhere'], rows);
}

/** Register names and accesses by scope, loops besides the first, and false claims. */
export function details(scores: readonly Score[]): string {
  const lines: string[] = [];
  for (const key of ['registerNames', 'registerSites'] as const) {
    const scopes = new Map<string, [number, number][]>();
    for (const score of scores)
      for (const [scope, counts] of score[key]) scopes.set(scope, [...(scopes.get(scope) ?? []), counts]);
    const words = [...scopes].map(([scope, counts]) => {
      const sum = (at: 0 | 1): number => counts.reduce((total, count) => total + count[at], 0);
      return `${scope} ${sum(0)}/${sum(1)}`;
    });
    lines.push(`${key === 'registerNames' ? 'registers' : 'register accesses'} by scope: ${words.join(', ')}`);
  }
  const others = scores.flatMap((score) => (score.otherLoops ? [score.otherLoops] : []));
  lines.push(
    `first loop right ${scores.filter((score) => score.loop === 1).length} of ${scores.filter((score) => score.loop !== null).length}, ` +
      `decoy first ${scores.filter((score) => score.decoyFirst).length}, ` +
      `other loops listed ${others.reduce((sum, [part]) => sum + part, 0)}/${others.reduce((sum, [, all]) => sum + all, 0)}`,
  );
  const claims = scores.flatMap((score) =>
    [...score.falseClaims]
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => `${score.harness} ${kind} x${count}`),
  );
  lines.push(`false claims: ${claims.join(', ') || 'none'}`);
  return lines.join('\n');
}

/** Middle 95 % of the means of 2,000 resamples of harnesses; the same numbers every time. */
function interval(values: readonly number[]): string {
  let state = 20261130;
  const next = (): number => {
    // Linear congruential generator with the constants of Numerical Recipes.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  const means = Array.from({ length: 2000 }, () =>
    mean(values.map(() => values[Math.floor(next() * values.length)] as number)),
  ).sort((a, b) => a - b);
  return `${figure(means[50] as number)}-${figure(means[1949] as number)}`;
}

function grid(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)));
  const cells = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return [head, ...rows].map(cells).join('\n');
}
