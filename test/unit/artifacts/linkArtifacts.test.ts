import { describe, expect, it } from 'vitest';
import { analyzeArtifact, type GraphLists, linkArtifacts } from '../../../src/core/graph/artifacts';
import type { GraphEdge, GraphNode } from '../../../src/core/graph/model';
import { graphLists } from './lists';

function fn(file: string, qualname: string, start = 1): GraphNode {
  const name = qualname.slice(qualname.lastIndexOf('.') + 1);
  return { id: `${file}#${qualname}`, kind: 'function', name, qualname, file, start, end: start + 5 };
}

function data(
  artifacts: Record<string, string>,
  nodes: GraphNode[],
  literals: [string, string, number][],
  edges: GraphEdge[] = [],
): GraphLists {
  const facts = Object.entries(artifacts).flatMap(([path, text]) => analyzeArtifact(path, text) ?? []);
  return graphLists({
    nodes,
    edges: [edges, ...facts.map((fact) => fact.edges)],
    literals: literals.map(([owner, text, line]) => {
      return { file: owner.slice(0, owner.indexOf('#')), start: line, end: line, owner, parts: [text] };
    }),
    artifacts: {
      nodes: facts.flatMap((fact) => fact.nodes),
      literals: facts.map((fact) => fact.literals),
    },
  });
}

describe('linkArtifacts', () => {
  it('links code to the prompt file it names', () => {
    const graph = data(
      { 'src/prompts/system.md': 'You are.', 'src/prompts/other.md': 'No.' },
      [fn('src/agent.ts', 'load')],
      [['src/agent.ts#load', './prompts/system.md', 3]],
    );
    expect(linkArtifacts(graph)).toEqual([
      {
        from: 'src/agent.ts#load',
        to: 'prompt:src/prompts/system.md',
        kind: 'uses-prompt',
        file: 'src/agent.ts',
        line: 3,
        text: './prompts/system.md',
        certain: true,
      },
    ]);
  });

  it('prefers the near file when two have the same name', () => {
    const graph = data(
      { 'a/prompts/system.md': 'A.', 'b/prompts/system.md': 'B.' },
      [fn('a/agent.ts', 'load')],
      [['a/agent.ts#load', 'system.md', 1]],
    );
    expect(linkArtifacts(graph).map((edge) => edge.to)).toEqual(['prompt:a/prompts/system.md']);
  });

  it('keeps documentation out unless code loads it', () => {
    const files = { 'README.md': 'Read me.', 'docs/guide.md': 'Guide.' };
    const unused = data(files, [fn('a.py', 'f')], []);
    linkArtifacts(unused);
    expect(unused.artifacts.nodes.filter((node) => node.kind === 'prompt')).toEqual([]);
    expect(unused.artifacts.literals.flat()).toEqual([]);
    const used = data(files, [fn('a.py', 'f')], [['a.py#f', 'docs/guide.md', 2]]);
    linkArtifacts(used);
    expect(used.artifacts.nodes.filter((node) => node.kind === 'prompt').map((node) => node.id)).toEqual([
      'prompt:docs/guide.md',
    ]);
  });

  it('links reads of attributes and dotted keys to YAML keys, with its certainty', () => {
    const reads: GraphEdge = {
      from: 'a.py#run',
      to: 'a.py#Config.step_limit',
      kind: 'reads',
      file: 'a.py',
      line: 8,
      text: 'self.config.step_limit',
    };
    const graph = data(
      { 'config/a.yaml': 'agent:\n  step_limit: 3\n  mode: fast\n' },
      [fn('a.py', 'run')],
      [
        ['a.py#run', 'agent.mode', 9],
        ['a.py#run', 'mode', 10],
      ],
      [reads],
    );
    expect(linkArtifacts(graph).map((edge) => [edge.to, edge.kind, edge.line, edge.certain])).toEqual([
      ['config:config/a.yaml#agent.mode', 'reads', 9, true],
      ['config:config/a.yaml#agent.step_limit', 'reads', 8, false],
    ]);
  });

  it('gives a described tool the function of its name', () => {
    const descriptor = 'name: read_file\ndescription: Reads.\narguments: []\n';
    const graph = data({ 'tools/read.yaml': descriptor }, [fn('t.ts', 'ReadFileTool'), fn('t.ts', 'readAll')], []);
    expect(linkArtifacts(graph).map((edge) => [edge.from, edge.to, edge.kind])).toEqual([
      ['tool:read_file', 't.ts#ReadFileTool', 'implements-tool'],
    ]);
  });
});
