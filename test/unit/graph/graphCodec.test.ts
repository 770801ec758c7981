import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packGraph, unpackGraph } from '../../../src/core/graph/graphCodec';
import { EdgeKind, type GraphData } from '../../../src/core/graph/model';
import { graphOf } from './sources';

const id = fc.constantFrom('a.py#f', 'a.py', 'tool:x', 'b.ts#C.m');
const edge = fc
  .record({
    from: id,
    to: id,
    kind: fc.constantFrom(...EdgeKind.options),
    file: fc.constantFrom('a.py', 'b.ts'),
    line: fc.integer({ min: 1, max: 1e6 }),
    text: fc.option(fc.string({ maxLength: 20 }), { nil: undefined }),
    certain: fc.option(fc.constant(false), { nil: undefined }),
  })
  .map((full) => JSON.parse(JSON.stringify(full)) as GraphData['edges'][number]);

describe('a stored graph', () => {
  test('comes back as it was', () => {
    fc.assert(
      fc.property(fc.array(edge), (edges) => {
        const data: GraphData = { root: '/r', files: [], nodes: [], literals: [], unresolved: [], edges };
        expect(unpackGraph(packGraph(data))).toEqual(data);
      }),
    );
  });

  test('keeps every fact of a linked harness', async () => {
    const { graph } = await graphOf({
      'a.py':
        'import os\n\nclass A:\n    """Doc."""\n    def f(self):\n        self.x = os.getenv("LIMIT", "12")\n        unknown.call()\n        return "a text that is long enough"\n',
    });
    expect(unpackGraph(packGraph(graph.data))).toEqual(graph.data);
  });

  test('comes back from many parts, in its order', () => {
    const edges = Array.from({ length: 20_000 }, (_, line) => {
      return { from: `a.py#f${line % 9_000}`, to: `b.py#g${line % 7}`, kind: 'calls' as const, file: 'a.py', line };
    });
    const data: GraphData = { root: '/r', files: [], nodes: [], literals: [], unresolved: [], edges, libraryCalls: [] };
    const parts = [...packGraph(data)];
    expect(parts.length).toBe(5);
    expect(unpackGraph(parts)).toEqual(data);
  });

  test('is refused when it is something else, or a part is missing', () => {
    expect(() => unpackGraph(['{"root": 1}'])).toThrow();
    expect(() => unpackGraph(['{"root": '])).toThrow();
    expect(() => unpackGraph(['{"root": "/", "isLast": false}'])).toThrow();
    expect(() => unpackGraph(['{"root": "/"}'])).toThrow(RangeError);
  });
});
