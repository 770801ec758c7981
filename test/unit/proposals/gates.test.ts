import { describe, expect, it } from 'vitest';
import { type Edit, type GateContext, gateContext, type Proposal, runGates } from '../../../src/core/proposals';
import { decision, replace, sampleProposal } from './sampleProposal';

const base: Record<string, string | null> = {
  'prompts/system.md': 'You are an agent.\nUse the tools.\n',
  'src/a.ts': 'const a = 1;\nconst b = 2;\n',
  'new.ts': null,
};

interface Given {
  declares?: Partial<Proposal['declares']>;
  context?: Partial<GateContext>;
}

async function gatesOf(edits: Edit[], { declares, context }: Given = {}) {
  const touched = [...new Set(edits.map((edit) => edit.file))];
  const proposal = sampleProposal([decision('d1', ...edits)], {
    declares: { modify: touched, add: [], remove: [], ...declares },
  });
  const texts = new Map(touched.map((file) => [file, base[file] ?? null]));
  const made = gateContext(proposal, texts, { harness: { root: '/', config: { protected: ['verify/**'] } } });
  const results = await runGates({ ...made, ...context });
  return Object.fromEntries(results.map((result) => [result.gate, result]));
}

async function problemsOf(gate: string, edits: Edit[], given: Given = {}) {
  return (await gatesOf(edits, given))[gate]?.problems.map(({ file, line, message }) => ({ file, line, message }));
}

const edit = replace('src/a.ts', 'const a = 1;', 'const a = 3;');
const appended = (text: string) => [replace('src/a.ts', 'const b = 2;\n', `const b = 2;\n${text}\n`)];

describe('runGates', () => {
  it('passes a plain edit, and leaves out gates that have nothing to check with', async () => {
    const gates = await gatesOf([edit]);
    expect(Object.values(gates).every((gate) => gate.passed && gate.problems.length === 0)).toBe(true);
    expect(Object.keys(gates)).toEqual(['applies', 'scope', 'protected', 'secrets', 'bloat']);
  });

  it('fails a gate that breaks, with the reason', async () => {
    const broken = () => Promise.reject(new Error('no grammar'));
    expect((await gatesOf([edit], { context: { syntaxErrors: broken } })).parses).toEqual({
      gate: 'parses',
      passed: false,
      problems: [{ message: 'the check itself failed: no grammar' }],
    });
  });
});

describe('applies', () => {
  it('finds edits that do not fit', async () => {
    const context = { baseTexts: new Map([['src/a.ts', 'const b = 2;\n']]) };
    expect((await problemsOf('applies', [edit], { context }))![0]).toMatchObject({
      file: 'src/a.ts',
      message: expect.stringMatching(/not in the file/),
    });
    expect((await problemsOf('applies', [edit], { context: { baseTexts: new Map() } }))![0]!.message).toMatch(/exist/);
  });
});

describe('parses', () => {
  const syntaxErrors = async (_: string, text: string) =>
    [...text.matchAll(/@@/g)].map((match) => ({ line: text.slice(0, match.index).split('\n').length, message: '@@' }));

  it('fails on new errors only', async () => {
    const context = { syntaxErrors };
    expect(await problemsOf('parses', [edit], { context })).toEqual([]);
    expect(await problemsOf('parses', appended('@@'), { context })).toEqual([
      { file: 'src/a.ts', line: 3, message: '@@' },
    ]);
    const damagedBefore = {
      syntaxErrors,
      baseTexts: new Map([['src/a.ts', 'const a = 1;\nconst b = 2;\n@@']]),
      proposedTexts: new Map([['src/a.ts', 'const a = 3;\n@@']]),
    };
    expect(await problemsOf('parses', [edit], { context: damagedBefore })).toEqual([]);
  });
});

describe('scope', () => {
  it('compares what is declared with what is touched', async () => {
    expect(await problemsOf('scope', [edit], { declares: { modify: ['src/a.ts#main'] } })).toEqual([]);
    expect(await problemsOf('scope', [edit], { declares: { modify: ['main'] } })).toMatchObject([
      { file: 'src/a.ts', message: 'it is changed but was not declared' },
    ]);
    expect(await problemsOf('scope', [edit], { declares: { modify: ['src/a.ts', 'src/b.ts'] } })).toMatchObject([
      { file: 'src/b.ts', message: 'it was declared but is not changed' },
    ]);
  });
});

