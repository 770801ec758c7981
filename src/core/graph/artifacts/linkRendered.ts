import { append } from '../lists';
import type { GraphEdge, GraphNode } from '../model';
import { type GraphLists, promptsAndKeys } from './facts';
import { rememberedByName } from './remembered';

const firstArgument = /\(\s*(['"`])([\w./-]{2,60})\1/;
const renderingName = /render|template|prompt/i;

interface NamedCall {
  edge: GraphEdge;
  prompt: GraphNode;
}

/**
 * `uses-prompt` edges from calls such as `templates.render('format_error', ...)`, which name a prompt file without its
 * ending. A function counts as one that renders templates when it is called with the names of at least two prompt files,
 * or when its own name says so; a lone `add('system', text)` does not make `prompts/system.md` used.
 */
export function linkRendered(lists: GraphLists): GraphEdge[] {
  const byStem = new Map<string, GraphNode[]>();
  for (const node of promptsAndKeys(lists)) {
    if (node.kind !== 'prompt' || node.qualname.includes('#')) continue;
    const stem = node.file.slice(node.file.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
    append(byStem, stem, node);
  }
  const calls = new Map<string, NamedCall[]>();
  for (const { edge, name } of callsWithText(lists.edges, new Set(byStem.keys()))) {
    const prompts = byStem.get(name)!;
    if (prompts.length === 1) append(calls, edge.to, { edge, prompt: prompts[0]! });
  }
  const edges: GraphEdge[] = [];
  for (const [callee, named] of calls) {
    const files = new Set(named.map(({ prompt }) => prompt.file));
    if (files.size < 2 && !renderingName.test(lists.ids.get(callee)?.name ?? callee)) continue;
    for (const { edge, prompt } of named) {
      const { from, file, line, text } = edge;
      edges.push({ from, to: prompt.id, kind: 'uses-prompt', file, line, text });
    }
  }
  return edges;
}

const callsWithText = rememberedByName((edges: readonly GraphEdge[]) =>
  edges.flatMap((edge) => {
    const name = edge.kind === 'calls' ? firstArgument.exec(edge.text ?? '')?.[2] : undefined;
    return name === undefined ? [] : { edge, name: name.slice(name.lastIndexOf('/') + 1) };
  }),
);
