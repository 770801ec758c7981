import type { GraphNode, ProgramGraph } from '../../graph';
import type { UnitKind } from '../model';
import { isExampleFile, isForeignFile, isTestFile, kindWords, wordsOf } from '../vocabulary';
import { type Classified, classifyClass, toolKind } from './classify';
import type { Draft, Drafts } from './drafts';
import type { Entry } from './entries';
import type { FoundLoop } from './loops';
import { isFunction, type Reach } from './reach';
import type { Sources } from './sources';
import type { Step } from './steps';

export interface GatherInput {
  graph: ProgramGraph;
  reach: Reach;
  sources: Sources;
  entries: readonly Entry[];
  loops: readonly FoundLoop[];
  steps: readonly Step[];
  kinds: ReadonlyMap<string, Classified>;
  /** Functions the first loop may run. */
  inLoop: ReadonlySet<string>;
}

/** Loops worth a unit of their own: close to the best one. */
const maximumLoops = 4;

/** Units of the flow: entry points, loops, the steps of the first loop, and what leads from entry to loop. */
export function gatherFlow(drafts: Drafts, input: GatherInput): string[] {
  const { loops, steps, entries, sources } = input;
  const loopIds: string[] = [];
  for (const loop of loops.slice(0, maximumLoops)) {
    if (loop !== loops[0] && loop.score < (loops[0]?.score ?? 0) - 6) break;
    const draft = drafts.open('main_loop', loop.node.id, loop.node.qualname);
    drafts.adopt(draft, loop.node);
    draft.reasons.push(...loop.reasons);
    loopIds.push(draft.id);
  }
  gatherSteps(drafts, steps, sources);
  for (const entry of entries) {
    const draft = drafts.open('entry', entry.id, entry.node?.qualname ?? entry.file);
    if (entry.node) drafts.adopt(draft, entry.node);
    else drafts.addSite(draft, sources.site(entry.file, '', entry.start, entry.end));
    if (draft.sites.length === 0 && entry.node) drafts.addSite(draft, sources.nodeSite(entry.node));
    draft.reasons.push(entry.reason);
  }
  for (const node of pathToLoop(input)) {
    if (drafts.homeOf(node.id) || input.kinds.has(node.id)) continue;
    const draft = drafts.open('other', node.id, node.qualname, {
      title: `On the way to the loop: ${node.qualname}`,
      stage: 'onset',
    });
    drafts.adopt(
      draft,
      node,
      `lies on the shortest way of calls from an entry point to the loop (${node.file}:${node.start})`,
    );
  }
  return loopIds;
}

function gatherSteps(drafts: Drafts, steps: readonly Step[], sources: Sources): void {
  let order = 0;
  for (const step of steps) {
    const stage = step.phase === 'before' ? 'onset' : step.phase === 'after' ? 'finish' : undefined;
    const kind: UnitKind = step.kind === 'loop_step' && stage ? 'other' : step.kind;
    const inFlow: Partial<Draft> = { stage: stage ?? 'loop', order: ++order };
    if (step.whole) {
      const draft = drafts.open(kind, step.node.id, step.node.qualname, inFlow);
      drafts.adopt(draft, step.node, step.reason);
      if (draft.sites.length === 0) drafts.addSite(draft, sources.nodeSite(step.node));
      continue;
    }
    const title = kind === 'other' ? (stage === 'onset' ? 'Before the loop' : 'After the loop') : undefined;
    const draft = drafts.region(kind, step.node, step.start, step.end, step.detail, inFlow);
    if (title) draft.title = draft.title.replace(kindWords.other.title, title);
    draft.reasons.push(step.reason);
  }
}

/** Functions on the shortest call path from any entry point to the first loop, without both ends. */
function pathToLoop({ entries, loops, reach, graph }: GatherInput): GraphNode[] {
  const goal = loops[0]?.node.id;
  if (!goal) return [];
  const cameFrom = new Map<string, string>();
  const queue: string[] = [];
  for (const entry of entries) {
    for (const id of [entry.id, ...graph.out(entry.id, 'calls').map((edge) => edge.to)]) {
      if (!queue.includes(id)) queue.push(id);
    }
  }
  const starts = new Set(queue);
  for (let at = 0; at < queue.length; at++) {
    const id = queue[at] as string;
    if (id === goal) break;
    for (const edge of reach.calls(id)) {
      if (edge.kind === 'contains' || starts.has(edge.to) || cameFrom.has(edge.to)) continue;
      cameFrom.set(edge.to, id);
      queue.push(edge.to);
    }
  }
  const path: GraphNode[] = [];
  for (let id = cameFrom.get(goal); id !== undefined; id = cameFrom.get(id)) {
    const node = graph.node(id);
    if (isFunction(node) && !entries.some((entry) => entry.id === id)) path.unshift(node);
  }
  return path;
}

