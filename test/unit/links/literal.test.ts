import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkStep } from '../../../src/core/links';
import { fragmentsOf } from '../../../src/core/links/fragments';
import { Harness, result, run, step } from './helpers';

const FEEDBACK = [
  'Please always provide exactly one action in triple backticks, found ',
  null,
  ' actions.\n\n',
  'If you want to end the task, please issue the following command: `submit`\n',
];

function harness(): Harness {
  return new Harness()
    .node('prompt', 'templates/format_error.md', 'format_error.md', 1, 3)
    .literal('templates/format_error.md', 'prompt:templates/format_error.md', 1, 3, ...FEEDBACK)
    .node('function', 'src/parse.ts', 'parseResponse', 10, 40)
    .edge('uses-prompt', 'src/parse.ts#parseResponse', 'prompt:templates/format_error.md')
    .node('method', 'src/shell.ts', 'execute', 50, 80, { qualname: 'Shell.execute' })
    .literal(
      'src/shell.ts',
      'src/shell.ts#Shell.execute',
      61,
      61,
      'Observation truncated: ',
      null,
      ' characters elided from the middle',
    )
    .literal('src/shell.ts', 'src/shell.ts#Shell.execute', 64, 64, 'Command exited with status ', null)
    .unit('format_error', 'src/parse.ts', 20, 30);
}

