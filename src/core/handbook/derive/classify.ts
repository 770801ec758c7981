import type { GraphNode, ProgramGraph } from '../../graph';
import type { UnitKind } from '../model';
import { wordsOf } from '../vocabulary';
import { type KindSignals, signalsOf } from './kindSignals';
import type { Reach } from './reach';
import type { Sources } from './sources';
import { isEnvironmentCall } from './suspects';
import { toolPatterns } from './toolPatterns';

/** What speaks for a kind of a function by itself: its names, comment, text and what it crosses to. */
export interface Claim {
  kind: UnitKind;
  /** Weights of what speaks for it; a name that says it plainly has 3. */
  score: number;
  reason: string;
}

/** Weight below which a claim is an accident of words. */
const leastClaim = 1;
const longestBody = 400;
/** Methods that do what their class is named for. */
const doing =
  /^(call|run|execute|process|apply|handle|invoke|perform|request|check|create|update|append|write|compact|compress|condense|exec|forward)$/;

/** All kinds that something speaks for, best first. Nothing here looks at where the function stands. */
export function claimsOf(node: GraphNode, graph: ProgramGraph, reach: Reach, sources: Sources): Claim[] {
  const claims: Claim[] = [];
  const tool = implementedTool(node, graph);
  const toolIs = tool && toolKind(tool.name);
  if (tool && toolIs)
    claims.push({ kind: toolIs, score: 5, reason: `implements the tool \`${tool.name}\` (${tool.place})` });
  const model = reach.modelSites.get(node.id)?.[0];
  if (model)
    claims.push({
      kind: 'model_call',
      score: 4,
      reason: `calls the model: ${quoted(model.text)} (${node.file}:${model.line})`,
    });
  const process = reach.executionSites.get(node.id)?.[0];
  if (process)
    claims.push({
      kind: 'exec_boundary',
      score: 2,
      reason: `starts a process: ${quoted(process.text)} (${node.file}:${process.line})`,
    });
  const outside = reach.suspects
    .get(node.id)
    ?.find((call) => call.kind === 'execution' && isEnvironmentCall(call.text));
  if (!process && outside)
    claims.push({
      kind: 'exec_boundary',
      score: 2,
      reason: `hands an action to its environment: ${quoted(outside.text)} (${node.file}:${outside.line})`,
    });
  const starts = (reach.execution.get(node.id) ?? 9) <= 1.5;
  const isClosure = isInsideFunction(node, graph);
  const words = wordsOf(node.name).join(' ');
  const home = homeWords(node);
  let text: string | undefined;
  const body = (): string => {
    text ??= sources.text(node.file, node.start, Math.min(node.end, node.start + longestBody));
    return text;
  };
  for (const signals of signalsOf.values()) {
    const claim = claimOf(signals, node, words, home, body, isClosure);
    if (!claim) continue;
    const known = claims.find((other) => other.kind === claim.kind);
    if (known) known.score += claim.score;
    else if (claim.score >= leastClaim && (claim.kind !== 'exec_boundary' || starts)) claims.push(claim);
  }
  return claims.sort((a, b) => b.score - a.score || (a.kind < b.kind ? -1 : 1));
}

function claimOf(
  signals: KindSignals,
  node: GraphNode,
  words: string,
  home: string[],
  body: () => string,
  isClosure: boolean,
): Claim | undefined {
  const place = `${node.file}:${node.start}`;
  let score = 0;
  let reason = '';
  for (const [pattern, weight] of signals.names) {
    if (weight > score && pattern.test(words))
      [score, reason] = [weight, `its name \`${node.name}\` says so (${place})`];
  }
  if (isClosure) score *= 0.7;
  const homeIs = home.find((name) => signals.home?.test(name));
  if (homeIs !== undefined) {
    score += homeIs === home[0] && doing.test(words) ? 2.2 : 1;
    if (reason === '') reason = `belongs to "${homeIs}" by the names around it (${place})`;
  }
  if (signals.doc?.test(node.doc ?? '')) {
    score += 1;
    if (score < 2) reason = `its comment says so: ${quoted(node.doc)} (${place})`;
  }
  const veto = signals.not?.test(words) === true || home.some((name) => signals.notHome?.test(name));
  if (signals.text && (score > 0 || (signals.text.alone !== undefined && !veto)) && signals.text.pattern.test(body())) {
    if (score === 0) reason = `its text says so: ${quoted(signals.text.pattern.exec(body())?.[0])} (${place})`;
    score += score > 0 ? signals.text.weight : (signals.text.alone ?? 0);
  }
  if (veto) score -= 1.5;
  // Making the object is not what the object does.
  if (/^(?:new \w|init$|constructor$)/.test(words)) score -= 1;
  return score > 0 ? { kind: signals.kind, score, reason } : undefined;
}

