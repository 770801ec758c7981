import type { GraphNode, ProgramGraph } from '../../graph';
import type { UnitKind } from '../model';
import { wordsOf } from '../vocabulary';
import { classifyClass } from './classify';
import type { Draft, Drafts } from './drafts';
import { groupByFolder, roundedLimit } from './folders';
import type { Relevance } from './relevance';
import type { Scope } from './scope';
import type { Sources } from './sources';

export interface ArtifactInput {
  graph: ProgramGraph;
  sources: Sources;
  scope: Scope;
  relevance: Relevance;
}

/** Texts and keys of one file are one unit; files of one folder share one where there are more than these. */
const maximumFiles = 5;
const longText = 160;
/** Characters of literals from which a function named for a text makes one. */
const leastMade = 120;
const defaultName =
  /^(default|max|min|banned|blocked|allowed|safe)\b|\b(limit|timeout|defaults?|max|budget|threshold|ratio|window size|max \w+|chars|tokens|bytes|attempts|retries)$/;
const addressed =
  /\b(?:you are|you must|you should|your (?:task|job|goal|role|last|previous|response|output)|do not|please|the user|respond with|summari[sz]e|use this tool)\b/i;

interface Text {
  node: GraphNode;
  kind: UnitKind;
  start: number;
  end: number;
  /** Set where the text is a region of a function that lives elsewhere. */
  inside: boolean;
}

/** Units of texts for the model and of configuration: prompts, templates, keys with their defaults, named limits. */
export function gatherArtifacts(drafts: Drafts, input: ArtifactInput): void {
  gatherTexts(drafts, input);
  gatherKeys(drafts, input);
}

function gatherTexts(drafts: Drafts, input: ArtifactInput): void {
  const groups = new Map<UnitKind, Map<string, Text[]>>();
  for (const text of textsOf(input)) {
    const files = groups.get(text.kind) ?? new Map<string, Text[]>();
    groups.set(text.kind, files);
    files.set(text.node.file, [...(files.get(text.node.file) ?? []), text]);
  }
  for (const [kind, files] of groups) {
    const ranked = [...files].sort(([a, x], [b, y]) => worth(y, b, input) - worth(x, a, input) || (a < b ? -1 : 1));
    const own = ranked.slice(0, maximumFiles);
    for (const [file, texts] of own) {
      const draft = textDraft(drafts, kind, file, texts);
      for (const text of texts) addText(drafts, draft, text, input.sources);
    }
    const rest = ranked.slice(own.length).map(([file, texts]) => ({ path: file.split('/'), weight: 1, texts }));
    for (const group of groupByFolder(rest, roundedLimit(rest.length / 3))) {
      const folder = group.path.join('/') || '.';
      const words = `${group.rest ? 'other files' : 'files'} of ${folder}`;
      const draft = drafts.open(kind, `${folder}/texts`, words);
      for (const { texts } of group.items) for (const text of texts) addText(drafts, draft, text, input.sources);
    }
  }
}

function textDraft(drafts: Drafts, kind: UnitKind, file: string, texts: readonly Text[]): Draft {
  const only = texts.length === 1 ? texts[0] : undefined;
  const subject = only && only.node.qualname !== '' ? `${only.node.qualname} in ${baseOf(file)}` : file;
  return drafts.open(kind, `${file}/text`, subject);
}

function addText(drafts: Drafts, draft: Draft, text: Text, sources: Sources): void {
  const { node } = text;
  const place = `(${node.file}:${text.start})`;
  if (text.inside) drafts.addSite(draft, sources.site(node.file, node.qualname, text.start, text.end));
  else if (!drafts.adopt(draft, node)) drafts.addSite(draft, sources.nodeSite(node));
  if (draft.reasons.length < 6) draft.reasons.push(`text for the model ${place}`);
  if (node.kind === 'prompt') gatherTruncationInTemplate(drafts, node, sources);
}

function worth(texts: readonly Text[], file: string, { graph, relevance }: ArtifactInput): number {
  const uses = texts.reduce((sum, text) => sum + graph.in(text.node.id, 'uses-prompt').length, 0);
  const stem = baseOf(file).replace(/\.[^.]*$/, '');
  const plain = /^(default|system|main|base|agent|core|prompts?)$/.test(stem) ? 1 : 0;
  return relevance.ofFile(file) + Math.min(2, uses * 0.4) + plain - file.split('/').length * 0.1;
}

