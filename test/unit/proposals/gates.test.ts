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
    expect(await problemsOf('scope', [edit], { declares: { modify: ['src/a.ts#a'] } })).toEqual([]);
    expect(await problemsOf('scope', [edit], { declares: { modify: ['src/a.ts#main'] } })).toMatchObject([
      { file: 'src/a.ts', line: 1, message: 'hunk 1 changes a, but only main was declared' },
    ]);
    expect(await problemsOf('scope', [edit], { declares: { modify: ['main'] } })).toMatchObject([
      { file: 'src/a.ts', message: 'the file is changed but was not declared' },
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

describe('scope of definitions and of files that come or go', () => {
  const code =
    'const limit = 3;\n\nexport function run() {\n  return limit;\n}\n\nexport function stop() {\n  return 0;\n}\n';
  const context = { baseTexts: new Map([['src/run.ts', code]]) };
  const check = (edits: Edit[], modify: string[]) => {
    const proposal = sampleProposal([decision('d1', ...edits)], { declares: { modify, add: [], remove: [] } });
    const made = gateContext(proposal, context.baseTexts, { harness: { root: '/', config: { protected: [] } } });
    return runGates(made).then((results) => results.find(({ gate }) => gate === 'scope')!.problems);
  };

  it('holds to the declared definitions, constants included', async () => {
    const inRun = replace('src/run.ts', '  return limit;', '  return limit + 1;');
    const constant = replace('src/run.ts', 'const limit = 3;', 'const limit = 5;');
    expect(await check([inRun], ['src/run.ts#run'])).toEqual([]);
    expect(await check([inRun], ['src/run.ts'])).toEqual([]);
    expect(await check([inRun, constant], ['src/run.ts#run', 'src/run.ts#limit'])).toEqual([]);
    expect(await check([inRun, constant], ['src/run.ts#run'])).toMatchObject([{ line: 1 }]);
    expect(await check([inRun], ['src/run.ts#stop'])).toMatchObject([
      { message: 'hunk 1 changes run, but only stop was declared' },
    ]);
  });

  it('lets a declared new definition stand anywhere', async () => {
    const added = replace(
      'src/run.ts',
      '}\n\nexport function stop',
      '}\n\nfunction twice() {\n  return 2;\n}\n\nexport function stop',
    );
    expect(await check([added], ['src/run.ts#twice'])).toEqual([]);
  });

  it('wants a deleted file to be declared as removed', async () => {
    const gone: Edit = { file: 'src/run.ts', action: 'delete', oldText: code, newText: '' };
    expect(await check([gone], ['src/run.ts'])).toMatchObject([{ message: expect.stringContaining('as removed') }]);
  });
});

describe('stale', () => {
  const now = (text: string | null) => ({ context: { currentTexts: new Map([['src/a.ts', text]]) } });
  it('objects only where the text of an edit is gone', async () => {
    expect(await problemsOf('stale', [edit], now('const a = 1;\nconst b = 7;\n'))).toEqual([]);
    expect(await problemsOf('stale', [edit], now('const a = 9;\n'))).toMatchObject([{ file: 'src/a.ts' }]);
    expect((await problemsOf('stale', [edit], now(null)))![0]!.message).toMatch(/deleted/);
    expect(await problemsOf('stale', [edit])).toBeUndefined();
  });
});

describe('what harness.json says of gates', () => {
  const settings = { off: [], allow: [], promptGrowth: { characters: 600, share: 0.25, most: 4000 }, wordsInARow: 8 };
  it('lists a gate that is off with the reason, and never as a pass that was checked', async () => {
    const off = { ...settings, off: [{ gate: 'scope' as const, reason: 'declared elsewhere' }] };
    expect((await gatesOf([edit], { context: { settings: off } })).scope).toEqual({
      gate: 'scope',
      passed: true,
      problems: [],
      off: 'declared elsewhere',
    });
  });

  it('excuses problems of named files, with the reason beside them', async () => {
    const allow = [{ gate: 'protected' as const, files: ['.github/**'], reason: 'the team owns it' }];
    const ci: Edit = { file: '.github/workflows/a.yml', action: 'create', oldText: '', newText: 'on: push\n' };
    const hook: Edit = { file: '.husky/pre-commit', action: 'create', oldText: '', newText: 'true\n' };
    const { protected: result } = await gatesOf([ci, hook], { context: { settings: { ...settings, allow } } });
    expect(result).toMatchObject({ passed: false, problems: [{ file: '.husky/pre-commit' }] });
    expect(result!.excused).toMatchObject([{ file: ci.file, reason: 'the team owns it' }]);
  });

  it('sets how much prompts may grow and how many words are a copy', async () => {
    const strict = { ...settings, promptGrowth: { characters: 10, share: 0, most: 20 } };
    const longer = [replace('prompts/system.md', 'Use the tools.', 'Use the tools that you have been given.')];
    expect(await problemsOf('bloat', longer, { context: { settings: strict } })).toHaveLength(1);
    const tasks = { names: [], instructions: ['one two three four five six'] };
    const copied = appended('// one two three four five');
    expect(await problemsOf('leakage', copied, { context: { tasks } })).toEqual([]);
    expect(
      await problemsOf('leakage', copied, { context: { tasks, settings: { ...settings, wordsInARow: 5 } } }),
    ).toHaveLength(1);
  });
});

describe('leakage of files, answers and traces', () => {
  const nothing = { names: [], instructions: [] };
  it('finds names of files and answers, and not what every project has', async () => {
    const tasks = { ...nothing, files: ['orders_2024.csv', 'README.md'], answers: ['sum 4711'] };
    const found = await problemsOf('leakage', appended('// orders_2024.csv has the sum 4711, see README.md'), {
      context: { tasks },
    });
    expect(found).toMatchObject([
      { message: expect.stringContaining('orders_2024.csv') },
      { message: expect.stringContaining('4711') },
    ]);
  });
  it('takes a plain word for a task only where it is written as one', async () => {
    const tasks = { ...nothing, names: ['greeting'] };
    expect(
      await problemsOf('leakage', appended("// a greeting; if (task === 'greeting') cheat();"), { context: { tasks } }),
    ).toHaveLength(1);
    expect(await problemsOf('leakage', appended('// sends a greeting to the user'), { context: { tasks } })).toEqual(
      [],
    );
  });
  it('finds long runs of words of traces', async () => {
    const traceTexts = ['the quick brown fox jumps over the lazy dog and then it sleeps under a tree'];
    const context = { tasks: nothing, traceTexts };
    expect(await problemsOf('leakage', appended(`// ${traceTexts[0]}`), { context })).toHaveLength(1);
    expect(
      await problemsOf('leakage', appended('// the quick brown fox jumps over the lazy dog'), { context }),
    ).toEqual([]);
  });
});

describe('bloat in code and parses in configuration', () => {
  it('counts sentences in code and not comments or tests', async () => {
    const prose = (prefix: string) =>
      appended(`${prefix}Think about what the user wants and check every single step of it\n`.repeat(25));
    expect(await problemsOf('bloat', prose("  '"))).toMatchObject([{ file: 'src/a.ts' }]);
    expect(await problemsOf('bloat', prose('  // '))).toEqual([]);
  });
  it('reads JSON and YAML, and leaves templates of YAML alone', async () => {
    const parse = async (file: string, text: string) => {
      const made: Edit = { file, action: 'create', oldText: '', newText: text };
      return problemsOf('parses', [made], { context: { syntaxErrors: async () => [] } });
    };
    expect(await parse('a.json', '{"a": 1 // one\n}')).toEqual([]);
    expect(await parse('a.json', '{"a": 1\n"b": 2}')).toMatchObject([{ line: 2 }]);
    expect(await parse('a.yaml', 'a:\n  - b\n c: d')).toHaveLength(1);
    expect(await parse('a.yaml', 'a: {{ b }}\n  - c')).toEqual([]);
  });
});

describe('premise of a decision', () => {
  it('compares "from X to Y" with the edit', async () => {
    const said = (rationale: string) => {
      const proposal = sampleProposal([{ ...decision('d1', edit), rationale }]);
      const made = gateContext(proposal, new Map([['src/a.ts', base['src/a.ts']!]]), {
        harness: { root: '/', config: { protected: [] } },
      });
      return runGates(made).then((results) => results.find(({ gate }) => gate === 'premise')?.problems.length);
    };
    expect(await said('It goes from 1 to 3.')).toBe(0);
    expect(await said('It goes from 2 to 3.')).toBe(1);
    expect(await said('It goes from 1 to 4.')).toBe(1);
    expect(await said('It is better.')).toBeUndefined();
  });
});
