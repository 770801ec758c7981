import { describe, expect, it, vi } from 'vitest';
import type { FlawRecord } from '../../../src/core/diagnosis';
import type { Step } from '../../../src/core/traces';
import { chatSubject } from '../../../src/host/chat/chatSubject';
import { flawNode } from '../../../src/host/review/flawNodes';
import { unsavedFiles } from '../../../src/host/review/unsavedFiles';
import { activityOf } from '../../../src/host/traces/activity';
import { RepeatedPrompts } from '../../../src/host/traces/repeatedPrompts';
import { matchesWords } from '../../../src/host/traces/searchText';
import { argumentsText, bodyParts, fitting } from '../../../src/host/traces/stepBody';
import { imagesOf } from '../../../src/host/traces/stepImages';
import { matchesInLine, targetOfAddress, targetOfMatch } from '../../../src/host/traces/traceAddress';
import { trialLine } from '../../../src/host/validation/taskResults';
import { trial } from '../validation/trials';

const documents = vi.hoisted(
  () => [] as { isDirty: boolean; uri: { scheme: string; fsPath: string }; getText(): string }[],
);
vi.mock('vscode', () => ({ workspace: { textDocuments: documents } }));

const nested = (depth: number, inner: string) => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4]).toString('base64');
const step = (args: unknown): Step => ({
  n: 1,
  kind: 'agent',
  text: '',
  calls: [{ id: '1', name: 'tool', args: args as Step['calls'][number]['args'] }],
  results: [],
});

