import type { GraphNode, ProgramGraph } from '../../graph';
import type { UnitKind } from '../model';
import { isExampleFile, isInterfaceFile, wordsOf } from '../vocabulary';
import { namePatterns, toolPatterns } from './namePatterns';
import type { Reach } from './reach';

/** What a function is taken for. `strength`: 3 from the graph, 2 from its name, 1 from its class or file. */
export interface Classified {
  kind: UnitKind;
  strength: number;
  reason: string;
}

/** Kind of a function: by what it implements or crosses to, else by its name, its class or file, or its comment. */
export function classify(
  node: GraphNode,
  graph: ProgramGraph,
  reach: Reach,
  inLoop: ReadonlySet<string>,
): Classified | undefined {
  const place = `${node.file}:${node.start}`;
  const tool = implementedTool(node, graph);
  if (tool) {
    const kind = toolKind(tool.name);
    if (kind) return { kind, strength: 3, reason: `implements the tool \`${tool.name}\` (${place})` };
  }
  const model = reach.modelSites.get(node.id)?.[0];
  if (model)
    return {
      kind: 'model_call',
      strength: 3,
      reason: `calls the model: ${quoted(model.text)} (${node.file}:${model.line})`,
    };
  const process = reach.executionSites.get(node.id)?.[0];
  if (process && inLoop.has(node.id)) {
    return {
      kind: 'exec_boundary',
      strength: 3,
      reason: `starts a process: ${quoted(process.text)} (${node.file}:${process.line})`,
    };
  }
  if (isInterfaceFile(node.file) || isExampleFile(node.file) || isInsideFunction(node, graph)) return undefined;
  const name = wordsOf(node.name).join(' ');
  const owner = ownerName(node);
  for (const pattern of namePatterns) {
    if (pattern.name.test(name))
      return { kind: pattern.kind, strength: 2, reason: `its name \`${node.name}\` says so (${place})` };
  }
  for (const pattern of namePatterns) {
    if (!pattern.home) continue;
    if (owner && pattern.home.test(wordsOf(owner).join(' '))) {
      return { kind: pattern.kind, strength: 1, reason: `belongs to \`${owner}\` (${place})` };
    }
    if (pattern.home.test(stemWords(node.file))) {
      return { kind: pattern.kind, strength: 1, reason: `stands in ${node.file} (${place})` };
    }
  }
  const documented = docKinds.find((pattern) => pattern.doc.test(node.doc ?? ''));
  if (documented)
    return { kind: documented.kind, strength: 1, reason: `its comment says so: ${quoted(node.doc)} (${place})` };
  if (process)
    return {
      kind: 'exec_boundary',
      strength: 0,
      reason: `starts a process: ${quoted(process.text)} (${node.file}:${process.line})`,
    };
  return undefined;
}

/** A function inside a function, or a member of an object literal: it lives where the code around it lives. */
function isInsideFunction(node: GraphNode, graph: ProgramGraph): boolean {
  const at = node.qualname.lastIndexOf('.');
  return at !== -1 && graph.node(`${node.file}#${node.qualname.slice(0, at)}`)?.kind !== 'class';
}

/** What a doc comment has to say for a name that says nothing, such as `save`. */
const docKinds: { kind: UnitKind; doc: RegExp }[] = [
  {
    kind: 'trajectory',
    doc: /\b(?:saves?|writes?|records?|appends?|serializes?)\b.*\b(?:trajectory|transcript|trace)\b/i,
  },
  { kind: 'truncation', doc: /\b(?:truncates?|cuts?|shortens?)\b.*\b(?:output|text|lines|observation|result)\b/i },
  {
    kind: 'compaction',
    doc: /\b(?:summari[sz]es?|compacts?|condenses?)\b.*\b(?:conversation|history|context|messages)\b/i,
  },
  { kind: 'permission', doc: /\basks?\b.*\b(?:permission|approval|confirmation)\b/i },
];

/** Kind of a class whose name tells what it holds: configuration defaults above all. */
export function classifyClass(node: GraphNode): Classified | undefined {
  const words = wordsOf(node.name).join(' ');
  const place = `${node.file}:${node.start}`;
  if (/\b(config|settings|options)$/.test(words)) {
    return {
      kind: 'config_defaults',
      strength: 2,
      reason: `the fields of \`${node.name}\` carry the defaults (${place})`,
    };
  }
  if (/\b(exception|error|exceeded|submitted|terminated?)$/.test(words)) {
    if (/\b(limit|limits|time|budget|cost|steps?|context window)\b/.test(words))
      return { kind: 'limits', strength: 2, reason: `\`${node.name}\` reports a limit (${place})` };
    if (/\bformat|parse\b/.test(words))
      return { kind: 'format_error', strength: 2, reason: `\`${node.name}\` reports a malformed answer (${place})` };
    if (/\bsubmitted|terminated?\b/.test(words))
      return { kind: 'termination', strength: 2, reason: `\`${node.name}\` ends the run (${place})` };
  }
  return undefined;
}

/** Kind of a tool by the name the model sees; undefined when the name tells nothing. */
export function toolKind(name: string): UnitKind | undefined {
  const words = wordsOf(name).join(' ');
  return toolPatterns.find((pattern) => pattern.name.test(words))?.kind;
}

function implementedTool(node: GraphNode, graph: ProgramGraph): GraphNode | undefined {
  const edge = graph.in(node.id, 'implements-tool')[0];
  return edge ? graph.node(edge.from) : undefined;
}

function ownerName(node: GraphNode): string | undefined {
  const at = node.qualname.lastIndexOf('.');
  return at === -1 ? undefined : node.qualname.slice(0, at).split('.').at(-1);
}

function stemWords(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  return wordsOf(name === 'index' || name === '__init__' ? (file.split('/').at(-2) ?? '') : name).join(' ');
}

function quoted(text: string | undefined): string {
  return `\`${(text ?? '').replace(/\s+/g, ' ').slice(0, 60)}\``;
}