/** A function inside a function, or a member of an object literal: it lives where the code around it lives. */
export function isInsideFunction(node: GraphNode, graph: ProgramGraph): boolean {
  const at = node.qualname.lastIndexOf('.');
  return at !== -1 && graph.node(`${node.file}#${node.qualname.slice(0, at)}`)?.kind !== 'class';
}

/** Kind of a class whose name tells what it holds: configuration defaults above all. */
export function classifyClass(node: GraphNode): { kind: UnitKind; reason: string } | undefined {
  const words = wordsOf(node.name).join(' ');
  const place = `${node.file}:${node.start}`;
  if (/\b(config|settings|options)$/.test(words))
    return { kind: 'config_defaults', reason: `the fields of \`${node.name}\` carry the defaults (${place})` };
  if (/\b(exception|error|exceeded|submitted|terminated?)$/.test(words)) {
    if (/\b(limit|limits|time|budget|cost|steps?|context window)\b/.test(words))
      return { kind: 'limits', reason: `\`${node.name}\` reports a limit (${place})` };
    if (/\bformat|parse\b/.test(words))
      return { kind: 'format_error', reason: `\`${node.name}\` reports a malformed answer (${place})` };
    if (/\bsubmitted|terminated?\b/.test(words))
      return { kind: 'termination', reason: `\`${node.name}\` ends the run (${place})` };
  }
  return undefined;
}

/** Tools of other trades whose names share a word with the common ones. */
const otherTrades =
  /\b(memory|memories|todos?|plan|agents?|skills?|web|browser|site|page|image|notebook|url|fetch|mcp|thought|think|session|checkpoint|task|tasks)\b/;

/** Kind of a tool by the name the model sees; undefined when the name tells nothing. */
export function toolKind(name: string): UnitKind | undefined {
  const words = wordsOf(name).join(' ');
  const plain = toolPatterns.find((pattern) => pattern.plain.test(words));
  if (plain) return plain.kind;
  return otherTrades.test(words) ? undefined : toolPatterns.find((pattern) => pattern.name.test(words))?.kind;
}

/** How much a tool has the very name of its trade, from 0 to 1: `grep` is the search tool, `list_files` one more. */
export function plainness(name: string): number {
  const words = wordsOf(name).join(' ');
  const pattern = toolPatterns.find((other) => other.plain.test(words));
  if (!pattern) return 0;
  return pattern.first && !pattern.first.test(words) ? 0.7 : 1;
}

/** The tool that a function runs, and where that is said: the function itself may not know its tool's name. */
function implementedTool(node: GraphNode, graph: ProgramGraph): { name: string; place: string } | undefined {
  const edge = graph.in(node.id, 'implements-tool')[0];
  const tool = edge ? graph.node(edge.from) : undefined;
  return edge && tool ? { name: tool.name, place: `${edge.file}:${edge.line}` } : undefined;
}

/** Words of the class around a function, of its file and of its folder. */
function homeWords(node: GraphNode): string[] {
  const homes: string[] = [];
  const at = node.qualname.lastIndexOf('.');
  if (at !== -1) homes.push(wordsOf(node.qualname.slice(0, at).split('.').at(-1) ?? '').join(' '));
  const parts = node.file.split('/');
  const stem = (parts.at(-1) ?? '').replace(/\.[^.]*$/, '');
  if (!/^(index|__init__|mod|lib|main|utils?|common|helpers?)$/.test(stem)) homes.push(wordsOf(stem).join(' '));
  homes.push(wordsOf(parts.at(-2) ?? '').join(' '));
  return homes;
}

export function quoted(text: string | undefined): string {
  return `\`${(text ?? '').replace(/\s+/g, ' ').replaceAll('`', "'").slice(0, 60)}\``;
}
