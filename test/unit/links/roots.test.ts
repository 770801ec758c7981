import { describe, expect, it } from 'vitest';
import { buildLinkIndex, linkRun } from '../../../src/core/links';
import { rootsOf } from '../../../src/core/links/traceRoots';
import { Harness, readerOf, result, step } from './helpers';

const traceback = (path: string, line: number, name: string) =>
  `Traceback:\n  File "${path}", line ${line}, in ${name}\n`;

function harness(): Harness {
  return new Harness()
    .node('function', 'src/agent/loop.py', 'run_loop', 10, 40)
    .node('function', 'src/agent/main.py', 'main', 1, 9)
    .node('function', 'src/tools/main.py', 'main', 1, 9);
}

describe('roots of a trace', () => {
  const steps = [
    step({ n: 1, kind: 'tool', results: [result(traceback('/opt/app/code/agent/loop.py', 12, 'run_loop'))] }),
    step({ n: 2, kind: 'tool', results: [result(traceback('/opt/app/code/tools/main.py', 300, 'gone'))] }),
  ];

  it('are found where function, line and the end of the path agree', async () => {
    expect(await rootsOf(harness().index(), readerOf(steps))).toEqual([
      { prefix: '/opt/app/code', folder: 'src', from: 'found', frames: 1 },
    ]);
  });

  it('are not found from a function at another line', async () => {
    const other = [step({ n: 1, kind: 'tool', results: [result(traceback('/opt/agent/loop.py', 99, 'run_loop'))] })];
    expect(await rootsOf(harness().index(), readerOf(other))).toEqual([]);
  });

  it('that harness.json states come first and decide between files that end alike', async () => {
    const { graph, places } = harness().index();
    const index = buildLinkIndex(graph, places.map, { traceRoots: { '/build/': 'src/tools/' } });
    const own = [step({ n: 1, kind: 'tool', results: [result(traceback('/build/main.py', 3, 'main'))] })];
    const [link] = await linkRun(index, readerOf(own));
    expect(link).toMatchObject({ kind: 'frame', file: 'src/tools/main.py', start: 3 });
    expect(link?.reason).toContain('as /build is src/tools');
  });
});
