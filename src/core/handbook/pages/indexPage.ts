import type { GraphNode, ProgramGraph } from '../../graph';
import type { BehaviourMap, Register, Unit, UnitKind } from '../model';
import { kindWords, stageOrder } from '../vocabulary';
import { escapeText, type PageContext, stagePath } from './links';
import { safeSummary } from './unitPage';

const path = 'index.md';

/** L1: the whole harness on one screen. */
export function indexPage(context: PageContext, graph: ProgramGraph): string {
  const { map } = context;
  const lines = [`# Handbook of ${escapeText(map.harness)}`, ''];
  lines.push(...whatARunDoes(context), '');
  lines.push('## Life cycle', '', '```text', ...lifeCycle(map), '```', '');
  lines.push('## Stages', '');
  for (const stage of map.stages.filter((candidate) => candidate.kind !== 'subsystem')) {
    lines.push(`- ${context.page(path, stagePath(stage), stage.title)}: ${plural(stage.units.length, 'unit')}`);
  }
  lines.push(...subsystems(context), '');
  lines.push('## Where things are', '');
  for (const kind of [
    'main_loop',
    'model_call',
    'tool_dispatch',
    'exec_boundary',
    'limits',
    'termination',
    'truncation',
    'trajectory',
  ] as UnitKind[]) {
    const unit = firstOfKind(map, kind);
    const site = unit?.sites[0];
    if (unit && site)
      lines.push(`- ${kindWords[kind].title}: ${context.site(path, site)}, ${context.unitLink(path, unit.id)}`);
  }
  const tools = graph.data.nodes.filter((node) => node.kind === 'tool').map((node) => node.name);
  if (tools.length > 0)
    lines.push(
      `- Tools declared: ${[...new Set(tools)]
        .slice(0, 16)
        .map((name) => `\`${name}\``)
        .join(', ')}`,
    );
  lines.push('');
  const limits = limitValues(graph);
  if (limits.length > 0) {
    lines.push('## Limits', '');
    for (const node of limits) {
      lines.push(
        `- ${context.source(path, node.file, node.start, node.end, node.qualname || node.name)} = \`${(node.detail ?? '').replace(/`/g, "'").slice(0, 40)}\``,
      );
    }
    lines.push('');
  }
  if (map.registers.length > 0) {
    lines.push('## State that crosses rounds and stages', '');
    for (const register of map.registers.slice(0, 8)) lines.push(`- ${registerLine(register, context)}`);
    if (map.registers.length > 8) lines.push(`- and ${map.registers.length - 8} more in \`map.json\``);
    lines.push('');
  }
  if (map.notFound.length > 0) {
    lines.push('## Looked for and not found', '', ...map.notFound.map((text) => `- ${safeSummary(text)}`), '');
  }
  lines.push('## Numbers', '', numbers(map), '');
  const packages = installedPackages(graph);
  if (packages.length > 0) {
    lines.push(
      `Part of this map, because they carry the harness's own npm scope: ${packages.map((name) => `\`${name}\``).join(', ')}.`,
      '',
    );
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function whatARunDoes({ map }: PageContext): string[] {
  const entry = map.units.find((candidate) => candidate.kind === 'entry');
  const loop = map.units.find((candidate) => candidate.id === map.loops[0]);
  if (!loop) return ['No agent loop was found; the units below are sorted by what they call and by their names.'];
  const start = entry
    ? `A run starts in \`${entry.sites[0]?.symbol || entry.sites[0]?.file}\` and turns`
    : 'A run turns';
  const more =
    map.loops.length > 1
      ? ` ${plural(map.loops.length - 1, 'other loop')} could also be meant, see the stage Iterate.`
      : '';
  return [`${start} in \`${loop.sites[0]?.symbol}\`. ${safeSummary(loop.summary)}${more}`];
}

