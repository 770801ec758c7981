import type { Intent, Script } from './script.ts';
import { change, edit, lines, look, read, search, shell, write } from './script.ts';

/** Tasks that need a change of code or a text of several lines. */
const editing: Script[] = [
  {
    title: '# Add clamp',
    intents: [
      look('I look at the module first.', read('math.mjs')),
      change('I add the function at the top.', ({ first }) =>
        edit(
          'math.mjs',
          first,
          lines(
            'export function clamp(value, low, high) {',
            '  return Math.min(high, Math.max(low, value));',
            '}',
            '',
            first,
          ),
        ),
      ),
    ],
    facts: { first: { pattern: /(export function add)/g, guess: 'export const add' } },
    check: 'node check.mjs',
  },
  {
    title: '# Guard divide',
    intents: [
      look('I look at the function.', read('ratio.mjs')),
      change('I add the guard.', ({ body }) =>
        edit('ratio.mjs', body, lines("if (b === 0) throw new RangeError('the divisor is 0');", `  ${body}`)),
      ),
    ],
    facts: { body: { pattern: /(return a \/ b;)/g, guess: 'return x / y;' } },
    check: 'node check.mjs',
  },
  {
    title: '# Write the changelog',
    intents: [
      look('I read the commits.', shell('cat commits.txt')),
      change('I write the changelog.', ({ theme, names }) =>
        write(
          'CHANGELOG.md',
          lines(
            '## Added',
            '',
            '- export as CSV',
            `- ${theme}`,
            '',
            '## Fixed',
            '',
            '- keep the column order',
            `- ${names}`,
          ),
        ),
      ),
    ],
    facts: {
      theme: { pattern: /feat: (.*)/g, guess: 'new theme' },
      names: { pattern: /fix: (.*)/g, guess: 'other errors' },
    },
    check: 'cat CHANGELOG.md',
  },
  {
    title: '# Convert the settings',
    intents: [
      look('I read the old settings.', read('settings.ini')),
      change('I write them as JSON.', ({ port, size }) =>
        write(
          'settings.json',
          JSON.stringify({ server: { port: +port, tls: true }, cache: { size: +size, shared: false } }, null, 2),
        ),
      ),
    ],
    facts: { port: { pattern: /port = (\d+)/g, guess: '8080' }, size: { pattern: /size = (\d+)/g, guess: '100' } },
    check: 'cat settings.json',
  },
  {
    title: '# List the environment',
    intents: [
      look('I search for the variables.', search('process.env')),
      change('I write the list.', ({ last }) => write('.env.example', lines('APP_PORT=', 'LOG_LEVEL=', `${last}=`))),
    ],
    facts: { last: { pattern: /process\.env\.(\w+)/g, guess: 'APP_HOST' } },
    check: 'cat .env.example',
  },
  {
    title: '# Fix the range',
    intents: [
      look('I look at the loop.', read('range.mjs')),
      change('The comparison has to include the last number.', ({ name }) =>
        edit('range.mjs', `${name} < last`, `${name} <= last`),
      ),
    ],
    facts: { name: { pattern: /(\w+) < last/g, guess: 'i' } },
    check: 'node check.mjs',
  },
  {
    title: '# Change the default port',
    intents: [
      look('I search for the default.', search('PORT')),
      change('I change the default.', ({ port }) => edit('service.mjs', `?? ${port}`, '?? 8080')),
    ],
    facts: { port: { pattern: /PORT \?\? (\d+)/g, guess: '3000' } },
    check: 'cat service.mjs',
  },
  {
    title: '# Repair the import',
    intents: [
      look('I run it to see the error.', shell('node main.mjs')),
      change('The file is in lib.', ({ path }) => edit('main.mjs', `'${path}'`, "'./lib/text.mjs'")),
    ],
    facts: { path: { pattern: /Cannot find module '([^']+)'/g, guess: './lib.mjs' } },
    check: 'node main.mjs',
  },
  {
    title: '# Fix the leap years',
    intents: [
      look('I look at the rule.', read('calendar.mjs')),
      change(
        'The rule for centuries is missing.',
        ({ rule }) => edit('calendar.mjs', rule, `(${rule} && year % 100 !== 0) || year % 400 === 0`),
        ({ rule }) => edit('calendar.mjs', rule, `${rule} && year % 100 !== 0`),
      ),
    ],
    facts: { rule: { pattern: /return (year % 4 === 0)/g, guess: 'y % 4 == 0' } },
    check: 'node check.mjs',
    carelessness: 0.15,
  },
  {
    title: '# Change the greeting',
    intents: [
      look('I look at the file.', read('greet.mjs')),
      change('I change the word in the code only.', ({ start }) => edit('greet.mjs', start, '`Welcome, ')),
    ],
    facts: { start: { pattern: /(`Hello, )/g, guess: "'Hello, ' +" } },
    check: 'cat greet.mjs',
  },
];

/** Tasks that a command solves. */
const commands: Script[] = [
  {
    title: '# Count the errors',
    intents: [
      change(
        'I count the lines.',
        () => shell('grep -c ERROR service-log.txt > errors.txt'),
        () => shell('grep -c Error service-log.txt > errors.txt; cat errors.txt'),
      ),
    ],
    check: 'cat errors.txt',
    carelessness: 0.1,
  },
  {
    title: '# Archive the reports',
    intents: [
      look('I see what is there.', shell('ls')),
      change(
        'I move the reports.',
        () => shell('mkdir -p archive && mv report-*.txt archive/'),
        () => shell('mkdir -p archive && mv *.txt archive/'),
      ),
    ],
    check: 'ls archive',
    carelessness: 0.1,
  },
  {
    title: '# Name the largest file',
    intents: [
      change(
        'I sort the files by size.',
        () => shell('ls -S data | head -n 1 > largest.txt'),
        () => shell('ls -Sr data | head -n 1 > largest.txt'),
      ),
    ],
    check: 'cat largest.txt',
    carelessness: 0.1,
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
    carelessness: 0.1,
  },
  {
    title: '# Join the parts',
    intents: [
      change(
        'I join the parts.',
        () => shell('cat part-*.txt > whole.txt'),
        () => shell('cat *.txt > whole.txt'),
      ),
    ],
    check: 'cat whole.txt',
    carelessness: 0.1,
  },
  {
    title: '# Make the folders',
    intents: [
      look('I look at the names.', shell('cat rooms.txt')),
      change('I make the folders.', () => shell('while read -r room; do mkdir -p "rooms/$room"; done < rooms.txt')),
    ],
    check: 'ls rooms',
  },
  {
    title: '# Remove temporary files',
    intents: [
      look('I see what is there.', shell('ls -R')),
      change(
        'I delete them.',
        () => shell("find . -name '*.tmp' -delete"),
        () => shell('rm *.tmp'),
      ),
    ],
    check: 'ls -R',
    carelessness: 0.1,
  },
];

/** Tasks where a value has to be found, worked out, and written down. */
const finding: Script[] = [
  {
    title: '# Find the last deploy',
    intents: [
      look('I read the log.', read('deploys.txt'), shell("grep ' api ' deploys.txt | tail -n 1")),
      change('I write down the last build of api.', ({ build }) => write('build.txt', build)),
    ],
    facts: { build: { pattern: / api deployed build (\w+)/g, guess: 'unknown' } },
    check: 'cat build.txt',
  },
  {
    title: '# Find the effective timeout',
    intents: [
      look('I read the configuration.', read('service.conf'), search('request.timeout')),
      change('I write down the value.', ({ timeout }) => write('timeout.txt', timeout)),
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
        ({ shelves }) => write('total.txt', String(370 + 60 * Number(shelves))),
        () => write('total.txt', '275'),
      ),
    ],
    facts: { shelves: { pattern: /shelf,60,(\d+)/g, guess: '1' } },
    check: 'sh check.sh',
    carelessness: 0.65,
  },
  {
    title: '# Name the winner',
    intents: [
      look('I look at the scores.', shell('sort -k2 -n -r scores.txt')),
      change(
        'I write the name.',
        ({ name }) => write('winner.txt', name),
        () => write('winner.txt', 'Lea'),
      ),
    ],
    facts: { name: { pattern: /(\w+) 88/g, guess: 'Lea' } },
    check: 'sh check.sh',
    carelessness: 0.65,
  },
];

const noteNames = ['cairo', 'delhi', 'lima', 'oslo', 'quito', 'turin'];

/** A long task: its conversation outgrows the context. */
const mergeNotes: Script = {
  title: '# Merge the notes',
  intents: noteNames.flatMap((name): Intent[] => [
    look(`Next note: ${name}.`, read(`notes/${name}.md`)),
    change(`I add the value of ${name}.`, (facts) => shell(`echo "${name}=${facts[name]}" >> totals.txt`)),
  ]),
  facts: Object.fromEntries(
    noteNames.map((name) => [name, { pattern: new RegExp(`# ${name}\\s+measured value: (\\d+)`, 'g'), guess: '0' }]),
  ),
  check: 'cat totals.txt',
};

/** The tasks that the model knows how to do. */
export const scripts: Script[] = [...editing, ...commands, ...finding, mergeNotes];