describe('text of the harness', () => {
  it('leads to the template first and to the function that renders it second', () => {
    const text =
      'Please always provide exactly one action in triple backticks, found 3 actions.\n\nIf you want to end the task, please issue the following command: `submit`';
    const links = linkStep(harness().index(), step({ kind: 'event', event: 'format_error', text }), run());
    expect(links[0]).toMatchObject({ kind: 'literal', file: 'templates/format_error.md', start: 1, end: 3 });
    expect(links[0]?.confidence).toBeGreaterThan(0.85);
    expect(links[0]?.reason).toContain('Please always provide exactly one action');
    expect(links[1]).toMatchObject({ kind: 'literal', file: 'src/parse.ts', symbol: 'parseResponse', unit: null });
    expect(links[2]).toMatchObject({ kind: 'lifecycle', file: 'src/parse.ts', start: 20, unit: 'unit-format_error-0' });
  });

  it('leads to a function once, by its text and not also because it handles such steps', () => {
    const feedback = 'Please always provide exactly one action in triple backticks.';
    const index = new Harness()
      .node('method', 'src/agent.ts', 'format', 10, 14, { qualname: 'Agent.format' })
      .literal('src/agent.ts', 'src/agent.ts#Agent.format', 12, 12, feedback)
      .unit('format_error', 'src/agent.ts', 10, 14, ['src/agent.ts#Agent.format'], 'Agent.format')
      .unit('response_parse', 'src/parse.ts', 1, 9)
      .index();
    const links = linkStep(index, step({ kind: 'event', event: 'format_error', text: feedback }), run());
    expect(links).toMatchObject([
      { kind: 'literal', file: 'src/agent.ts', symbol: 'Agent.format', start: 12, unit: 'unit-format_error-0' },
      { kind: 'lifecycle', file: 'src/parse.ts' },
    ]);
  });

  it('leads to the lines of the literal and names the function around them', () => {
    const text = `total 3\n${'drwxr-xr-x root root 4096 file\n'.repeat(30)}Observation truncated: 5120 characters elided from the middle\nmore`;
    const [first] = linkStep(harness().index(), step({ results: [result(text)] }), run());
    expect(first).toMatchObject({ kind: 'literal', file: 'src/shell.ts', symbol: 'Shell.execute', start: 61, end: 61 });
  });

  it('finds a text that was cut off, and says how much of it', () => {
    const text = 'Please always provide exactly one action in triple backticks, fou';
    const [first] = linkStep(harness().index(), step({ kind: 'user', text }), run());
    expect(first).toMatchObject({ file: 'templates/format_error.md' });
    expect(first?.reason).toMatch(/literal text, [1-9]\d? % of it found/);
  });

  it('is not looked for in text of the model, which may repeat anything', () => {
    const text = 'Please always provide exactly one action in triple backticks, found 3 actions.';
    const links = linkStep(harness().index(), step({ kind: 'agent', text }), run());
    expect(links.filter((link) => link.kind === 'literal')).toEqual([]);
  });

  it('prefers source to tests, and the longer literal to the shorter one', () => {
    const sentence = 'The patch could not be applied because the context lines differ from the file';
    const index = new Harness()
      .literal('tests/test_patch.py', 'tests/test_patch.py#t', 5, 5, `${sentence} src/main.py at line 3`)
      .node('function', 'src/patch.py', 'apply', 1, 30)
      .literal('src/patch.py', 'src/patch.py#apply', 12, 12, `${sentence} `, null, ' at line ', null)
      .literal('src/short.py', 'src/short.py#f', 2, 2, 'could not be applied because')
      .index();
    const links = linkStep(index, step({ results: [result(`${sentence} src/main.py at line 3`)] }), run()).filter(
      (link) => link.kind === 'literal',
    );
    expect(links[0]).toMatchObject({ file: 'src/patch.py', symbol: 'apply' });
    expect(links.some((link) => link.file === 'src/short.py')).toBe(false);
  });

  it('says when the same text stands elsewhere and is less sure then', () => {
    const sentence = 'You are a careful programmer who repairs the repository step by step.';
    const single = new Harness().literal('config/one.yaml', 'config/one.yaml', 3, 3, sentence).index();
    const twins = new Harness()
      .literal('config/one.yaml', 'config/one.yaml', 3, 3, sentence)
      .literal('config/two.yaml', 'config/two.yaml', 8, 8, sentence)
      .literal(
        'config/two.yaml',
        'config/two.yaml',
        20,
        20,
        'Submit your answer with the finish command when everything passes.',
      )
      .index();
    const asked = step({ kind: 'system', text: sentence });
    const [sure] = linkStep(single, asked, run());
    const [unsure, other] = linkStep(twins, asked, run());
    expect(unsure?.confidence).toBeLessThan(sure?.confidence ?? 0);
    expect(unsure?.reason).toContain('also in 1 other place');
    expect(other?.reason).toContain('the same text as in');
    const decided = linkStep(twins, asked, run(), { fileWeights: new Map([['config/two.yaml', 50]]) });
    expect(decided[0]?.file).toBe('config/two.yaml');
  });

  it('of twins prefers the one whose path names the matter, without being surer of it', () => {
    const sentence = 'You are a careful programmer who repairs the repository step by step.';
    const index = new Harness()
      .literal('config/crypto.yaml', 'config/crypto.yaml', 3, 3, sentence)
      .literal('config/forensics.yaml', 'config/forensics.yaml', 3, 3, sentence)
      .index();
    const asked = step({ kind: 'system', text: sentence });
    const [plain] = linkStep(index, asked, run());
    const [named] = linkStep(index, asked, run(), { words: new Set(['forensics', 'challenge']) });
    expect(named?.file).toBe('config/forensics.yaml');
    expect(named?.confidence).toBe(plain?.confidence);
  });

  it('counts a file that holds a class the trace names, even one that looks like a test', () => {
    const sentence = 'The observation of the last command follows between the two markers.';
    const index = new Harness()
      .literal('src/models/other_model.py', 'src/models/other_model.py#O', 4, 4, sentence)
      .node('class', 'src/models/test_models.py', 'ScriptedModel', 1, 90)
      .literal('src/models/test_models.py', 'src/models/test_models.py#ScriptedModel', 9, 9, sentence)
      .index();
    const asked = step({ results: [result(sentence)] });
    expect(linkStep(index, asked, run())[0]?.file).toBe('src/models/other_model.py');
    const [own] = linkStep(index, asked, run({ components: ['models.test_models.ScriptedModel'] }));
    expect(own).toMatchObject({ file: 'src/models/test_models.py', symbol: 'ScriptedModel', start: 9 });
  });

  it('names where the key of a template is read before where its file is named', () => {
    const index = new Harness()
      .node('prompt', 'config/a.yaml', 'observation_template', 3, 8, {
        id: 'prompt:config/a.yaml#agent.observation_template',
        qualname: 'agent.observation_template',
      })
      .literal(
        'config/a.yaml',
        'prompt:config/a.yaml#agent.observation_template',
        3,
        8,
        'The command printed the following lines to its output: ',
        null,
      )
      .node('function', 'src/main.py', 'main', 1, 40)
      .node('method', 'src/agent.py', 'observe', 100, 110, { qualname: 'Agent.observe' })
      .edge('uses-prompt', 'src/main.py#main', 'prompt:config/a.yaml#agent.observation_template', {
        line: 12,
        text: 'a.yaml',
        certain: true,
      })
      .edge('uses-prompt', 'src/agent.py#Agent.observe', 'prompt:config/a.yaml#agent.observation_template', {
        line: 103,
        text: 'self.config.observation_template',
        certain: false,
      })
      .index();
    const links = linkStep(
      index,
      step({ results: [result('The command printed the following lines to its output: x')] }),
      run(),
    );
    expect(links.map((link) => [link.file, link.start])).toEqual([
      ['config/a.yaml', 3],
      ['src/agent.py', 103],
      ['src/main.py', 12],
    ]);
    expect(links[1]?.reason).toContain('reads the key observation_template');
  });

  it('of addresses and paths alone is no evidence', () => {
    const index = new Harness()
      .literal('src/x.py', 'src/x.py', 1, 1, 'https://github.com/')
      .literal('src/y.py', 'src/y.py', 1, 1, 'tests/unit/harness_module.py')
      .index();
    const text = 'see https://github.com/a/b and tests/unit/harness_module.py for more';
    expect(linkStep(index, step({ results: [result(text)] }), run())).toEqual([]);
  });

  it('narrows a long template to the part that was found', () => {
    const lines = Array.from(
      { length: 40 },
      (_, at) =>
        `Guideline number ${at}: ${['always', 'never'][at % 2]} examine subsystem${at} before touching component${at}.`,
    );
    const index = new Harness()
      .literal('prompts/system.md', 'prompt:prompts/system.md', 1, 40, lines.join('\n'))
      .index();
    const [first] = linkStep(index, step({ kind: 'system', text: lines.slice(10, 13).join('\n') }), run());
    expect(first).toMatchObject({ file: 'prompts/system.md', start: 11, end: 13 });
    const holes = new Harness()
      .literal(
        'prompts/system.md',
        'prompt:prompts/system.md',
        1,
        40,
        ...lines.flatMap((line) => [line, null, '\n']).slice(0, -1),
      )
      .index();
    const [narrow] = linkStep(holes, step({ kind: 'system', text: lines.slice(10, 13).join('\n') }), run());
    expect(narrow).toMatchObject({ start: 11, end: 13 });
  });
});

