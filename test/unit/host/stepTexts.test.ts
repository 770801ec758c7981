import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Step } from '../../../src/core/traces';
import { matchesWords } from '../../../src/host/traces/searchText';
import { bodyParts } from '../../../src/host/traces/stepBody';
import { imagesOf } from '../../../src/host/traces/stepImages';
import { stepAsJson, stepAsMarkdown } from '../../../src/host/traces/stepText';
import { matchesInLine, targetOfAddress, targetOfMatch, traceAddress } from '../../../src/host/traces/traceAddress';
import { runOf } from './fakes';

const step: Step = {
  n: 7,
  kind: 'agent',
  text: 'I run ```sh\nls\n```',
  reasoning: 'think',
  calls: [{ id: '1', name: 'bash', args: { command: 'echo "a"', nested: { deep: ['needle'] } } }],
  results: [{ callId: '1', text: 'boom', isError: true }],
};

describe('a copied step', () => {
  it('is JSON that reads back as the step', () => {
    expect(JSON.parse(stepAsJson(step))).toEqual(step);
  });

  it('is Markdown with its origin, and texts cannot leave their fence', () => {
    const text = stepAsMarkdown(step, runOf());
    expect(text).toContain('**Step 7 (agent)** of `fix-date-parser - run 1`');
    expect(text).toContain('````\nI run ```sh\nls\n```\n````');
    expect(text).toContain('result (error):\n\n```\nboom\n```');
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '```', '\n', 'x', '````'), { maxLength: 30 }), (pieces) => {
        const inner = pieces.join('');
        const whole = stepAsMarkdown(
          { ...step, reasoning: undefined, text: inner || 'x', calls: [], results: [] },
          runOf(),
        );
        const [, fence] = /\n\n(`{3,})\n/.exec(whole)!;
        expect(whole.split('\n').filter((line) => line === fence)).toHaveLength(2);
      }),
    );
  });
});

describe('the parts of a step', () => {
  it('begin with what is new in a prompt that repeats another', () => {
    const [changes, text] = bodyParts({ ...step, reasoning: undefined }, { of: 2, lines: '+ new' });
    expect(changes).toEqual({ kind: 'changes', title: 'new since step 2', text: '+ new', left: 0 });
    expect(text!.kind).toBe('text');
    expect(bodyParts(step, { of: 2, lines: '' })[0]!.text).toBe('(no line differs)');
  });

  it('are found by words as they are read, not as JSON writes them', () => {
    expect(matchesWords(step, ['echo "a"'])).toBe(true);
    expect(matchesWords(step, ['needle', 'boom', 'think', 'nested'])).toBe(true);
    expect(matchesWords(step, ['needle', 'absent'])).toBe(false);
  });
});

describe('images of a step', () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4]).toString('base64');
  const of = (value: unknown) => imagesOf(JSON.stringify(value));

  it('are found in the shapes of the large providers', () => {
    expect(
      of({ content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }] }),
    ).toEqual([{ type: 'image/png', bytes: 12, data: png }]);
    expect(of({ image_url: { url: `data:image/png;base64,${png}` } })).toHaveLength(1);
    expect(of({ inlineData: { mimeType: 'image/png', data: png } })).toHaveLength(1);
    expect(imagesOf(`{"image":"data:image/png;base64,${png}"}\n{"image":"data:image/png;base64,${png}"}`)).toHaveLength(
      2,
    );
  });

  it('are what their bytes say, and nothing with scripts', () => {
    const svg = Buffer.from('<svg onload="alert(1)"/>').toString('base64');
    expect(of({ media_type: 'image/png', data: svg })).toEqual([]);
    expect(of({ url: `data:image/svg+xml;base64,${svg}` })).toEqual([]);
    expect(of({ url: `data:image/svg+xml;base64,${png}` })[0]!.type).toBe('image/png');
    expect(of({ url: `data:image/png;base64,${png}" onerror="x` })).toEqual([]);
    expect(of({ url: 'https://evil.example/image.png' })).toEqual([]);
    expect(imagesOf('no JSON, but image')).toEqual([]);
  });

  it('are bounded in size and number', () => {
    const large = png + 'A'.repeat(4 * 1024 * 1024);
    expect(of({ media_type: 'image/png', data: large })[0]!.data).toBeNull();
    expect(of({ images: Array.from({ length: 50 }, () => ({ mimeType: 'image/png', data: png })) })).toHaveLength(20);
  });
});

describe('addresses of steps', () => {
  it('lead back to the run and step they were made from', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.option(fc.integer({ min: 1, max: 99_999 })), (name, step) => {
        const target = { run: `/t/${name.replaceAll('\0', '')}#0`, ...(step === null ? {} : { step }) };
        const url = new URL(traceAddress('vscode', 'a.b', target));
        expect(targetOfAddress(url.pathname, url.search.slice(1))).toEqual(target);
      }),
    );
  });

  it.each([
    ['/other', 'run=a'],
    ['/trace', ''],
    ['/trace', 'step=3'],
    ['/trace', 'run=a&step=-1'],
    ['/trace', 'run=a&step=1e9'],
    ['/trace', 'run=a%00b'],
    ['/trace', `run=${'a'.repeat(5000)}`],
  ])('of another kind are refused: %s?%s', (path, query) => {
    expect(targetOfAddress(path, query)).toBeNull();
  });

  it('are found in a line of a terminal', () => {
    const line = 'failed: runs/a.jsonl#17 and "C:\\t\\b.traj#2#9", not a.ts#3 or x.json#12abc';
    expect(matchesInLine(line).map(({ file, numbers }) => [file, numbers])).toEqual([
      ['runs/a.jsonl', [17]],
      ['C:\\t\\b.traj', [2, 9]],
    ]);
    for (const { start, length } of matchesInLine(line)) expect(line.slice(start, start + length)).toMatch(/#\d+$/);
    expect(matchesInLine('a.json#1 '.repeat(1000))).toEqual([]);
  });

  it('mean a step in a file of one run, else a run', () => {
    expect(targetOfMatch('/a.jsonl', [17], ['/a.jsonl'])).toEqual({ run: '/a.jsonl', step: 17 });
    expect(targetOfMatch('/a.jsonl', [1], ['/a.jsonl#0', '/a.jsonl#1'])).toEqual({ run: '/a.jsonl#1' });
    expect(targetOfMatch('/a.jsonl', [1, 9], ['/a.jsonl#0', '/a.jsonl#1'])).toEqual({ run: '/a.jsonl#1', step: 9 });
    expect(targetOfMatch('/a.jsonl', [0], [])).toEqual({ run: '/a.jsonl', step: 1 });
  });
});