function* textsOf({ graph, sources, scope, relevance }: ArtifactInput): Generator<Text> {
  const covered = new Map<string, [number, number][]>();
  for (const node of graph.data.nodes) {
    if (!scope.isInside(node.file)) continue;
    const isText = node.kind === 'prompt' || (node.kind === 'variable' && isNamedText(node));
    if (!isText) continue;
    covered.set(node.file, [...(covered.get(node.file) ?? []), [node.start, node.end]]);
    yield { node, kind: textKind(node, sources), start: node.start, end: node.end, inside: false };
  }
  yield* madeTexts({ graph, sources, scope, relevance }, covered);
  for (const literal of graph.data.literals) {
    if (!scope.isInside(literal.file) || relevance.ofFile(literal.file) < 0) continue;
    const known = covered.get(literal.file) ?? [];
    if (known.some(([start, end]) => start <= literal.start && literal.end <= end)) continue;
    const fixed = literal.parts.filter((part) => part !== null).join(' ');
    if (fixed.length < longText || !addressed.test(fixed)) continue;
    const owner = graph.node(literal.owner);
    if (!owner || owner.kind === 'file' || isDocumentation(owner, literal.start)) continue;
    known.push([literal.start, literal.end]);
    covered.set(literal.file, known);
    const kind = kindOfWords(wordsOf(owner.name).join(' '), fixed) ?? 'system_prompt';
    yield { node: owner, kind, start: literal.start, end: literal.end, inside: true };
  }
}

/** Functions that are named for a text and put it together from long literals: `buildRunCommandsDescription`. */
function* madeTexts(
  { graph, scope, relevance }: ArtifactInput,
  covered: Map<string, [number, number][]>,
): Generator<Text> {
  const lengths = new Map<string, number>();
  for (const literal of graph.data.literals) {
    const length = literal.parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
    lengths.set(literal.owner, (lengths.get(literal.owner) ?? 0) + length);
  }
  for (const node of graph.functions()) {
    if (!scope.isInside(node.file) || node.test || relevance.ofFile(node.file) < 0) continue;
    const words = wordsOf(node.name).join(' ');
    if (!/\b(prompts?|instructions|descriptions?|reminder|system message)$/.test(words)) continue;
    if ((lengths.get(node.id) ?? 0) < leastMade) continue;
    covered.set(node.file, [...(covered.get(node.file) ?? []), [node.start, node.end]]);
    const kind = kindOfWords(words, '') ?? 'system_prompt';
    yield { node, kind, start: node.start, end: node.end, inside: true };
  }
}

/** A literal that opens a definition is its comment. */
function isDocumentation(owner: GraphNode, line: number): boolean {
  return owner.kind !== 'prompt' && owner.kind !== 'variable' && line - owner.start <= 1 && owner.doc !== undefined;
}

function isNamedText(node: GraphNode): boolean {
  const words = wordsOf(node.name).join(' ');
  if (
    !/\b(prompts?|instructions?|template|system message|reminder|descriptions?|desc|guidelines|preamble)$/.test(words)
  )
    return false;
  return node.end > node.start || (node.detail?.length ?? 0) >= 60;
}

function textKind(node: GraphNode, sources: Sources): UnitKind {
  const name = node.qualname === '' ? baseOf(node.file) : node.name;
  const words = wordsOf(name).join(' ');
  const known = kindOfWords(words, '');
  if (known) return known;
  const isFile = node.qualname === '' && /\.mdx?$/.test(node.file);
  if (isFile && /\bmemory\b/.test(words)) return 'memory_files';
  return sources.has(node.file) ? 'system_prompt' : 'other';
}