describe('a function that a step leads to in several ways', () => {
  const feedback = 'Please always provide exactly one action in triple backticks.';
  const agent = () =>
    new Harness()
      .node('method', 'src/agent.ts', 'format', 10, 24, { qualname: 'Agent.format' })
      .literal('src/agent.ts', 'src/agent.ts#Agent.format', 12, 12, feedback)
      .literal('src/agent.ts', 'src/agent.ts#Agent.format', 20, 20, 'format_error')
      .unit('format_error', 'src/agent.ts', 10, 24, ['src/agent.ts#Agent.format'], 'Agent.format');
  const record = JSON.stringify({ content: feedback, extra: { format_error: { attempts: 1 } } });
  const shown = step({ kind: 'user', text: feedback });

  it('is named once: the keys of the record say nothing new beside its text', () => {
    const links = linkStep(agent().index(), shown, run(), { record });
    expect(links).toMatchObject([{ kind: 'literal', symbol: 'Agent.format', start: 12, part: { of: 'text' } }]);
  });

  it('is named by the keys of the record where its text does not show', () => {
    const links = linkStep(agent().index(), step({ kind: 'user', text: 'Go on.' }), run(), {
      record: '{"format_error": 1}',
    });
    expect(links).toMatchObject([{ kind: 'lifecycle', symbol: 'Agent.format', start: 10, part: { of: 'record' } }]);
    expect(links[0]?.reason).toContain('names the keys format_error');
  });

  it('keeps the region of another unit of it, which is another thing to look at', () => {
    const index = agent()
      .unit('prompt_assembly', 'src/agent.ts', 21, 23, ['src/agent.ts#Agent.format'], 'Agent.format')
      .index();
    expect(linkStep(index, shown, run())).toMatchObject([
      { kind: 'literal', start: 12, unit: 'unit-format_error-0' },
      { kind: 'lifecycle', start: 21, end: 23, unit: 'unit-prompt_assembly-1' },
    ]);
  });

  const error = 'The file could not be read because it holds no text at all';
  const tool = () =>
    new Harness()
      .node('function', 'src/read.ts', 'readFile', 10, 40)
      .node('tool', 'src/read.ts', 'read_file', 1, 5)
      .edge('implements-tool', 'tool:read_file', 'src/read.ts#readFile')
      .literal('src/read.ts', 'src/read.ts#readFile', 30, 30, error)
      .index();
  const toolOfCall = new Map([['c1', 'read_file']]);
  const named = (links: ReturnType<typeof linkStep>) => links.filter(({ symbol }) => symbol === 'readFile');

  it('is narrowed to the lines that made a result, not named as a whole for it too', () => {
    const links = linkStep(tool(), step({ results: [result(error, 'c1', true)] }), run(), { toolOfCall });
    expect(named(links)).toMatchObject([{ kind: 'literal', start: 30, end: 30, part: { of: 'result', at: 0 } }]);
  });

  it('is named for the call and for the result where the step shows both: they are asked about apart', () => {
    const calls = [{ id: 'c1', name: 'read_file', args: {} }];
    const links = linkStep(tool(), step({ kind: 'agent', calls, results: [result(error, 'c1', true)] }), run());
    expect(named(links).map(({ kind, start, part }) => [kind, start, part?.of])).toEqual([
      ['literal', 30, 'result'],
      ['tool', 10, 'call'],
    ]);
  });
});

