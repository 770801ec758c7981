import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { packGraph, unpackGraph } from '../../../src/core/graph/graphCodec';
import { HeldCache } from '../../../src/core/graph/heldCache';
import { IndexCache } from '../../../src/core/graph/indexCache';
import type { GraphData, GraphNode } from '../../../src/core/graph/model';
import { NodeIndex } from '../../../src/core/graph/nodeIndex';
import { openDatabase, storePaths } from '../../../src/core/store';

const node = (id: string, name = id): GraphNode => {
  return { id, kind: 'function', name, qualname: name, file: 'a.py', start: 1, end: 2 };
};
const graphWith = (count: number, edges = 0): GraphData => ({
  root: '/r',
  files: [],
  nodes: Array.from({ length: count }, (_, at) => node(`a.py#f${at}`)),
  edges: Array.from({ length: edges }, (_, line) => {
    return { from: `a.py#f${line}`, to: 'a.py#f0', kind: 'calls' as const, file: 'a.py', line };
  }),
  literals: [],
  unresolved: [],
});

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'parts-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(root, { recursive: true, force: true });
});

/** Runs SQL on the database beside the cache, as another process or a fault would. */
async function alter(sql: string): Promise<void> {
  const database = await openDatabase(storePaths(root).indexDatabase);
  database.exec(sql);
  database.close();
}

async function stored(...saved: [key: string, data: GraphData][]): Promise<void> {
  const cache = await IndexCache.open(root);
  for (const [key, data] of saved) cache.saveGraph(key, data, `{"of":"${key}"}`);
  cache.close();
}

async function read(key?: string): Promise<ReturnType<IndexCache['graph']>> {
  const cache = await IndexCache.open(root);
  try {
    return cache.graph(key);
  } finally {
    cache.close();
  }
}

describe('a graph that is stored in parts', () => {
  it('has no part of more items than eight thousand, whatever the list', () => {
    const parts = [...packGraph(graphWith(20_000, 9_000))].map((text): Record<string, unknown> => JSON.parse(text));
    const sizes = parts.flatMap((part) =>
      Object.values(part).flatMap((list) => (Array.isArray(list) ? list.length : [])),
    );
    expect(Math.max(...sizes)).toBe(8192);
    expect(parts.filter((part) => 'nodes' in part)).toHaveLength(3);
    expect(parts.at(-1)).toEqual({ isLast: true });
  });

  it('names each end of an edge in one part only', () => {
    const parts = [...packGraph(graphWith(0, 20_000))].map((text): { ids?: string[] } => JSON.parse(text));
    const ids = parts.flatMap((part) => part.ids ?? []);
    expect(ids).toHaveLength(20_000);
    expect(new Set(ids).size).toBe(20_000);
  });

  it('is complete only with its last part', () => {
    const parts = [...packGraph(graphWith(9_000, 9_000))];
    expect(unpackGraph(parts)).toEqual(graphWith(9_000, 9_000));
    expect(() => unpackGraph(parts.slice(0, -1))).toThrow('A part of the graph is missing.');
  });

  it('comes back under its key, and as the last one without a key; an older one is gone', async () => {
    await stored(['one', graphWith(3)], ['two', graphWith(9_000)]);
    expect(await read('two')).toEqual({ data: graphWith(9_000), stats: '{"of":"two"}' });
    expect((await read())?.data.nodes).toHaveLength(9_000);
    expect(await read('one')).toBeUndefined();
  });

  it('leaves no part of a longer one behind', async () => {
    await stored(['same', graphWith(30_000)], ['same', graphWith(2)]);
    expect((await read('same'))?.data).toEqual(graphWith(2));
  });

  it.each([
    ['the first part is gone', 'DELETE FROM graph_data WHERE part = 0'],
    ['one in the middle is gone', 'DELETE FROM graph_data WHERE part = 2'],
    ['the last is gone', 'DELETE FROM graph_data WHERE part = (SELECT max(part) FROM graph_data)'],
    ['one was cut off', 'UPDATE graph_data SET data = substr(data, 1, 50) WHERE part = 1'],
    ['one is of another kind', `UPDATE graph_data SET data = '{"nodes": 3}' WHERE part = 1`],
    ['it was written in another format', `UPDATE graph_meta SET value = '1' WHERE key = 'format'`],
  ])('is none when %s, and can be stored again', async (_, fault) => {
    await stored(['key', graphWith(20_000)]);
    await alter(fault);
    expect(await read('key')).toBeUndefined();
    await stored(['key', graphWith(20_000)]);
    expect((await read('key'))?.data.nodes).toHaveLength(20_000);
  });
});

describe('nodes that are kept from graph to graph', () => {
  it('are those of a new map of all lists, whatever lists stay, come and go', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    // Each id goes to one of three lists or to none; a list that holds the same ids is the list of before.
    const layouts = fc.array(fc.array(fc.nat(3), { minLength: ids.length, maxLength: ids.length }), { maxLength: 12 });
    fc.assert(
      fc.property(layouts, (rounds) => {
        const index = new NodeIndex();
        const before = new Map<string, GraphNode[]>();
        for (const [round, places] of rounds.entries()) {
          const lists = [0, 1, 2].map((list) => {
            const own = ids.filter((_, at) => places[at] === list);
            const key = own.join();
            const known = before.get(key) ?? own.map((id) => node(id, `${id}${round}`));
            before.set(key, known);
            return known;
          });
          index.update(lists);
          expect(index.ids).toEqual(new Map(lists.flat().map((one) => [one.id, one])));
        }
      }),
    );
  });

  it('are given for a graph until the next update, also one with the same lists', () => {
    const index = new NodeIndex();
    const lists = [[node('a')]];
    index.update(lists);
    const first = index.current();
    expect(first()?.get('a')).toBe(lists[0]?.[0]);
    index.update(lists);
    expect(first()).toBeUndefined();
    expect(index.current()()?.size).toBe(1);
    index.update([]);
    expect(index.ids.size).toBe(0);
  });
});

describe('a cache that is held open', () => {
  it('is another one once its file was replaced by that of another process', async () => {
    const held = new HeldCache(root);
    const first = await held.open();
    held.leave(60_000);
    for (const suffix of ['', '-wal', '-shm']) await rm(storePaths(root).indexDatabase + suffix, { force: true });
    await stored(['other', graphWith(1)]);
    const second = await held.open();
    expect(second).not.toBe(first);
    expect(() => first.files()).toThrow();
    expect(second.graph('other')?.data.nodes).toHaveLength(1);
    held.leave(0);
  });

  it('opened again in its time, is not closed when the first time is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const held = new HeldCache(root);
    const cache = await held.open();
    held.leave(1000);
    await held.open();
    vi.advanceTimersByTime(5000);
    expect(cache.files().size).toBe(0);
    held.leave(0);
    expect(() => cache.files()).toThrow();
  });

  it('left twice stays open as long as the last one asked for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const held = new HeldCache(root);
    await held.open();
    held.leave(100);
    const cache = await held.open();
    held.leave(1000);
    vi.advanceTimersByTime(500);
    expect(cache.files().size).toBe(0);
    vi.advanceTimersByTime(501);
    expect(() => cache.files()).toThrow();
  });
});
