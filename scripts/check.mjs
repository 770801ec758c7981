// npm run check: types, lint, layers, dead code, sizes, stable API, clean files, package. One line a check; the last
// line is `N passed, N failed`. Words after it run only the checks of these names.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { continueUnderNode24, ensureBuilt, ensureDependencies } from './bootstrap.mjs';

ensureDependencies();
continueUnderNode24(fileURLToPath(import.meta.url));

let lastLine = '0 passed, 1 failed';
process.on('exit', () => console.log(`\n${lastLine}`));

const names = ['tools', 'sizes', 'stableApi', 'cleanFiles', 'package'];
const asked = process.argv.slice(2);
const chosen = asked.length > 0 ? asked : names;
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`No check is called "${unknown[0]}". There are: ${names.join(', ')}.`);
  process.exit(2);
}
if (chosen.includes('package')) ensureBuilt();

let passed = 0;
let failed = 0;
for (const name of chosen) {
  const { checks } = await import(join(import.meta.dirname, 'checks', `${name}.mjs`));
  for (const { title, find } of checks) {
    // A check that breaks has not passed.
    const problems = await Promise.resolve(find()).catch((error) => ({ problems: [error.message] }));
    const { problems: found, note } = Array.isArray(problems) ? { problems } : problems;
    console.log(`${found.length === 0 ? 'pass' : 'FAIL'}  ${title}${note ? `: ${note}` : ''}`);
    for (const problem of found.slice(0, 40)) console.log(`      ${problem.replaceAll('\n', '\n      ')}`);
    if (found.length > 40) console.log(`      and ${found.length - 40} more`);
    if (found.length === 0) passed += 1;
    else failed += 1;
  }
}
lastLine = `${passed} passed, ${failed} failed`;
process.exitCode = failed === 0 ? 0 : 1;
