import { describe, expect, it } from 'vitest';
import { CodeLiterals, isDistinctive } from '../../../src/core/graph/artifacts/codeLiterals';
import { mergeKeys } from '../../../src/core/graph/artifacts/mergeKeys';
import type { GraphEdge, GraphNode, LiteralFact } from '../../../src/core/graph/model';
import { graphLists } from './lists';

function literal(text: string | (string | null)[], file = 'a.ts'): LiteralFact {
  return { file, start: 1, end: 1, owner: `${file}#f`, parts: typeof text === 'string' ? [text] : text };
}

function literals(...list: LiteralFact[]): CodeLiterals {
  return new CodeLiterals(graphLists({ nodes: [], literals: list }));
}

const texts = (list: readonly { text: string }[]) => list.map(({ text }) => text);

describe('literals of code', () => {
  it('are paths of files where the last part has their name, or a star for it', () => {
    const code = literals(
      literal('./prompts/system.md'),
      literal('prompts/other.md'),
      literal(['prompts/', null, '.md']),
      literal(['logs/', null, '.txt']),
      literal('system'),
    );
    const found = code.paths(new Set(['src/prompts/system.md']));
    expect(texts(found)).toEqual(['./prompts/system.md', 'prompts/*.md']);
    expect(found[0]).toMatchObject({ path: 'prompts/system.md', name: 'system.md' });
  });

  it('name keys when they have a dot or are no everyday word', () => {
    const code = literals(literal('agent.mode'), literal('mode'), literal('step_limit'), literal('limit'));
    expect(texts(code.keys(new Set(['mode', 'step_limit'])))).toEqual(['agent.mode', 'step_limit']);
  });

  it('are looked through again when other names are wanted', () => {
    const facts = [literal('agent.mode'), literal('agent.limit')];
    const lists = graphLists({ nodes: [], literals: facts });
    expect(texts(new CodeLiterals(lists).keys(new Set(['mode'])))).toEqual(['agent.mode']);
    expect(texts(new CodeLiterals(lists).keys(new Set(['limit'])))).toEqual(['agent.limit']);
  });

  it('are import paths only as a whole', () => {
    const code = literals(literal('pkg.module.Name'), literal('pkg.module:name'), literal('see pkg.module'));
    expect(texts(code.importPaths())).toEqual(['pkg.module.Name', 'pkg.module:name']);
  });

  it('leave out empty and long texts, and those of prompts', () => {
    const node = { id: 'prompt:p.md', kind: 'prompt', name: 'p.md', qualname: 'p.md', file: 'p.md', start: 1, end: 1 };
    const lists = graphLists({
      nodes: [],
      literals: [literal('run.sh'), literal(''), literal(`${'x'.repeat(200)}/run.sh`)],
      artifacts: { nodes: [node as GraphNode], literals: [[literal('run.sh', 'p.md')]] },
    });
    expect(new CodeLiterals(lists).named(new Set(['run.sh'])).map(({ fact }) => fact.file)).toEqual(['a.ts']);
  });
});

describe('a key that code asks for and a file sets', () => {
  const key = (id: string, file: string): GraphNode => {
    return { id, kind: 'config', name: 'step_limit', qualname: 'step_limit', file, start: 1, end: 1 };
  };
  const read = (to: string): GraphEdge => ({ from: 'a.ts#f', to, kind: 'reads', file: 'a.ts', line: 3 });

  it('is one: its reads go to the file, and no list is changed', () => {
    const edges = [read('config:step_limit'), read('a.ts#x')];
    const lists = graphLists({
      nodes: [],
      edges: [edges],
      artifacts: { nodes: [key('config:c.yaml#step_limit', 'c.yaml')], literals: [] },
    });
    lists.shared = [key('config:step_limit', 'a.ts')];
    expect(mergeKeys(lists).map(({ to, certain }) => [to, certain])).toEqual([['config:c.yaml#step_limit', undefined]]);
    expect(lists.shared).toEqual([]);
    expect(lists.edges).toEqual([[read('a.ts#x')]]);
    expect(edges.length).toBe(2);
  });

  it('stays apart when no file sets it', () => {
    const lists = graphLists({ nodes: [], edges: [[read('config:step_limit')]] });
    lists.shared = [key('config:step_limit', 'a.ts')];
    expect(mergeKeys(lists)).toEqual([]);
    expect(lists.shared.length).toBe(1);
  });
});

it('everyday words do not tell keys apart', () => {
  expect(['limit', 'mode', 'a_b'].map(isDistinctive)).toEqual([false, false, false]);
  expect(['step_limit', 'maxTurns', 'instructions'].map(isDistinctive)).toEqual([true, true, true]);
});
