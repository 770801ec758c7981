import { expect, it } from 'vitest';
import { linkRendered } from '../../../src/core/graph/artifacts/linkRendered';
import type { GraphEdge, GraphNode } from '../../../src/core/graph/model';
import { graphLists } from './lists';

function prompt(file: string): GraphNode {
  return { id: `prompt:${file}`, kind: 'prompt', name: file, qualname: file, file, start: 1, end: 1 };
}

function method(qualname: string): GraphNode {
  const name = qualname.slice(qualname.lastIndexOf('.') + 1);
  return { id: `a.ts#${qualname}`, kind: 'method', name, qualname, file: 'a.ts', start: 1, end: 9 };
}

function call(to: string, text: string, line: number): GraphEdge {
  return { from: 'a.ts#Agent.run', to: `a.ts#${to}`, kind: 'calls', file: 'a.ts', line, text };
}

function linked(edges: GraphEdge[], prompts = ['prompts/system.md', 'prompts/format_error.md']): string[] {
  const nodes = [...prompts.map(prompt), ...['Texts.get', 'Log.add', 'Templates.render'].map(method)];
  return linkRendered(graphLists({ nodes, edges: [edges] })).map((edge) => `${edge.line} ${edge.to}`);
}

it('takes a function that is given two prompt names for one that renders them', () => {
  const edges = [
    call('Texts.get', "this.texts.get('system', { tools })", 3),
    call('Texts.get', "this.texts.get('format_error')", 7),
    call('Texts.get', "this.texts.get('other')", 8),
  ];
  expect(linked(edges)).toEqual(['3 prompt:prompts/system.md', '7 prompt:prompts/format_error.md']);
});

it('does not take a role for a prompt', () => {
  expect(linked([call('Log.add', "log.add('system', text)", 3), call('Log.add', "log.add('user', text)", 4)])).toEqual(
    [],
  );
});

it('believes a name that says it renders', () => {
  expect(linked([call('Templates.render', 'templates.render("format_error", values)', 5)])).toEqual([
    '5 prompt:prompts/format_error.md',
  ]);
});

it('does not choose between two files of one name', () => {
  const edges = [call('Templates.render', "templates.render('system')", 5)];
  expect(linked(edges, ['a/system.md', 'b/system.md'])).toEqual([]);
});
