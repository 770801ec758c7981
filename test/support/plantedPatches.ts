import type { Edit, Premise } from '../../src/core/proposals';

/** A patch of the example that one gate has to object to. */
export interface PlantedPatch {
  gate: string;
  name: string;
  edits: Edit[];
  /** What the proposer declared; every touched file when absent. */
  declares?: { modify?: string[]; add?: string[]; remove?: string[] };
  title?: string;
  rationale?: string;
  premises?: Premise[];
  traceTexts?: string[];
  /** Texts as they are now, where somebody changed them after the proposal was made. */
  now?: Record<string, string | null>;
}

type Unlabelled = Omit<PlantedPatch, 'gate'>;

const replace = (file: string, oldText: string, newText: string): Edit => ({
  file,
  action: 'replace',
  oldText,
  newText,
});
const create = (file: string, newText: string): Edit => ({ file, action: 'create', oldText: '', newText });

const done = 'When the task is done, use the submit tool.';
const inSystem = (text: string) => [replace('prompts/system.md', done, `${done}\n${text}`)];
const cut = '  return output.slice(0, maxChars);';
const notice = '  return `${output.slice(0, maxChars)} [cut]`;';
const truncation = replace('src/truncation.ts', cut, notice);
const inCode = (line: string) => [replace('src/truncation.ts', cut, `${line}\n${cut}`)];
/** Written in parts, so that no scanner takes this file for a leak. */
const secret = (...parts: string[]) => parts.join('');
const sentence = 'Think about what the user wants and check every single step of your work with great care. ';

const leaks: Unlabelled[] = [
  { name: 'names a task', edits: inSystem('For add-clamp, export the function first.') },
  { name: 'gives an answer', edits: inSystem('The build of the last deploy is d7751a4.') },
  { name: 'names a file of a task', edits: inSystem('Look into deploys.txt from the end.') },
  {
    name: 'repeats an instruction',
    edits: inSystem('Write the value of `request.timeout` that is in force after reading all of the file.'),
  },
  {
    name: 'repeats a trace',
    edits: inCode(
      '  // the agent said that the range leaves out its last element so the loop must run once more to include it',
    ),
    traceTexts: [
      'I see: the range leaves out its last element, so the loop must run once more to include it in the answer.',
    ],
  },
];

const bloat: Unlabelled[] = [
  { name: 'a long system prompt', edits: inSystem(sentence.repeat(10)) },
  { name: 'a long new prompt', edits: [create('prompts/planning.md', `${sentence.repeat(60)}\n`)] },
  {
    name: 'long feedback',
    edits: [replace('prompts/format_error.md', 'Reply again.', `Reply again. ${sentence.repeat(8)}`)],
  },
  {
    name: 'a long description of a tool',
    edits: [
      replace(
        'src/tools/shell.ts',
        "  description: 'Run a command with sh.',",
        `  description: [\n${`    '${sentence.trim()}',\n`.repeat(20)}  ].join(' '),`,
      ),
    ],
  },
  {
    name: 'a long new skill',
    edits: [create('skills/careful/SKILL.md', `# Careful\n\n${sentence.repeat(20)}\n`)],
  },
];

const scope: Unlabelled[] = [
  {
    name: 'another file',
    edits: [truncation, replace('src/limits.ts', '  private turns = 0;', '  private turns = 1;')],
    declares: { modify: ['src/truncation.ts'] },
  },
  { name: 'a file left alone', edits: [truncation], declares: { modify: ['src/truncation.ts', 'src/agent.ts'] } },
  {
    name: 'a constant beside the declared function',
    edits: [
      replace('src/tools/shell.ts', 'const maxCapturedChars = 200_000;', 'const maxCapturedChars = 900_000;'),
      replace('src/tools/shell.ts', '    let timedOut = false;', '    let timedOut = true;'),
    ],
    declares: { modify: ['src/tools/shell.ts#runShell'] },
  },
  {
    name: 'configuration',
    edits: [truncation, replace('config.json', '"turns": 24', '"turns": 48')],
    declares: { modify: ['src/truncation.ts#truncateOutput'] },
  },
  {
    name: 'a new file declared as changed',
    edits: [create('src/notice.ts', "export const notice = '[cut]';\n")],
    declares: { modify: ['src/notice.ts'] },
  },
];