describe('markers', () => {
  it('lead from the command of the model to the code that waits for them', () => {
    const index = new Harness()
      .node('method', 'src/agent.py', 'has_finished', 120, 131, { qualname: 'Agent.has_finished' })
      .literal('src/agent.py', 'src/agent.py#Agent.has_finished', 127, 127, 'COMPLETE_TASK_AND_SUBMIT')
      .literal('tests/test_agent.py', 'tests/test_agent.py#t', 1, 1, 'COMPLETE_TASK_AND_SUBMIT')
      .index();
    const call = { id: 'c', name: 'anything', args: { command: 'echo COMPLETE_TASK_AND_SUBMIT && cat x' } };
    const links = linkStep(index, step({ kind: 'agent', text: '', calls: [call] }), run());
    expect(links[0]).toMatchObject({ kind: 'literal', symbol: 'Agent.has_finished', start: 127 });
    expect(linkStep(index, step({ kind: 'agent', text: 'an OTHER_LONG_MARKER here' }), run())).toEqual([]);
  });

  it('in several places: the one of the environment that the trace names', () => {
    const index = new Harness()
      .node('class', 'env/docker.py', 'Docker', 1, 50)
      .literal('env/docker.py', 'env/docker.py#Docker', 20, 20, 'TASK_IS_FINISHED')
      .node('class', 'env/local.py', 'Local', 1, 50)
      .literal('env/local.py', 'env/local.py#Local', 30, 30, 'TASK_IS_FINISHED')
      .index();
    const asked = step({ kind: 'agent', text: 'TASK_IS_FINISHED' });
    expect(linkStep(index, asked, run({ components: ['env.Local'] }))).toMatchObject([
      { file: 'env/local.py', start: 30 },
    ]);
    expect(linkStep(index, asked, run())).toHaveLength(2);
  });
});

