import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkStep } from '../../../src/core/links';
import { frameLinks } from '../../../src/core/links/frameLinks';
import { framesIn, isForeign } from '../../../src/core/links/frames';
import { HarnessFiles } from '../../../src/core/links/harnessFiles';
import { Harness, result, run, step } from './helpers';

const python = (...frames: [path: string, line: number, name: string][]) =>
  `Traceback (most recent call last):\n${frames.map(([path, line, name]) => `  File "${path}", line ${line}, in ${name}\n    x()\n`).join('')}ValueError: no\n`;

describe('frames of a text', () => {
  const name = fc.stringMatching(/^[a-z_]{1,12}$/);
  const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((parts) => `/${parts.join('/')}`);
  const frames = fc.array(fc.record({ path, line: fc.integer({ min: 1, max: 999_999 }), name }), { maxLength: 20 });

  it('of Python are all of them, the innermost first', () => {
    fc.assert(
      fc.property(frames, (made) => {
        const own = made.map((frame) => ({ ...frame, path: `${frame.path}.py` }));
        const text = python(...own.map((frame): [string, number, string] => [frame.path, frame.line, frame.name]));
        expect(framesIn(text)).toEqual(own.reverse());
      }),
    );
  });

  it('of Node.js are all of them, as they stand, with or without a function', () => {
    fc.assert(
      fc.property(frames, fc.boolean(), (made, isNamed) => {
        const own = made.map((frame) => ({ ...frame, path: `${frame.path}.ts`, name: isNamed ? frame.name : null }));
        const lines = own.map(({ path: file, line, name: fn }) =>
          fn === null ? `    at file://${file}:${line}:7` : `    at async Agent.${fn} (${file}:${line}:7)`,
        );
        expect(framesIn(['Error: no', ...lines].join('\n'))).toEqual(own);
      }),
    );
  });

  it('of Python keep the innermost two hundred of an endless recursion', () => {
    const text = python(...Array.from({ length: 1000 }, (_, at): [string, number, string] => ['/a/b.py', at + 1, 'f']));
    const found = framesIn(text);
    expect([found.length, found[0]?.line, found.at(-1)?.line]).toEqual([200, 1000, 801]);
  });

  it.each([
    ['at 12:30 the file was saved'],
    ['look at src/a.ts:12'],
    ['File "a.py" has 12 lines'],
    ['main.go:12: undefined: x'],
    ['error in a.rs:12'],
  ])('of %j are none', (text) => {
    expect(framesIn(text)).toEqual([]);
  });

  it.each([
    ['/app/node_modules/x/index.js', true],
    ['node:internal/process/task_queues', true],
    ['<frozen importlib._bootstrap>', true],
    ['/opt/.cargo/registry/src/x/lib.rs', true],
    ['/opt/go/pkg/mod/x/y.go', true],
    ['/app/src/node.ts', false],
    ['/app/cargo/registry.rs', false],
  ])('%s is foreign: %s', (file, foreign) => {
    expect(isForeign({ path: file, line: 1, name: null })).toBe(foreign);
  });
});

describe('a file under another root', () => {
  const files = new HarnessFiles(
    ['src/agent/loop.py', 'tests/agent/loop.py', 'loop.py', 'src/main.py'].map((path) => ({ path })),
  );

  it.each<[string, [string, number][]]>([
    ['/x/src/agent/loop.py', [['src/agent/loop.py', 3]]],
    [
      '/x/agent/loop.py',
      [
        ['src/agent/loop.py', 2],
        ['tests/agent/loop.py', 2],
      ],
    ],
    ['C:\\x\\src\\main.py', [['src/main.py', 2]]],
    ['./src/./main.py', [['src/main.py', 2]]],
    ['/x/ain.py', []],
    ['', []],
  ])('%j ends like %j', (path, found) => {
    expect(files.endingLike(path).map(({ file, segments }) => [file, segments])).toEqual(found);
  });

  it('that agrees as a whole counts for more than its one name', () => {
    expect(files.endingLike('/x/y/loop.py')).toContainEqual({ file: 'loop.py', segments: 2 });
  });
});

describe('links from frames', () => {
  const harness = () =>
    new Harness()
      .node('function', 'src/agent/loop.py', 'outer', 1, 20)
      .node('function', 'src/agent/loop.py', 'inner', 30, 50)
      .node('function', 'src/agent/other.py', 'deep', 1, 9)
      .index();

  it('name each function once, less surely the further out it is', () => {
    const links = frameLinks(
      harness(),
      4,
      python(['/x/agent/loop.py', 9, 'outer'], ['/x/agent/loop.py', 31, 'inner'], ['/x/agent/loop.py', 40, 'inner']),
    );
    expect(links.map(({ symbol, start, step: n }) => [symbol, start, n])).toEqual([
      ['inner', 40, 4],
      ['outer', 9, 4],
    ]);
    expect(links[0]!.confidence).toBeGreaterThan(links[1]!.confidence);
    expect(links.map(({ reason }) => /innermost|1 frames further out/.test(reason))).toEqual([true, true]);
  });

  it('count only frames of the harness on the way out', () => {
    const text = python(['/x/agent/loop.py', 9, 'outer'], ['/usr/lib/python3/json/decoder.py', 12, 'decode']);
    expect(frameLinks(harness(), 1, text)).toMatchObject([
      { symbol: 'outer', reason: expect.stringContaining('innermost') },
    ]);
  });

  it('lead to the whole function when its lines are others now, and nowhere when it is gone too', () => {
    const [moved] = frameLinks(harness(), 1, python(['/x/agent/loop.py', 200, 'inner']));
    expect(moved).toMatchObject({ symbol: 'inner', start: 30, end: 50 });
    expect(moved?.reason).toContain('its line has changed');
    expect(frameLinks(harness(), 1, python(['/x/agent/loop.py', 200, 'gone']))).toEqual([]);
  });

  it('believe a root before the ends of paths, and the ends where the root has no such file', () => {
    const index = new Harness()
      .node('function', 'old/agent/loop.py', 'outer', 1, 20)
      .node('function', 'new/agent/loop.py', 'outer', 1, 20)
      .node('function', 'new/only.py', 'alone', 1, 9)
      .index();
    const roots = [{ prefix: '/srv', folder: 'old', from: 'configured' as const, frames: 0 }];
    expect(frameLinks(index, 1, python(['/srv/agent/loop.py', 3, 'outer']), roots)).toMatchObject([
      { file: 'old/agent/loop.py', reason: expect.stringContaining('as /srv is old') },
    ]);
    expect(frameLinks(index, 1, python(['/srv/new/only.py', 3, 'alone']), roots)).toMatchObject([
      { file: 'new/only.py' },
    ]);
    // A folder that only begins with the name of the root lies outside of it.
    const [beside] = frameLinks(index, 1, python(['/srv-agent/loop.py', 3, 'outer']), roots);
    expect(beside?.reason).not.toContain('as /srv is');
  });

  it('never leave the harness by a root', () => {
    const roots = [{ prefix: '/srv', folder: 'src', from: 'found' as const, frames: 3 }];
    expect(frameLinks(harness(), 1, python(['/srv/../../etc/passwd', 3, 'outer']), roots)).toEqual([]);
  });

  it('stand in the result that holds the traceback, once when two results hold it', () => {
    const text = python(['/x/src/agent/other.py', 3, 'deep']);
    const links = linkStep(harness(), step({ results: [result('fine'), result(text), result(text)] }), run());
    expect(links).toMatchObject([{ kind: 'frame', symbol: 'deep', start: 3, part: { of: 'result', at: 1 } }]);
  });
});
