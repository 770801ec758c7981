/**
 * Which gates object to planted patches, and to commits from the history of real harnesses.
 *
 *   npm run bench:gates -- [--show]
 *
 * 40 patches of the example, five made for each of eight gates (`test/support/plantedPatches.ts`), and 20 small commits
 * (`test/fixtures/gates`). Printed: how many of each five their gate labels, what else objects, and labelled commits.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanCases, type GateCase, plantedCases } from '../test/support/gateCases';

function line(gate: string, cases: readonly GateCase[]): string {
  const own = cases.filter((one) => one.gate === gate);
  const labelled = own.filter((one) => one.objecting.includes(gate));
  const others = own.flatMap((one) => one.objecting.filter((id) => id !== gate));
  return `| ${gate} | ${labelled.length} of ${own.length} | ${[...new Set(others)].join(', ') || '-'} |`;
}

const { values } = parseArgs({ options: { show: { type: 'boolean', default: false } } });
const example = resolve('examples/tinker');
const planted = await plantedCases(example);
const clean = await cleanCases(resolve('test/fixtures/gates/clean.json'), example);
console.log('| planted for | labelled by it | other gates that object |\n|---|---|---|');
for (const gate of new Set(planted.map((one) => one.gate!))) console.log(line(gate, planted));
const all = planted.filter((one) => one.objecting.includes(one.gate!)).length;
const wrong = clean.filter((one) => one.objecting.length > 0);
console.log(
  `\n${all} of ${planted.length} planted patches labelled; ${wrong.length} of ${clean.length} real commits labelled.`,
);
for (const one of values.show ? [...planted, ...clean] : wrong) {
  const problems = one.results.flatMap(({ gate, problems: found }) =>
    found.map(({ message, file, line: at }) => `${gate}: ${file ?? ''}${at ? `:${at}` : ''} ${message}`),
  );
  console.log(`  ${one.name}: ${problems.join('; ') || 'nothing'}`);
}
