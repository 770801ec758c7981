import type { GraphNode } from '../model';
import type { ArtifactFacts } from './facts';
import { lineCount } from './promptFile';
import { templateParts } from './templates';

const opening = /^(?:function\s+)?([A-Za-z_][\w-]*)\s*\(\)\s*\{?\s*$|^function\s+([A-Za-z_][\w-]*)\s*\{?\s*$/;
const printed = /^\s*(?:echo|printf)\s+(?:-\w+\s+)*(["'])(.{12,})\1/;
const longest = 400;

/**
 * Functions of a shell script, each to the brace at the start of a line that closes it, and the texts it prints. The file
 * counts only when it runs a tool or code names it: most scripts build and deploy.
 */
export function shellFacts(path: string, text: string): ArtifactFacts {
  const lines = text.split('\n').slice(0, 5_000);
  const nodes: GraphNode[] = [];
  const literals: ArtifactFacts['literals'] = [];
  let open: GraphNode | undefined;
  for (const [index, line] of lines.entries()) {
    const found = open ? null : opening.exec(line);
    const name = found?.[1] ?? found?.[2];
    if (name && !nodes.some((node) => node.name === name)) {
      const start = index + 1;
      open = { id: `${path}#${name}`, kind: 'function', name, qualname: name, file: path, start, end: start };
      nodes.push(open);
    } else if (open && /^\}/.test(line)) {
      open.end = index + 1;
      open = undefined;
    }
    const said = printed.exec(line.slice(0, longest))?.[2];
    if (!said) continue;
    const parts = templateParts(said.replace(/\$\{?\w+\}?/g, '{{ x }}'), 'jinja');
    literals.push({ file: path, start: index + 1, end: index + 1, owner: open?.id ?? path, parts });
  }
  if (open) open.end = lineCount(text);
  return { nodes, edges: [], literals };
}