function kindOfWords(words: string, text: string): UnitKind | undefined {
  if (
    /\bsummar|\bcompact|\bcondens/.test(words) ||
    /\bsummari[sz]e (?:the|this|our) (?:conversation|history)/i.test(text)
  )
    return 'compaction';
  if (/\b(format|parse)?_?error\b|\bmalformed\b|\brequery\b/.test(words)) return 'format_error';
  if (
    /\byour (?:last|previous) (?:output|response)|could not be parsed|did not (?:use|include|contain) any/i.test(text)
  )
    return 'format_error';
  if (/\bobservation|\bnext step\b|\btool result|\boutput\b/.test(words)) return 'observation';
  if (/\btool (desc|use|usage)/.test(words)) return 'tool_registry';
  return undefined;
}

/** Output cut by a template instead of code: the branch that speaks of elided or truncated text. */
function gatherTruncationInTemplate(drafts: Drafts, node: GraphNode, sources: Sources): void {
  const lines = sources.lines(node.file);
  let first: number | undefined;
  let last = 0;
  for (let line = node.start; line <= node.end; line++) {
    const text = lines[line - 1] ?? '';
    if (!/\b(?:elided|truncat\w*|omitted|too long)/i.test(text) || !/\{[{%]|\d{3,}/.test(text)) continue;
    first ??= line;
    last = line;
  }
  if (first === undefined) return;
  const draft = drafts.open('truncation', 'templates', 'templates', {
    title: 'Truncation: by templates',
    region: true,
  });
  if (draft.sites.length >= 8) return;
  draft.sites.push(sources.site(node.file, node.qualname, first, last));
  if (draft.reasons.length < 6) draft.reasons.push(`the template itself cuts what is shown (${node.file}:${first})`);
}

/** Keys of files, classes of settings and named limits, by file; the files nearest to the run have a unit of their own. */
function gatherKeys(drafts: Drafts, { graph, scope, relevance }: ArtifactInput): void {
  const keys = new Map<string, GraphNode[]>();
  for (const node of graph.data.nodes) {
    if (!scope.isInside(node.file) || drafts.homeOf(node.id) || node.file === '') continue;
    if (isDefaults(node, scope)) keys.set(node.file, [...(keys.get(node.file) ?? []), node]);
  }
  const rank = (file: string): number =>
    relevance.ofFile(file) + (/(^|\/)(default|config|settings|base)[^/]*$/i.test(file) ? 1 : 0);
  const ranked = [...keys].sort(([a], [b]) => rank(b) - rank(a) || (a < b ? -1 : 1));
  const own = ranked.slice(0, maximumFiles + 1);
  for (const [file, nodes] of own) {
    const draft = drafts.open('config_defaults', file, /\.(ya?ml|jsonc?|toml)$/.test(file) ? file : baseOf(file));
    adoptKeys(drafts, draft, nodes, graph);
  }
  const rest = ranked.slice(own.length).map(([file, nodes]) => ({ path: file.split('/'), weight: 1, nodes }));
  for (const group of groupByFolder(rest, roundedLimit(rest.length / maximumFiles))) {
    const folder = group.path.join('/') || '.';
    const draft = drafts.open(
      'config_defaults',
      `${folder}/keys`,
      `${group.rest ? 'other files' : 'files'} of ${folder}`,
    );
    for (const { nodes } of group.items) adoptKeys(drafts, draft, nodes, graph);
  }
}

function isDefaults(node: GraphNode, scope: Scope): boolean {
  if (node.kind === 'config') return /\.(ya?ml|jsonc?|toml)$/.test(node.file);
  if (scope.role(node.file) === 'example') return false;
  if (node.kind === 'class') return classifyClass(node)?.kind === 'config_defaults';
  return (
    node.kind === 'variable' && scope.role(node.file) === 'harness' && defaultName.test(wordsOf(node.name).join(' '))
  );
}

function adoptKeys(drafts: Drafts, draft: Draft, nodes: readonly GraphNode[], graph: ProgramGraph): void {
  for (const node of nodes) {
    const reason =
      node.kind === 'config'
        ? 'keys with their defaults'
        : `\`${node.name}\` ${node.kind === 'class' ? 'carries defaults' : 'is a named default'}`;
    drafts.adopt(draft, node, `${reason} (${node.file}:${node.start})`);
    if (node.kind !== 'class') continue;
    // Methods of a class of settings that are some other behaviour stay there.
    for (const edge of graph.out(node.id, 'contains')) drafts.adoptQuietly(draft, edge.to);
  }
}

function baseOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
