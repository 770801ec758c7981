/**
 * Whether the place of a planted flaw is among the first three flaw records.
 *
 *   npm run bench:flaws -- [--show]
 *
 * Twelve flaws in three small harnesses in three languages, one at a time, over runs recorded with it (`test/fixtures/flawed`);
 * and the four of the example, all at once. The first three records are what counts; a place is a definition.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exampleFlaws, plantedFlaws } from '../test/support/flawCases';

const { values } = parseArgs({ options: { show: { type: 'boolean', default: false } } });
const cases = [
  ...(await plantedFlaws(resolve('test/fixtures/flawed'))),
  ...(await exampleFlaws(resolve('examples/tinker'))),
];
for (const { name, where, rank, scopeRank, flaws } of cases) {
  console.log(`own place ${rank ?? 'none'}, scope ${scopeRank ?? 'none'}  ${name}  ${where}`);
  if (!values.show && rank !== null && rank <= 3) continue;
  for (const flaw of flaws.slice(0, 5)) {
    const { failingRuns, passingRuns } = flaw;
    console.log(
      `    ${flaw.why} ${flaw.site?.file}#${flaw.site?.symbol} ${flaw.placeEvidence} ${failingRuns} failing, ${passingRuns} passing`,
    );
  }
}
const found = (of: (one: (typeof cases)[number]) => number | null) => cases.filter((one) => (of(one) ?? 4) <= 3).length;
const share = (count: number) => `${count} of ${cases.length} (${Math.round((100 * count) / cases.length)} %)`;
console.log(`in the first three: as the place of a record ${share(found(({ rank }) => rank))}`);
console.log(
  `in the first three: as the place or in the scope of its repair ${share(found(({ scopeRank }) => scopeRank))}`,
);
