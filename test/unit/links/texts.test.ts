import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkStep } from '../../../src/core/links';
import { framesIn } from '../../../src/core/links/frames';
import { scan } from '../../../src/core/links/scan';
import { partsOf } from '../../../src/core/links/stepParts';
import { Harness, result, run, step } from './helpers';

function words(text: string): string[] {
  const found: string[] = [];
  scan(text, (word) => found.push(word));
  return found;
}

describe('words of a text', () => {
  it('do not depend on white space, escapes, entities, typeset quotes or the length of rules', () => {
    const plain = words('Say "done" & stop:\n---\n<result>\tok</result>');
    expect(words('Say \\"done\\" &amp; stop:\\n-----\\n&lt;result&gt; ok&lt;/result&gt;')).toEqual(plain);
    expect(words('Say\u00a0“done” & stop:\r\n----------\n<result> ok</result>')).toEqual(plain);
  });

  it('stand where they say, in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        let last = 0;
        scan(text, (word, start, end) => {
          expect(word.length).toBeGreaterThan(0);
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          last = end;
        });
      }),
    );
  });
});

describe('parts of a step', () => {
  it('name who wrote them, and what the record holds beside them', () => {
    const record = JSON.stringify({
      content: 'It ran well today',
      extras: { suffix: '[The command completed with exit code 0.]', path: 'not a text of words here' },
      model_response: { choices: [{ message: 'the model said this here' }] },
    });
    const parts = partsOf(step({ kind: 'tool', results: [result('It ran well today', 'c1')] }), {
      record,
      toolOfCall: new Map([['c1', 'shell']]),
    });
    expect(parts).toMatchObject([
      { of: 'result', at: 0, voice: 'harness', tool: 'shell', exact: true },
      { of: 'record', text: '[The command completed with exit code 0.]', exact: false },
    ]);
  });

  it('of results that are JSON are the strings in them', () => {
    const [part] = partsOf(step({ kind: 'tool', results: [result('{"output": "File saved\\nas asked"}')] }), {});
    expect(part).toMatchObject({ of: 'result', text: 'File saved\nas asked', exact: false });
    expect(partsOf(step({ kind: 'tool', results: [result('{not json')] }), {})[0]).toMatchObject({ exact: true });
  });
});

const NOTICE = 'Observation truncated because the output was longer than the configured maximum';
const HINT = 'Please redirect long outputs into a file and search that with grep instead';

function shell(): Harness {
  return new Harness()
    .node('method', 'src/shell.py', 'execute', 1, 60, { qualname: 'Shell.execute' })
    .literal('src/shell.py', 'src/shell.py#Shell.execute', 11, 11, NOTICE)
    .literal('src/shell.py', 'src/shell.py#Shell.execute', 21, 21, HINT);
}

describe('several templates in one text', () => {
  it('get their own ranges', () => {
    const text = `12 files found\n${NOTICE}\nsome other words that nobody wrote\n${HINT}`;
    const links = linkStep(shell().index(), step({ kind: 'tool', results: [result(text)] }), run());
    const ranges = links
      .filter((link) => link.kind === 'literal')
      .map(({ start, part }) => ({
        start,
        text: text.slice(part?.from, part?.to),
      }));
    expect(ranges).toContainEqual({ start: 11, text: NOTICE });
    expect(ranges).toContainEqual({ start: 21, text: HINT });
  });

  it('keep their places in a text that is too long to be read whole', () => {
    const text = `${'x y '.repeat(60_000)}${NOTICE}`;
    const [link] = linkStep(shell().index(), step({ kind: 'tool', results: [result(text)] }), run());
    expect(text.slice(link?.part?.from, link?.part?.to)).toBe(NOTICE);
  });
});