describe('records that nest without end', () => {
  it('are searched to the ground', () => {
    const deep = step({ value: JSON.parse(nested(50_000, '"needle"')) });
    expect([matchesWords(deep, ['needle']), matchesWords(deep, ['value']), matchesWords(deep, ['absent'])]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('give up their images, in the order in which they stand', () => {
    const gif = Buffer.from('GIF89a, and more').toString('base64');
    const record = nested(50_000, `"data:image/png;base64,${png}"`);
    const images = imagesOf(`{"a":${record},"b":["data:image/gif;base64,${gif}"]}`);
    expect(images.map((image) => image.type)).toEqual(['image/png', 'image/gif']);
  });

  it('are looked at up to a number of values, and not at all when they speak of no image', () => {
    const many = `[${'0,'.repeat(250_000)}"data:image/png;base64,${png}"]`;
    expect(imagesOf(many)).toEqual([]);
    expect(imagesOf('{"broken')).toEqual([]);
    expect(imagesOf(`not JSON, image\n{"url":"data:image/png;base64,${png}"}`)).toHaveLength(1);
  });
});

describe('the whole text of a step', () => {
  it('is cut by what its JSON takes, not by how long it looks', () => {
    const text = '\u0001'.repeat(1000);
    const shown = fitting(text, 600);
    expect(JSON.stringify(shown).length - 2).toBeLessThanOrEqual(600);
    expect(shown).toHaveLength(100);
    expect(fitting('short', 600)).toBe('short');
  });

  it('counts what has no room left', () => {
    const results = Array.from({ length: 8 }, () => ({ callId: '1', text: 'x'.repeat(60_000), isError: false }));
    const parts = bodyParts({ ...step({}), calls: [], results });
    const rest = parts.at(-1)!;
    expect(rest.kind).toBe('rest');
    const shown = parts.reduce((sum, part) => sum + part.text.length, 0);
    expect(shown + parts.reduce((sum, part) => sum + part.left, 0)).toBe(8 * 60_000);
    expect(JSON.stringify(parts).length).toBeLessThan(201_000);
  });

  it('says so where there is none, and shows arguments of any kind', () => {
    expect(bodyParts({ ...step({}), calls: [] })).toEqual([{ kind: 'text', title: 'text', text: '(empty)', left: 0 }]);
    expect([argumentsText('ls'), argumentsText(null), argumentsText(undefined), argumentsText([1])]).toEqual([
      'ls',
      'null',
      '',
      '[\n  1\n]',
    ]);
    expect(argumentsText({ path: 'a', text: 'x\ny', deep: { n: 1 } })).toBe('path: a\ntext:\nx\ny\ndeep: {"n":1}');
  });
});

describe('an address from outside', () => {
  it('names a run and a step from 1, or nothing', () => {
    expect(targetOfAddress('/trace/', 'run=a%23b&step=3')).toEqual({ run: 'a#b', step: 3 });
    for (const query of ['', 'run=', 'run=a%00b', 'run=a&step=0', 'run=a&step=-1', 'run=a&step=1e3', 'run=a&step='])
      expect(targetOfAddress('/trace', query)).toBeNull();
    expect(targetOfAddress('/other', 'run=a')).toBeNull();
    expect(targetOfAddress('/trace', `run=${'a'.repeat(4000)}`)).toBeNull();
  });

  it('in a terminal keeps its drive, and is not looked for in endless lines', () => {
    expect(matchesInLine('at C:\\runs\\a.jsonl#2#17.')).toEqual([
      { start: 3, length: 20, file: 'C:\\runs\\a.jsonl', numbers: [2, 17] },
    ]);
    expect(matchesInLine(`a.json#1 ${'x'.repeat(4000)}`)).toEqual([]);
    expect(matchesInLine('a.json#1234567890 and a.json#3x')).toEqual([]);
  });

  it('leads to the first step where it counts from nought', () => {
    expect(targetOfMatch('a', [0], ['a'])).toEqual({ run: 'a', step: 1 });
    expect(targetOfMatch('a', [1, 0], ['a#1', 'a#2'])).toEqual({ run: 'a#1', step: 1 });
    expect(targetOfMatch('a', [2], ['a#1', 'a#2'])).toEqual({ run: 'a#2' });
    expect(targetOfMatch('a', [9], ['a#1', 'a#2'])).toEqual({ run: 'a', step: 9 });
  });
});

describe('words of a harness', () => {
  it('cannot steer the terminal that shows the trials', () => {
    const line = trialLine(
      trial('a\u001b]0;mine\u0007', 'candidate', 1, 'fail', {
        exception: { type: 'Error\u001b[2J', message: '\u001b[31mred\u009b\nnext line' },
      }),
    );
    expect(line.endsWith(' s\r\n')).toBe(true);
    expect(line.slice(0, -2)).not.toMatch(/\p{Cc}/u);
    expect(line).toContain('red');
    expect(line).not.toContain('next line');
  });

  it('tell what a turn does, also behind a folder change or in JSON', () => {
    const said = [
      'bash cd /a && cd b; grep -n x y',
      'execute_bash {"command": "cat > a.txt <<E',
      'bash ./deploy --now',
    ];
    expect(said.map(activityOf)).toEqual(['explore', 'edit', 'bash']);
    expect(activityOf(`${'z'.repeat(90)} x`)).toBe('z'.repeat(40));
    expect(activityOf('\nbash ls')).toBe('no action');
  });

  it('that repeat are compared with the last few prompts only', () => {
    const prompt = (name: string) =>
      Array.from({ length: 9 }, (_, at) => `${name} says ${at} ${'.'.repeat(40)}`).join('\n');
    const seen = new RepeatedPrompts();
    for (let n = 1; n <= 7; n++) expect(seen.add(n, prompt(`p${n}`))).toBeNull();
    expect(seen.add(8, prompt('p7'))).toEqual({ of: 7, changed: 0 });
    expect(seen.add(9, prompt('p1'))).toBeNull();
  });
});

describe('a flaw', () => {
  const flaw: FlawRecord = {
    id: 'f-1a2b',
    where: 'u-parse',
    whereTitle: 'Reply parsing',
    why: 'no_action_turn',
    title: 'no action turn',
    findings: ['x'],
    failingRuns: 2,
    passingRuns: 0,
    runsLookedAt: 3,
    tasks: ['t1', 't2'],
    site: null,
    state: 'suspected',
  };

  it('is asked for where its id stands alone, and only that is taken out of the wish', () => {
    expect(chatSubject('unlike f-1a2b3c, repair f-1a2b now', [flaw])).toEqual({
      kind: 'flaw',
      flaw: 'f-1a2b',
      request: 'unlike f-1a2b3c, repair now',
    });
    expect(chatSubject('(f-1a2b)', [flaw])).toEqual({ kind: 'flaw', flaw: 'f-1a2b', request: '()' });
    expect(chatSubject('my-f-1a2b', [flaw]).kind).toBe('request');
  });

  it('is a leaf without steps to look at, and opens no code where no place is known', () => {
    const node = flawNode(flaw);
    expect([node.state, node.command, node.children?.()]).toEqual(['leaf', undefined, []]);
    expect(node.description).toBe('2 failing, 0 passing of 3 runs');
    expect(node.tooltip).toBe('suspected: no action turn in Reply parsing\ntasks: t1, t2');
  });

  it('leads to failing steps first, then to passing runs, each with an id of its own', () => {
    const node = flawNode({
      ...flaw,
      party: 'harness',
      partyReason: 'the loop drops it',
      exemplars: [
        { finding: 'x', run: '/long/way/to/the/run.json', step: 4 },
        { finding: 'y', run: '/long/way/to/the/run.json', step: 9 },
      ],
      counterExamples: ['C:\\runs\\ok\\b.json'],
    });
    const below = node.children!();
    expect(below.map((one) => one.description)).toEqual(['step 4', 'step 9', 'passes without it']);
    expect(below.map((one) => one.label)).toEqual(['to/the/run.json', 'to/the/run.json', 'runs/ok/b.json']);
    expect(new Set(below.map((one) => one.id)).size).toBe(3);
    expect(below[1]!.command?.arguments).toEqual([{ run: '/long/way/to/the/run.json', step: 9 }]);
    expect(node.tooltip).toContain('laid to: harness, the loop drops it');
  });
});

it('unsaved texts are those below the folder that differ from the disk', () => {
  const at = (fsPath: string, isDirty = true, scheme = 'file') => ({
    isDirty,
    uri: { scheme, fsPath },
    getText: () => fsPath,
  });
  documents.push(
    at('/h/src/a.ts'),
    at('/h/..draft.md'),
    at('/h2/a.ts'),
    at('/h/b.ts', false),
    at('/h/c.ts', true, 'untitled'),
    at('/h'),
  );
  expect(unsavedFiles('/h')).toEqual({ 'src/a.ts': '/h/src/a.ts', '..draft.md': '/h/..draft.md' });
});