describe('protected', () => {
  it('knows the configured files and those of continuous integration', async () => {
    const create = (file: string): Edit => ({ file, action: 'create', oldText: '', newText: 'x\n' });
    expect(await problemsOf('protected', [create('verify/a.sh'), create('.github/workflows/ci.yml')])).toMatchObject([
      { file: 'verify/a.sh' },
      { file: '.github/workflows/ci.yml' },
    ]);
  });
});

describe('secrets', () => {
  const fake = (...parts: string[]) => parts.join('');
  it.each([
    ['AWS', `key = '${fake('AKIA', 'IOSFODNN7EXAMPL3')}'`],
    ['GitHub', fake('ghp', '_', 'a1B2'.repeat(9))],
    ['provider', fake('sk', '-ant-', 'a1B2'.repeat(8))],
    ['private key', fake('-----BEGIN RSA ', 'PRIVATE KEY-----')],
    ['named', `api_key: "${fake('9f8a7b6c', '5d4e3f2a1b0c')}"`],
    ['address', fake('postgres://me:', 'hunter22@db/x')],
  ])('finds a key of kind %s at its line, without repeating it', async (_, line) => {
    const problems = await problemsOf('secrets', appended(line));
    expect(problems).toMatchObject([{ file: 'src/a.ts', line: 3 }]);
    expect(problems![0]!.message).not.toContain(line.slice(8, 20));
  });

  it.each([
    "token = process.env['MODEL_TOKEN_NAME']",
    'api_key: "your-api-key-here-please"',
    'const secret = "aaaaaaaaaaaaaaaaaaaaaaaa1"',
    'const hash = "9f8a7b6c5d4e3f2a1b0c9f8a7b6c5d4e";',
  ])('does not mind %j', async (line) => {
    expect(await problemsOf('secrets', appended(line))).toEqual([]);
  });
});

describe('leakage', () => {
  const instructions = ['Fix the date parser in dates.py so that it accepts ISO week dates like 2024-W05.'];
  const context = { tasks: { names: ['rename-symbol', 'add'], instructions } };

  it('finds task names as whole words, and long runs of words of instructions', async () => {
    expect(await problemsOf('leakage', appended('// for rename-symbol: be careful'), { context })).toEqual([
      { file: 'src/a.ts', line: 3, message: 'it names the task rename-symbol' },
    ]);
    const copied = '// fix the DATE parser in\n// dates.py so that it accepts everything';
    expect((await problemsOf('leakage', appended(copied), { context }))![0]!.message).toMatch(
      /repeats a task instruction/,
    );
  });

  it('does not mind short runs, parts of words, short names, and what was there before', async () => {
    const fine = '// fix the date parser; rename-symbols; add';
    expect(await problemsOf('leakage', appended(fine), { context })).toEqual([]);
    const known = new Map([['src/a.ts', `// rename-symbol\nconst a = 1;\nconst b = 2;\n`]]);
    const again = { ...context, baseTexts: known };
    expect(await problemsOf('leakage', appended('rename-symbol'), { context: again })).toEqual([]);
  });
});

describe('bloat', () => {
  const grown = (size: number) => [replace('prompts/system.md', 'Use the tools.', 'x'.repeat(size))];
  it('lets prompts grow a little and code as it likes', async () => {
    expect(await problemsOf('bloat', grown(500))).toEqual([]);
    expect(await problemsOf('bloat', grown(700))).toMatchObject([
      { file: 'prompts/system.md', message: 'the prompt grows by 686 characters (2079 %)' },
    ]);
    expect(await problemsOf('bloat', appended('// '.repeat(900)))).toEqual([]);
  });
});

describe('premise', () => {
  it('names what the request speaks of and the harness does not have', async () => {
    const premises = [
      { mention: 'retry limit', found: true, value: '3' },
      { mention: 'cache', found: false, value: '' },
      { mention: 'limit from 8', found: false, value: '12', file: 'src/a.ts', line: 2 },
    ];
    const problems = await problemsOf('premise', [edit], { context: { premises } });
    expect(problems).toMatchObject([
      { message: expect.stringContaining('"cache"') },
      { file: 'src/a.ts', line: 2, message: 'the request says "limit from 8", but the source says 12' },
    ]);
  });
});