describe('a text that prints the source', () => {
  const settings = [
    'The default approval mode for running tools without a question',
    'Enable the inspector of the developer tools when the program starts',
    'Additional policy files or directories that are loaded at the start',
    'The preferred editor that is opened for files of the project',
  ];
  const printing = () => {
    const harness = new Harness().node('variable', 'src/schema.ts', 'SCHEMA', 1, 90);
    for (const [at, text] of settings.entries())
      harness.literal('src/schema.ts', 'src/schema.ts#SCHEMA', 10 * at + 5, 10 * at + 5, text);
    return harness.index();
  };
  const filler = 'key value other words of a file that says nothing '.repeat(12);

  it('was not made by its literals', () => {
    const text = `${filler}\n${settings.map((line) => `label: x,\n'${line}',\n${filler}`).join('\n')}`;
    const links = linkStep(printing(), step({ kind: 'tool', results: [result(text)] }), run());
    expect(links.filter((link) => link.kind === 'literal' && link.confidence >= 0.4)).toEqual([]);
  });

  it('is told from one that consists of them', () => {
    const links = linkStep(printing(), step({ kind: 'tool', results: [result(settings.join('\n'))] }), run());
    expect(links[0]).toMatchObject({ kind: 'literal', file: 'src/schema.ts', start: 5 });
    expect(links[0]?.confidence).toBeGreaterThan(0.7);
  });
});

describe('text under the name of the model', () => {
  const answer = 'Got it, thanks for the additional context that was given';
  const harness = () =>
    new Harness()
      .node('method', 'src/compress.ts', 'compress', 1, 30, { qualname: 'Service.compress' })
      .literal('src/compress.ts', 'src/compress.ts#Service.compress', 12, 12, answer)
      .index();

  it('that is a literal of the harness as a whole leads to it', () => {
    expect(linkStep(harness(), step({ kind: 'agent', text: answer }), run())[0]).toMatchObject({ start: 12 });
  });

  it('that only holds one does not', () => {
    const text = `I will now read all of the files. ${answer}. Then I write what was asked for into the report.`;
    expect(linkStep(harness(), step({ kind: 'agent', text }), run())).toEqual([]);
  });
});

describe('a tag that opens a text', () => {
  it('leads to the code that names it, in the harness and not in its tests', () => {
    const index = new Harness()
      .node('function', 'src/mask.ts', 'mask', 1, 20)
      .literal('src/mask.ts', 'src/mask.ts#mask', 3, 3, 'tool_output_masked')
      .literal('test/mask.test.ts', 'test/mask.test.ts', 9, 9, 'tool_output_masked')
      .index();
    const text = '<tool_output_masked>\nlong ago\n</tool_output_masked>';
    const links = linkStep(index, step({ kind: 'tool', results: [result(text)] }), run());
    expect(links).toMatchObject([{ kind: 'literal', file: 'src/mask.ts', start: 3, part: { of: 'result', at: 0 } }]);
  });
});

describe('class lists of web pages', () => {
  it('are no text of the harness', () => {
    const index = new Harness()
      .literal('src/view.tsx', 'src/view.tsx', 4, 4, 'flex min-w-0 items-center justify-between shrink-0')
      .index();
    const text = 'diff: flex min-w-0 items-center justify-between shrink-0';
    expect(linkStep(index, step({ kind: 'tool', results: [result(text)] }), run())).toEqual([]);
  });
});

describe('tracebacks of other languages', () => {
  it('of Go name functions, without what closures add', () => {
    const text = [
      'panic: boom',
      'goroutine 7 [running]:',
      'main.(*Agent).Run(0xc000)',
      '\t/app/internal/agent/agent.go:41 +0x1d',
      'main.main.func1()',
      '\t/app/main.go:12 +0x20',
    ].join('\n');
    expect(framesIn(text)).toEqual([
      { path: '/app/internal/agent/agent.go', line: 41, name: 'Run' },
      { path: '/app/main.go', line: 12, name: 'main' },
    ]);
  });

  it('of Rust name the place of the panic and its functions', () => {
    const text = [
      "thread 'main' panicked at crates/agent/src/run.rs:9:5:",
      'boom',
      '   1: forge::agent::run_turn::h0123456789abcdef',
      '             at ./crates/agent/src/run.rs:9:5',
    ].join('\n');
    expect(framesIn(text)).toEqual([
      { path: 'crates/agent/src/run.rs', line: 9, name: null },
      { path: './crates/agent/src/run.rs', line: 9, name: 'run_turn' },
    ]);
  });
});
