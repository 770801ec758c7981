import type { Intent, Script } from './script.ts';
import { change, edit, look, read, search, shell, write } from './script.ts';

const notes = [
  ['cairo', 58],
  ['delhi', 36],
  ['lima', 17],
  ['oslo', 41],
  ['quito', 23],
  ['turin', 64],
] as const;

function noteIntents(): Intent[] {
  return notes.flatMap(([name]) => [
    look(`Next note: ${name}.`, read(`notes/${name}.md`)),
    change(`I add the value of ${name}.`, (facts) => shell(`echo "${name}=${facts[name]}" >> totals.txt`)),
  ]);
}

const noteFacts = Object.fromEntries(
  notes.map(([name]) => [name, { pattern: new RegExp(`# ${name}\\s+measured value: (\\d+)`, 'g'), guess: '0' }]),
);

const lines = (...text: string[]): string => text.join('\n');

/** The tasks that the model knows how to do. */
export const scripts: Script[] = [
  {
    title: '# Add clamp',
    intents: [
      look('I look at the module first.', read('math.mjs')),
      change('I add the function at the top.', () =>
        edit(
          'math.mjs',
          'export function add',
          lines(
            'export function clamp(value, low, high) {',
            '  return Math.min(high, Math.max(low, value));',
            '}',
            '',
            'export function add',
          ),
        ),
      ),
    ],
    check: 'node check.mjs',
  },
  {
    title: '# Guard divide',
    intents: [
      look('I look at the function.', read('ratio.mjs')),
      change('I add the guard.', () =>
        edit(
          'ratio.mjs',
          '  return a / b;',
          lines("  if (b === 0) throw new RangeError('the divisor is 0');", '  return a / b;'),
        ),
      ),
    ],
    check: 'node check.mjs',
  },
  {
    title: '# Write the changelog',
    intents: [
      look('I read the commits.', shell('cat commits.txt')),
      change('I write the changelog.', () =>
        write(
          'CHANGELOG.md',
          lines(
            '## Added',
            '',
            '- export as CSV',
            '- dark theme',
            '',
            '## Fixed',
            '',
            '- keep the column order',
            '- empty names',
          ),
        ),
      ),
    ],
    check: 'cat CHANGELOG.md',
  },
  {
    title: '# Convert the settings',
    intents: [
      look('I read the old settings.', read('settings.ini')),
      change('I write them as JSON.', () =>
        write(
          'settings.json',
          JSON.stringify({ server: { port: 9090, tls: true }, cache: { size: 64, shared: false } }, null, 2),
        ),
      ),
    ],
    check: 'cat settings.json',
  },
  {
    title: '# List the environment',
    intents: [
      look('I search for the variables.', search('process.env')),
      change('I write the list.', () => write('.env.example', lines('APP_PORT=', 'LOG_LEVEL=', 'API_TOKEN='))),
    ],
    check: 'cat .env.example',
  },
  {
    title: '# Fix the range',
    intents: [
      look('I look at the loop.', read('range.mjs')),
      change('The comparison has to include the last number.', () => edit('range.mjs', 'n < last', 'n <= last')),
    ],
    check: 'node check.mjs',
  },
  {
    title: '# Change the default port',
    intents: [
      look('I search for the default.', search('PORT')),
      change('I change the default.', () => edit('service.mjs', '?? 8000', '?? 8080')),
    ],
    check: 'cat service.mjs',
  },
  {
    title: '# Repair the import',
    intents: [
      look('I run it to see the error.', shell('node main.mjs; ls lib')),
      change('The file is in lib.', () => edit('main.mjs', "'./text.mjs'", "'./lib/text.mjs'")),
    ],
    check: 'node main.mjs',
  },
  {
    title: '# Fix the leap years',
    intents: [
      look('I look at the rule.', read('calendar.mjs')),
      change(
        'The rule for centuries is missing.',
        () => edit('calendar.mjs', 'year % 4 === 0', '(year % 4 === 0 && year % 100 !== 0) || year % 400 === 0'),
        () => edit('calendar.mjs', 'year % 4 === 0', 'year % 4 === 0 && year % 100 !== 0'),
      ),
    ],
    check: 'node check.mjs',
    carelessness: 0.12,
  },
  {
    title: '# Change the greeting',
    intents: [
      look('I look at the file.', read('greet.mjs')),
      change('I change the word in the code only.', () => edit('greet.mjs', '`Hello,', '`Welcome,')),
    ],
    check: 'cat greet.mjs',
  },
  {
    title: '# Count the errors',
    intents: [change('I count the lines.', () => shell('grep -c ERROR service-log.txt > errors.txt'))],
    check: 'cat errors.txt',
  },
  {
    title: '# Archive the reports',
    intents: [
      look('I see what is there.', shell('ls')),
      change('I move the reports.', () => shell('mkdir -p archive && mv report-*.txt archive/')),
    ],
    check: 'ls archive',
  },
  {
    title: '# Name the largest file',
    intents: [change('I sort the files by size.', () => shell('ls -S data | head -n 1 > largest.txt'))],
    check: 'cat largest.txt',
  },
  {
    title: '# Sort the names',
    intents: [
      change(
        'I sort the names.',
        () => shell('sort -u names.txt > sorted.txt'),
        () => shell('sort names.txt > sorted.txt'),
      ),
    ],
    check: 'test -z "$(uniq -d sorted.txt)" || { echo "some names are there twice"; exit 1; }',
    carelessness: 0.15,
  },
  {
    title: '# Remove temporary files',
    intents: [
      look('I see what is there.', shell('ls -R')),
      change('I delete them.', () => shell("find . -name '*.tmp' -delete")),
    ],
    check: 'ls -R',
  },
  {
    title: '# Find the last deploy',
    intents: [
      look('I read the log.', read('deploys.txt'), shell("grep ' api ' deploys.log | tail -n 1")),
      change('I write down the last build of api.', (facts) => write('build.txt', facts.build ?? '')),
    ],
    facts: { build: { pattern: / api deployed build (\w+)/g, guess: 'unknown' } },
    check: 'cat build.txt',
  },
  {
    title: '# Find the effective timeout',
    intents: [
      look('I read the configuration.', read('service.conf'), search('request.timeout')),
      change('I write down the value.', (facts) => write('timeout.txt', facts.timeout ?? '')),
    ],
    facts: { timeout: { pattern: /request\.timeout = (\d+)/g, guess: '60' } },
    check: 'cat timeout.txt',
  },
  {
    title: '# Add up the orders',
    intents: [
      look('I look at the orders.', shell('cat orders.csv')),
      change(
        'I write the total.',
        () => write('total.txt', '490'),
        () => write('total.txt', '275'),
      ),
    ],
    check: 'sh check.sh',
    carelessness: 0.6,
  },
  {
    title: '# Name the winner',
    intents: [
      look('I look at the scores.', shell('sort -k2 -n -r scores.txt')),
      change(
        'I write the name.',
        () => write('winner.txt', 'Omar'),
        () => write('winner.txt', 'Lea'),
      ),
    ],
    check: 'sh check.sh',
    carelessness: 0.5,
  },
  {
    title: '# Merge the notes',
    intents: noteIntents(),
    facts: noteFacts,
    check: 'cat totals.txt',
  },
];
