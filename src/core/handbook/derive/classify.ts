import type { GraphNode, ProgramGraph } from '../../graph';
import type { UnitKind } from '../model';
import { isInterfaceFile, wordsOf } from '../vocabulary';
import { namePatterns, toolPatterns } from './namePatterns';
import type { Reach } from './reach';

/** What a function is taken for. `strength`: 3 from the graph, 2 from its name, 1 from its class or file. */
export interface Classified {
  kind: UnitKind;
  strength: number;
  reason: string;
}

/** Kinds that only mean something on the way of a run; elsewhere the same call is a helper (a git status, an updater). */
export function classify(node: GraphNode, graph: ProgramGraph, reach: Reach, inLoop: ReadonlySet<string>): Classified | undefined {
  const place = `${node.file}:${node.start}`;
  const tool = implementedTool(node, graph);
  if (tool) {
    const kind = toolKind(tool.name);
    if (kind) return { kind, strength: 3, reason: `implements the tool \`${tool.name}\` (${place})` };
  }
  const model = reach.modelSites.get(node.id)?.[0];
  if (model) return { kind: 'model_call', strength: 3, reason: `calls the model: ${quoted(model.text)} (${node.file}:${model.line})` };
  const process = reach.executionSites.get(node.id)?.[0];
  if (process && inLoop.has(node.id)) {
    return { kind: 'exec_boundary', strength: 3, reason: `starts a process: ${quoted(process.text)} (${node.file}:${process.line})` };
  }
  if (isInterfaceFile(node.file)) return undefined;
  const name = wordsOf(node.name).join(' ');
  const owner = ownerName(node);
  for (const pattern of namePatterns) {
    if (pattern.name.test(name)) return { kind: pattern.kind, strength: 2, reason: `its name \`${node.name}\` says so (${place})` };
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
  if (process) return { kind: 'exec_boundary', strength: 0, reason: `starts a process: ${quoted(process.text)} (${node.file}:${process.line})` };
  return undefined;
}

/** Kind of a class whose name tells what it holds: configuration defaults above all. */
export function classifyClass(node: GraphNode): Classified | undefined {
  const words = wordsOf(node.name).join(' ');
  const place = `${node.file}:${node.start}`;
  if (/\b(config|settings|options)$/.test(words)) {
    return { kind: 'config_defaults', strength: 2, reason: `the fields of \`${node.name}\` carry the defaults (${place})` };
  }
  if (/\b(exception|error|exceeded|submitted|terminated?)$/.test(words)) {
    if (/\b(limit|limits|time|budget|cost|steps?|context window)\b/.test(words)) return { kind: 'limits', strength: 2, reason: `\`${node.name}\` reports a limit (${place})` };
    if (/\bformat|parse\b/.test(words)) return { kind: 'format_error', strength: 2, reason: `\`${node.name}\` reports a malformed answer (${place})` };
    if (/\bsubmitted|terminated?\b/.test(words)) return { kind: 'termination', strength: 2, reason: `\`${node.name}\` ends the run (${place})` };
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