/** The flow as plain text: stages downwards, the kinds of the steps beside the loop. */
function lifeCycle(map: BehaviourMap): string[] {
  const lines: string[] = [];
  for (const kind of stageOrder) {
    const stage = map.stages.find((candidate) => candidate.kind === kind);
    if (!stage || kind === 'subsystem') continue;
    if (kind === 'side_flow' || kind === 'cross_cut') continue;
    if (lines.length > 0) lines.push('  |');
    lines.push(stage.title);
    if (kind !== 'loop') continue;
    const steps = stage.units
      .map((id) => map.units.find((unit) => unit.id === id))
      .filter((unit) => unit?.order !== undefined && unit.kind !== 'loop_step');
    const kinds: string[] = [];
    for (const step of steps) {
      const title = kindWords[(step as Unit).kind].title;
      if (kinds.at(-1) !== title) kinds.push(title);
    }
    kinds.slice(0, 12).forEach((title, index) => {
      lines.push(`  ${index === 0 ? '+->' : '|  '} ${title}`);
    });
    if (kinds.length > 0) lines.push('  +-- again until it leaves');
  }
  return lines;
}

function subsystems(context: PageContext): string[] {
  const folders = context.map.stages.filter((stage) => stage.kind === 'subsystem');
  const links = folders.map((stage) => context.page(path, stagePath(stage), stage.id.slice('subsystem:'.length)));
  return links.length === 0
    ? []
    : [
        `- Subsystems by folder: ${links.slice(0, 24).join(', ')}${links.length > 24 ? ` and ${links.length - 24} more` : ''}`,
      ];
}

/** Packages below node_modules that were indexed with the harness. */
function installedPackages(graph: ProgramGraph): string[] {
  const names = new Set<string>();
  for (const { path } of graph.data.files) {
    const name = /(?:^|\/)node_modules\/(@[^/]+\/[^/]+)\//.exec(path)?.[1];
    if (name) names.add(name);
  }
  return [...names].sort();
}

function firstOfKind(map: BehaviourMap, kind: UnitKind): Unit | undefined {
  if (kind === 'main_loop') return map.units.find((unit) => unit.id === map.loops[0]);
  const units = map.units.filter((unit) => unit.kind === kind);
  const used = [...units].sort((a, b) => b.callers.length - a.callers.length);
  return units.find((unit) => unit.order !== undefined) ?? used[0];
}

const limitName = /(?:^|_|\b)(?:max|limit|budget|timeout|threshold)|[a-z](?:Limit|Max|Budget|Timeout)\b|limit$/i;

/** Configuration keys and named constants that bound something and carry a number, at most twelve. */
function limitValues(graph: ProgramGraph): GraphNode[] {
  return graph.data.nodes
    .filter(
      (node) => (node.kind === 'config' || node.kind === 'variable' || node.kind === 'attribute') && node.file !== '',
    )
    .filter(
      (node) =>
        limitName.test(node.name) && /^[\d_.,\s*eE+-]+$/.test(node.detail ?? '') && /\d/.test(node.detail ?? ''),
    )
    .slice(0, 12);
}

function registerLine(register: Register, context: PageContext): string {
  const first = (access: string): string | undefined => {
    const found = register.sites.find((item) => item.access === access)?.site;
    return found ? `${access} ${context.site(path, found)}` : undefined;
  };
  const places = [first('init'), first('write') ?? first('reset'), first('read')].filter(Boolean);
  return `\`${register.name}\` (${register.scope} of \`${register.owner}\`): ${places.join(', ')}`;
}

function numbers({ counts, unassigned }: BehaviourMap): string {
  const share = counts.codeLines === 0 ? 100 : Math.floor((100 * counts.assignedLines) / counts.codeLines);
  return (
    `${plural(counts.files, 'file')}, ${plural(counts.functions, 'function')}, ${plural(counts.prompts, 'prompt')}, ${plural(counts.tools, 'tool')}, ` +
    `${plural(counts.config, 'configuration key')}. ${counts.assignedLines} of ${counts.codeLines} code lines (${share} %) belong to a unit; ` +
    `${plural(unassigned.length, 'range')} without a home ${unassigned.length === 1 ? 'is' : 'are'} listed in \`map.json\`. ` +
    `${counts.resolvedCalls} calls are resolved inside the harness, ${counts.unresolvedCalls} are not.`
  );
}

function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
