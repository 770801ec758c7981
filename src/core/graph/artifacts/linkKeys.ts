import type { GraphData, GraphEdge, GraphNode } from '../model';
import { type CodeLiteral, maximumUsers } from './codeLiterals';
import { remembered } from './remembered';

/**
 * Edges from functions to the prompt and configuration keys they read: by dotted path in a literal, by a literal equal to
 * the key, or by an attribute of the key's name. Short everyday keys need the dotted path.
 */
export function linkConfiguration(data: GraphData, code: readonly CodeLiteral[]): GraphEdge[] {
  const keys = data.nodes.filter((node) => (node.kind === 'prompt' || node.kind === 'config') && isKey(node));
  if (keys.length === 0) return [];
  const byName = new Map<string, GraphNode[]>();
  for (const node of keys) byName.set(node.name, [...(byName.get(node.name) ?? []), node]);

  const uses = new Map<string, Use[]>();
  const add = (name: string, use: Use): void => {
    const list = uses.get(name);
    if (!list) uses.set(name, [use]);
    else if (!list.some((other) => other.from === use.from && other.line === use.line)) list.push(use);
  };
  for (const { fact, text } of code) {
    const name = text.slice(text.lastIndexOf('.') + 1);
    if (!byName.has(name)) continue;
    if (text.includes('.') || isDistinctive(name)) {
      add(name, {
        from: fact.owner,
        file: fact.file,
        line: fact.start,
        text,
        dotted: text.includes('.') ? text : undefined,
      });
    }
  }
  for (const use of attributeReads(data, byName)) if (isDistinctive(use.name)) add(use.name, use);

  const edges: GraphEdge[] = [];
  for (const [name, list] of uses) {
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
function attributeReads(data: GraphData, wanted: ReadonlyMap<string, unknown>): (Use & { name: string })[] {
  const found: (Use & { name: string })[] = [];
  for (const edge of data.edges) {
    if (edge.kind !== 'reads') continue;
    const name = lastNameOf(edge);
    if (name === undefined || !wanted.has(name)) continue;
    found.push({ name, from: edge.from, file: edge.file, line: edge.line, text: edge.text ?? edge.to });
  }
  return found;
}

const lastNameOf = remembered((edge: GraphEdge) => /([A-Za-z_$][\w$]*)['"]?\]?\)?$/.exec(edge.text ?? edge.to)?.[1]);

function isKey(node: GraphNode): boolean {
  return node.qualname !== '' && /\.(ya?ml|jsonc?|toml)$/.test(node.file);
}

/** A name long or composed enough that the same name in code is no accident. */
function isDistinctive(name: string): boolean {
  return (/[a-z0-9][_A-Z-]|_[a-z]/.test(name) && name.length >= 6) || name.length >= 12;
}