describe('placeholders inside text', () => {
  it.each<[string, string[]]>([
    ['a {{ x.y }} b {% if z -%} c {# note #} d', ['a ', 'b ', 'c ', 'd']],
    ['found {count} of ${total}, %s and %(name)s', ['found ', 'of ', ', ', 'and ']],
    ['{{"json": {"a": 1}}}', ['{{"json": {"a": 1}}}']],
    ['{{\n  "tool": "x"\n}}', ['{{\n  "tool": "x"\n}}']],
    ['<<name>> __TASK_NAME__ end', ['end']],
    ['100% sure, {not a name}', ['100% sure, {not a name}']],
  ])('%j', (text, expected) => {
    expect(fragmentsOf([text]).map((fragment) => fragment.text)).toEqual(expected);
  });

  it('count the lines before each piece', () => {
    expect(fragmentsOf(['one\ntwo\n', null, '\n\nthree {x}\nfour'])).toEqual([
      { text: 'one\ntwo\n', linesBefore: 0 },
      { text: 'three ', linesBefore: 4 },
      { text: 'four', linesBefore: 5 },
    ]);
  });
});

const WORDS = [
  'quota',
  'lantern',
  'rewrite',
  'budget',
  'segment',
  'harvest',
  'observe',
  'tunnel',
  'declare',
  'mosaic',
  'pivot',
  'anchor',
  'ledger',
  'socket',
];
const OTHERS = [
  'zebra',
  'violet',
  'kettle',
  'umbrella',
  'garden',
  'yellow',
  'orchid',
  'pepper',
  'island',
  'dragon',
  'winter',
  'copper',
];
const word = fc.constantFrom(...WORDS);
const sentence = fc.array(word, { minLength: 4, maxLength: 9 }).map((words) => words.join(' '));
const value = fc.array(fc.constantFrom(...OTHERS), { minLength: 1, maxLength: 40 }).map((words) => words.join(' '));
const space = fc.constantFrom(' ', '\n', '\n\n  ', '\t');

describe('for any template', () => {
  it('a text rendered from it with any values and any white space is found', () => {
    fc.assert(
      fc.property(
        fc.array(sentence, { minLength: 2, maxLength: 5 }),
        fc.array(value, { minLength: 5, maxLength: 5 }),
        space,
        fc.nat(3),
        (pieces, values, gap, before) => {
          const parts = pieces.flatMap((piece): (string | null)[] => [piece, null]);
          const index = harness()
            .node('function', 'src/x.py', 'render', 1, 9)
            .literal('src/x.py', 'src/x.py#render', 3, 4, ...parts)
            .index();
          const rendered = pieces.map((piece, at) => piece.replaceAll(' ', gap) + gap + values[at]).join(gap);
          const text = `${values.slice(0, before).join(' ')}\n${rendered}`;
          const found = linkStep(index, step({ results: [result(text)] }), run());
          expect(
            found.some((link) => link.kind === 'literal' && link.file === 'src/x.py' && link.symbol === 'render'),
          ).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('text of other words is not linked', () => {
    const index = harness().index();
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(...OTHERS, 'the', 'is', 'to', 'please', 'command', 'file', '.', ',', '\n'),
            fc.string(),
          ),
          { maxLength: 200 },
        ),
        (words) => {
          const links = linkStep(index, step({ results: [result(words.join(' '))] }), run());
          expect(links.filter((link) => link.kind !== 'lifecycle')).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('confidence is a share, and every link has a reason and a place in the file', () => {
    const index = harness().index();
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...FEEDBACK.filter((part) => part !== null), 'Command exited with status 3', 'x'), {
          maxLength: 6,
        }),
        (texts) => {
          for (const link of linkStep(index, step({ kind: 'user', text: texts.join(' ') }), run())) {
            expect(link.confidence).toBeGreaterThan(0);
            expect(link.confidence).toBeLessThan(1);
            expect(link.reason.length).toBeGreaterThan(10);
            expect(link.start).toBeLessThanOrEqual(link.end);
          }
        },
      ),
    );
  });
});
