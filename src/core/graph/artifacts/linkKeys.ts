import { append } from '../lists';
import type { GraphEdge, GraphNode } from '../model';
import { type CodeLiterals, isDistinctive, maximumUsers } from './codeLiterals';
import { type GraphLists, promptsAndKeys } from './facts';
import { rememberedByName } from './remembered';

/**
 * Edges from functions to the prompt and configuration keys they read: by dotted path in a literal, by a literal equal to
 * the key, or by an attribute of the key's name. Short everyday keys need the dotted path.
 */
export function linkConfiguration(lists: GraphLists, code: CodeLiterals): GraphEdge[] {
  const keys = promptsAndKeys(lists).filter(isKey);
  if (keys.length === 0) return [];
  const byName = new Map<string, GraphNode[]>();
  for (const node of keys) append(byName, node.name, node);

  const uses = new Map<string, Map<string, Use>>();
  const add = (name: string, use: Use): void => {
    const places = uses.get(name) ?? new Map<string, Use>();
    const place = `${use.line} ${use.from}`;
    if (!places.has(place)) places.set(place, use);
    uses.set(name, places);
  };
  const names = new Set(byName.keys());
  for (const { fact, text, name } of code.keys(names)) {
    const dotted = text.includes('.') ? text : undefined;
    add(name, { from: fact.owner, file: fact.file, line: fact.start, text, dotted });
  }
  for (const { name, edge } of namedReads(lists.edges, names)) {
    add(name, { from: edge.from, file: edge.file, line: edge.line, text: edge.text ?? edge.to });
  }

  const edges: GraphEdge[] = [];
  for (const [name, places] of uses) {
    const list = [...places.values()];
    const targets = byName.get(name) as GraphNode[];
    const files = new Set(targets.map((node) => node.file)).size;
    const wanted = list.length > maximumUsers ? list.filter((use) => use.dotted !== undefined) : list;
    for (const use of wanted) {
      for (const node of targets) {
        if (use.dotted !== undefined && !`.${node.qualname}`.endsWith(`.${use.dotted}`)) continue;
        edges.push({
          from: use.from,
          to: node.id,
          kind: node.kind === 'prompt' ? 'uses-prompt' : 'reads',
          file: use.file,
          line: use.line,
          text: use.text,
          certain: files === 1 && use.dotted !== undefined,
        });
      }
    }
  }
  return edges;
}

interface Use {
  from: string;
  file: string;
  line: number;
  text: string;
  /** Set when the code spells a path of keys. */
  dotted?: string;
}

/** Reads of attributes, by the last name in their text; also calls whose arguments hold such a name. */
const namedReads = rememberedByName((edges: readonly GraphEdge[]) =>
  edges.flatMap((edge) => {
    if (edge.kind !== 'reads') return [];
    const name = lastWord(edge.text ?? edge.to);
    return name !== undefined && isDistinctive(name) ? { name, edge } : [];
  }),
);

/** The name a text ends with, behind which a quote and brackets may close. */
function lastWord(text: string): string | undefined {
  return /([A-Za-z_$][\w$]*)['"]?\]?\)?$/.exec(text)?.[1];
}

function isKey(node: GraphNode): boolean {
  return node.qualname !== '' && /\.(ya?ml|jsonc?|toml)$/.test(node.file);
}