/** Units of tools: the implementation first, then the descriptor the model sees. */
export function gatherTools(drafts: Drafts, { graph, sources }: GatherInput): void {
  for (const tool of graph.data.nodes) {
    if (tool.kind !== 'tool' || isTestFile(tool.file)) continue;
    const kind = toolKind(tool.name) ?? 'other';
    const draft = drafts.open(
      kind,
      tool.id,
      tool.name,
      kind === 'other' ? { title: `Tool: ${tool.name}`, stage: 'loop' } : {},
    );
    for (const edge of graph.out(tool.id, 'implements-tool')) {
      const node = graph.node(edge.to);
      if (!node || node.kind === 'boundary') continue;
      if (
        !drafts.adopt(
          draft,
          node,
          `\`${node.qualname}\` implements the tool \`${tool.name}\` (${node.file}:${node.start})`,
        )
      ) {
        drafts.addSite(draft, sources.nodeSite(node));
      }
    }
    for (const edge of graph.in(tool.id, 'declares-tool')) {
      const maker = graph.node(edge.from);
      // A function that makes only this tool is part of it; one that makes several is a registry.
      if (!isFunction(maker) || graph.out(maker.id, 'declares-tool').length > 1) continue;
      drafts.adopt(
        draft,
        maker,
        `\`${maker.qualname}\` makes the tool \`${tool.name}\` (${maker.file}:${maker.start})`,
      );
    }
    drafts.adopt(draft, tool, `declared as \`${tool.name}\` (${tool.file}:${tool.start})`);
    if (draft.sites.length === 0) drafts.addSite(draft, sources.nodeSite(tool));
  }
}

/** Units by kind: functions and classes of one kind in one class or file belong together. */
export function gatherKinds(drafts: Drafts, { graph, kinds, inLoop }: GatherInput): void {
  const ranked = [...kinds].sort(
    ([a, x], [b, y]) => y.strength - x.strength || Number(inLoop.has(b)) - Number(inLoop.has(a)) || (a < b ? -1 : 1),
  );
  for (const [id, found] of ranked) {
    const node = graph.node(id);
    // Strength 0: a process started off the way of the loop, which is a helper of its subsystem.
    if (!node || found.strength === 0 || drafts.homeOf(id)) continue;
    const home = homeSubject(node);
    const draft = drafts.open(found.kind, home.id, home.subject);
    drafts.adopt(draft, node, found.reason);
  }
  for (const node of graph.data.nodes) {
    if (node.kind !== 'class' || isTestFile(node.file) || isForeignFile(node.file) || isExampleFile(node.file))
      continue;
    const found = classifyClass(node);
    if (!found) continue;
    const draft = drafts.open(found.kind, node.id, node.qualname);
    drafts.adopt(draft, node, found.reason);
    for (const edge of graph.out(node.id, 'contains')) drafts.adoptQuietly(draft, edge.to);
  }
}

function homeSubject(node: GraphNode): { id: string; subject: string } {
  const at = node.qualname.lastIndexOf('.');
  if (at === -1) return { id: node.file, subject: node.file.slice(node.file.lastIndexOf('/') + 1) };
  const owner = node.qualname.slice(0, at);
  return { id: `${node.file}#${owner}`, subject: owner };
}

/** Units of prompts and configuration files: text the model sees and the keys with their defaults. */
export function gatherArtifacts(drafts: Drafts, { graph, sources }: GatherInput): void {
  for (const node of graph.data.nodes) {
    if (isTestFile(node.file) || isForeignFile(node.file)) continue;
    if (node.kind === 'prompt') {
      const kind = promptKind(node, sources);
      const subject =
        node.qualname === '' ? node.file : `${node.qualname} in ${node.file.slice(node.file.lastIndexOf('/') + 1)}`;
      const draft = drafts.open(kind, node.id, subject);
      drafts.adopt(draft, node, `text for the model (${node.file}:${node.start})`);
      gatherTruncationInTemplate(drafts, node, sources);
    } else if (node.kind === 'config' && node.file !== '' && /\.(ya?ml|jsonc?|toml)$/.test(node.file)) {
      const draft = drafts.open('config_defaults', node.file, node.file);
      drafts.adopt(draft, node);
      if (draft.reasons.length === 0) draft.reasons.push(`keys with their defaults (${node.file}:${node.start})`);
    } else if (
      node.kind === 'variable' &&
      !isExampleFile(node.file) &&
      /^(DEFAULT_|MAX_|MIN_)|_(LIMIT|TIMEOUT|DEFAULTS?|MAX|BUDGET|THRESHOLD)\b/.test(node.name)
    ) {
      const draft = drafts.open('config_defaults', node.file, node.file.slice(node.file.lastIndexOf('/') + 1));
      drafts.adopt(draft, node, `\`${node.name}\` is a named default (${node.file}:${node.start})`);
    }
  }
}