const syntax: Unlabelled[] = [
  { name: 'a brace too few', edits: [replace('src/truncation.ts', `${cut}\n}`, `  if (maxChars > 0) {\n${cut}\n}`)] },
  { name: 'JSON with a comma too few', edits: [replace('config.json', '"turns": 24, ', '"turns": 24 ')] },
  { name: 'Python with a torn call', edits: [create('tools/count.py', 'def count(text:\n    return len(text)\n')] },
  { name: 'YAML with a wrong indent', edits: [create('tools/read.yaml', 'name: read\nargs:\n  - path\n args: x\n')] },
  {
    name: 'Go without an end',
    edits: [create('tools/read.go', 'package tools\n\nfunc Read(path string) string {\n\treturn path\n')],
  },
];

const stale: Unlabelled[] = [
  {
    name: 'the line was changed',
    edits: [truncation],
    now: { 'src/truncation.ts': 'export const truncateOutput = (output: string) => output;\n' },
  },
  { name: 'the file was deleted', edits: [truncation], now: { 'src/truncation.ts': null } },
  {
    name: 'somebody else made the file',
    edits: [create('prompts/planning.md', 'Plan first.\n')],
    now: { 'prompts/planning.md': 'Another plan.\n' },
  },
  {
    name: 'the text stands there twice now',
    edits: [replace('prompts/format_error.md', 'Reply again.', 'Reply with one action block.')],
    now: { 'prompts/format_error.md': 'Reply again.\nReply again.\n' },
  },
  {
    name: 'the constant has another value',
    edits: [replace('src/tools/shell.ts', 'const maxCapturedChars = 200_000;', 'const maxCapturedChars = 100_000;')],
    now: { 'src/tools/shell.ts': 'const maxCapturedChars = 300_000;\n' },
  },
];

const secrets: Unlabelled[] = [
  { name: 'a key of a provider', edits: inCode(`  const key = '${secret('sk', '-proj-', 'a1B2c3D4'.repeat(4))}';`) },
  { name: 'a token of a code host', edits: inSystem(`Use ${secret('ghp', '_', 'a1B2c3D4e5F6'.repeat(3))} to clone.`) },
  {
    name: 'a named secret',
    edits: [replace('config.json', '"retries": 2', `"retries": 2, "api_key": "${secret('9f8a7b6c5d', '4e3f2a1b0c')}"`)],
  },
  { name: 'a password in an address', edits: inCode(`  // postgres:${secret('//me:', 'hunter22@')}db/x`) },
  { name: 'a private key', edits: [create('keys/id', `${secret('-----BEGIN ', 'PRIVATE KEY-----')}\nabc\n`)] },
];

const protectedFiles: Unlabelled[] = [
  {
    name: 'a verifier',
    edits: [replace('tasks/last-deploy/verify.mjs', "'d7751a4'", "text('build.txt').trim()")],
  },
  { name: 'continuous integration', edits: [create('.github/workflows/check.yml', 'on: push\n')] },
  { name: 'a hook of git', edits: [create('.husky/pre-commit', 'true\n')] },
  { name: 'the measurement', edits: [create('measure/bench.ts', 'export {};\n')] },
  { name: 'the records of Harnessmith', edits: [create('.harnessmith/ledger.jsonl', '{}\n')] },
];

const premises: Unlabelled[] = [
  {
    name: 'another value than the request says',
    edits: [replace('config.json', '"turns": 24', '"turns": 30')],
    premises: [{ mention: 'turns from 8', found: false, value: '24', file: 'config.json', line: 3 }],
  },
  {
    name: 'something that is not there',
    edits: [truncation],
    premises: [{ mention: 'result cache', found: false, value: null }],
  },
  {
    name: 'a title with a wrong value before',
    edits: [replace('config.json', '"turns": 24', '"turns": 40')],
    title: 'Raise the turn limit from 30 to 40',
  },
  {
    name: 'a rationale with a wrong value after',
    edits: [replace('config.json', '"turns": 24', '"turns": 30')],
    rationale: 'The limit goes from 24 to 48 turns, which long tasks need.',
  },
  {
    name: 'a constant that has another value',
    edits: [replace('src/tools/shell.ts', 'const maxCapturedChars = 200_000;', 'const maxCapturedChars = 400_000;')],
    rationale: 'Captured output grows from 100,000 to 400,000 characters.',
  },
];

/** Forty patches, five for each of eight gates. */
export const plantedPatches: readonly PlantedPatch[] = Object.entries({
  leakage: leaks,
  bloat,
  scope,
  parses: syntax,
  stale,
  secrets,
  protected: protectedFiles,
  premise: premises,
}).flatMap(([gate, patches]) => patches.map((patch) => ({ gate, ...patch })));
