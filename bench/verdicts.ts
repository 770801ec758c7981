/**
 * How often accept rules are wrong, and how often they see a difference that is there.
 *
 *   npm run bench:verdicts -- --data FILE [--json]
 *
 * The file maps a configuration to `{runs, task_ids, outcomes}`, one outcome string a task with one character a run.
 * False accepts are counted over all ordered pairs of disjoint sets of runs of one configuration, power over all pairs of
 * sets of two configurations with the same tasks. Exit code 1 when the default rule accepts more often than its level, or
 * sees less than the exact McNemar test on task majorities.
 */
import { parseArgs } from 'node:util';
import { statistics } from '../src/core/validation';
import { type DifferentPairs, differentPairs, identicalPairs, type Pair, readMatrices } from './verdicts/matrices';
import { type AcceptRule, majorityRule, ownRule, rules } from './verdicts/rules';

const level = 0.05;
/** Two numbers of runs an arm: what one rerun allows, and what three do. */
const designs = [1, 2, 3];
/** Gaps in points between two configurations. */
const bands: [string, number, number][] = [
  ['under 5 pp', 0, 0.05],
  ['5 to 15 pp', 0.05, 0.15],
  ['over 15 pp', 0.15, 1.01],
];

interface Share {
  hits: number;
  of: number;
}

const share = (rule: AcceptRule, pairs: readonly Pair[]): Share => ({
  hits: pairs.filter((pair) => rule.accepts(pair)).length,
  of: pairs.length,
});
const percent = ({ hits, of }: Share) => (of === 0 ? '-' : `${((100 * hits) / of).toFixed(1)} %`);
const ratio = ({ hits, of }: Share) => (of === 0 ? 0 : hits / of);

function interval({ hits, of }: Share): string {
  if (of === 0) return '-';
  const [low, high] = statistics.clopperPearson(hits, of);
  return `[${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
}

/** Power with every pair of configurations counting alike, whatever the number of its run sets. */
function power(rule: AcceptRule, different: readonly DifferentPairs[]): Share {
  return share(
    rule,
    different.flatMap((each) => each.pairs),
  );
}

const { values } = parseArgs({ options: { data: { type: 'string' }, json: { type: 'boolean' } } });
if (values.data === undefined) throw new Error('Give the matrices of reruns: --data FILE');
const matrices = readMatrices(values.data);
const report = designs.flatMap((repeats) => {
  const identical = identicalPairs(matrices, repeats);
  const different = differentPairs(matrices, repeats);
  return rules.map((rule) => ({
    repeats,
    rule: rule.name,
    falseAccepts: share(rule, identical),
    power: bands.map(([, from, to]) =>
      power(
        rule,
        different.filter(({ gap }) => gap >= from && gap < to),
      ),
    ),
    all: power(rule, different),
  }));
});

if (values.json) console.log(JSON.stringify(report, null, 2));
for (const repeats of values.json ? [] : designs) {
  console.log(`\n${repeats} ${repeats === 1 ? 'run' : 'runs'} an arm\n`);
  console.log(`| rule | accepts of identical reruns | 95 % interval | ${bands.map(([name]) => name).join(' | ')} |`);
  console.log(`|---|---|---|${bands.map(() => '---|').join('')}`);
  for (const row of report.filter((each) => each.repeats === repeats)) {
    const { hits, of } = row.falseAccepts;
    const cells = [
      row.rule,
      of === 0 ? '-' : `${hits} of ${of} = ${percent(row.falseAccepts)}`,
      interval(row.falseAccepts),
    ];
    console.log(`| ${[...cells, ...row.power.map(percent)].join(' | ')} |`);
  }
}

const of = (rule: AcceptRule, repeats: number) =>
  report.find((row) => row.rule === rule.name && row.repeats === repeats);
for (const repeats of designs) {
  const [own, majority] = [of(ownRule, repeats), of(majorityRule, repeats)];
  if (!own || !majority) continue;
  const honest = ratio(own.falseAccepts) <= level;
  const sees = repeats === 1 ? own.all.hits >= majority.all.hits : own.all.hits > majority.all.hits;
  console.log(
    `\n${repeats} an arm: false accepts ${percent(own.falseAccepts)} ${interval(own.falseAccepts)} (level ${100 * level} %); ` +
      `power ${percent(own.all)}, exact McNemar on majorities ${percent(majority.all)}.`,
  );
  if (!honest || (own.all.of > 0 && !sees)) process.exitCode = 1;
}