function promptKind(node: GraphNode, sources: Sources): UnitKind {
  const words = wordsOf(node.qualname === '' ? node.file.slice(node.file.lastIndexOf('/') + 1) : node.name).join(' ');
  if (/\bsummar|\bcompact|\bcondens/.test(words)) return 'compaction';
  if (/\b(format|parse)?_?error\b|\bmalformed\b|\brequery\b/.test(words)) return 'format_error';
  if (/\bobservation|\bnext step\b|\btool result|\boutput\b/.test(words)) return 'observation';
  if (/\btool (desc|use|usage)/.test(words)) return 'tool_registry';
  if (/\b(agents|claude|memory)\b/.test(words) && node.file.endsWith('.md') && node.qualname === '')
    return 'memory_files';
  return sources.has(node.file) ? 'system_prompt' : 'other';
}

/** Output cut by a template instead of code: the branch that speaks of elided or truncated text. */
function gatherTruncationInTemplate(drafts: Drafts, node: GraphNode, sources: Sources): void {
  const lines = sources.lines(node.file);
  let first: number | undefined;
  let last = 0;
  for (let line = node.start; line <= node.end; line++) {
    if (
      !/\b(?:elided|truncat\w*|omitted|too long)/i.test(lines[line - 1] ?? '') ||
      !/\{[{%]|\d{3,}/.test(lines[line - 1] ?? '')
    )
      continue;
    first ??= line;
    last = line;
  }
  if (first === undefined) return;
  const draft = drafts.region('truncation', node, first, last, 'template', {
    title: `Truncation: ${node.qualname || node.file} (template)`,
  });
  draft.reasons.push(`the template itself cuts what is shown (${node.file}:${first})`);
}

/** What has no other home: classes with their remaining methods, and files with their remaining functions. */
export function gatherRest(drafts: Drafts, { graph, sources }: GatherInput): void {
  for (const file of [...graph.data.files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (isTestFile(file.path) || isForeignFile(file.path)) continue;
    const nodes = graph.inFile(file.path);
    for (const node of nodes) {
      if (node.kind === 'class' && !drafts.homeOf(node.id)) gatherClass(drafts, node, nodes, sources);
    }
    for (const node of nodes) {
      if (drafts.homeOf(node.id)) continue;
      if (isFunction(node)) adoptWithParent(drafts, node, nodes, file.path);
      else if (node.kind === 'variable') drafts.adopt(fileDraft(drafts, file.path), node);
      else if (node.kind === 'attribute') {
        const owner = drafts.homeOf(
          `${node.file}#${node.qualname.slice(0, Math.max(0, node.qualname.lastIndexOf('.')))}`,
        );
        const draft = owner ? drafts.get(owner) : fileDraft(drafts, file.path);
        if (draft) drafts.adoptQuietly(draft, node.id);
      }
    }
  }
}

/** A nested function lives where the function around it lives. */
function adoptWithParent(drafts: Drafts, node: GraphNode, nodes: readonly GraphNode[], path: string): void {
  const at = node.qualname.lastIndexOf('.');
  const parent =
    at === -1 ? undefined : nodes.find((other) => isFunction(other) && other.qualname === node.qualname.slice(0, at));
  const home = parent ? drafts.homeOf(parent.id) : undefined;
  const draft = home ? drafts.get(home) : undefined;
  if (draft) drafts.adoptQuietly(draft, node.id);
  else drafts.adopt(fileDraft(drafts, path), node);
}

function gatherClass(drafts: Drafts, node: GraphNode, nodes: readonly GraphNode[], sources: Sources): void {
  const prefix = `${node.qualname}.`;
  const inside = nodes.filter((other) => other.id !== node.id && other.qualname.startsWith(prefix));
  const draft = drafts.open('other', node.id, node.qualname, {
    title: `Class ${node.qualname}`,
    folder: folderOf(node.file),
  });
  const elsewhere = inside.filter((other) => isFunction(other) && drafts.homeOf(other.id));
  if (elsewhere.length === 0) {
    drafts.adopt(draft, node);
    for (const other of inside) drafts.adoptQuietly(draft, other.id);
  } else {
    drafts.adoptQuietly(draft, node.id);
    const firstMethod = inside.find((other) => isFunction(other));
    if (firstMethod && firstMethod.start > node.start)
      drafts.addSite(draft, sources.site(node.file, node.qualname, node.start, firstMethod.start - 1));
    for (const other of inside) {
      if (isFunction(other) && other.qualname.indexOf('.', prefix.length) === -1) drafts.adopt(draft, other);
      else if (!isFunction(other)) drafts.adoptQuietly(draft, other.id);
    }
  }
  if (draft.sites.length === 0) drafts.addSite(draft, sources.site(node.file, node.qualname, node.start, node.start));
}

function fileDraft(drafts: Drafts, path: string): Draft {
  return drafts.open('other', path, path, { title: `File ${path}`, folder: folderOf(path) });
}

/** Folder that names a subsystem: the file's own folder. */
function folderOf(file: string): string {
  const at = file.lastIndexOf('/');
  return at === -1 ? '.' : file.slice(0, at);
}
