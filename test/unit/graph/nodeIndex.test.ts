import { describe, expect, it } from 'vitest';
import { remembered, rememberedByName } from '../../../src/core/graph/artifacts/remembered';
import { flat } from '../../../src/core/graph/lists';
import type { GraphNode } from '../../../src/core/graph/model';
import { NodeIndex } from '../../../src/core/graph/nodeIndex';
import { ProgramGraph } from '../../../src/core/graph/programGraph';

function node(id: string, name = id): GraphNode {
  return { id, kind: 'function', name, qualname: name, file: 'a.py', start: 1, end: 2 };
}

describe('NodeIndex', () => {
  it('has the nodes of the lists it was given last', () => {
    const index = new NodeIndex();
    const stays = [node('a')];
    index.update([stays, [node('b')]]);
    index.update([stays, [node('c')]]);
    expect([...index.ids.keys()].sort()).toEqual(['a', 'c']);
  });

  it('keeps a node that went from one list to another', () => {
    const index = new NodeIndex();
    index.update([[node('a'), node('b')]]);
    index.update([[node('b')], [node('a', 'new')]]);
    expect([index.ids.get('a')?.name, index.ids.get('b')?.name]).toEqual(['new', 'b']);
  });

  it('a graph answers for its own nodes when the index has moved on', () => {
    const index = new NodeIndex();
    const nodes = [node('a')];
    index.update([nodes]);
    const byId = index.current();
    const graph = new ProgramGraph({ root: '/', files: [], nodes, edges: [], literals: [], unresolved: [] }, { byId });
    expect(graph.node('a')).toBe(nodes[0]);
    index.update([[node('b')]]);
    expect(graph.node('a')).toBe(nodes[0]);
    expect(graph.node('b')).toBeUndefined();
  });
});

describe('what is remembered of lists', () => {
  it('reads each list once and joins in their order', () => {
    let reads = 0;
    const doubled = remembered((list: readonly number[]) => {
      reads += 1;
      return list.map((each) => each * 2);
    });
    const first = [1, 2];
    expect(doubled([first, [3]])).toEqual([2, 4, 6]);
    expect(doubled([[4], first])).toEqual([8, 2, 4]);
    expect(reads).toBe(3);
  });

  it('finds by name what was not wanted before, without reading again', () => {
    let reads = 0;
    const named = rememberedByName((list: readonly string[]) => {
      reads += 1;
      return list.map((name) => ({ name }));
    });
    const list = ['a', 'b', 'a'];
    expect(named([list], new Set(['a']))).toEqual([{ name: 'a' }, { name: 'a' }]);
    expect(named([list], new Set(['b', 'c']))).toEqual([{ name: 'b' }]);
    expect(named([list], new Set())).toEqual([]);
    expect(reads).toBe(1);
  });

  it('joins more lists than a function takes arguments', () => {
    const lists = Array.from({ length: 300_000 }, (_, at) => (at % 3 === 0 ? [] : [at]));
    const all = flat(lists);
    expect(all.length).toBe(200_000);
    expect([all[0], all[1], all.at(-1)]).toEqual([1, 2, 299_999]);
  });
});
