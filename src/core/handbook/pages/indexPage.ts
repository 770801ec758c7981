import type { ProgramGraph } from '../../graph';
import type { BehaviourMap, Register, Unit, UnitKind } from '../model';
import { kindWords } from '../vocabulary';
import { lifeCycle } from './lifeCycle';
import { limitValues } from './limits';
import { codeSpan, escapeText, type PageContext, plural, safeText, stagePath } from './links';

const path = 'index.md';
const most = { calls: 3, registers: 5, subsystems: 12, tools: 16, notFound: 8, orphans: 6, packages: 8, texts: 10 };

/** L1: the whole harness on one screen. */
export function indexPage(context: PageContext): string {
  const { map, graph } = context;
  const lines = [`# Handbook of ${escapeText(map.harness)}`, '', whatARunDoes(map), ''];
  const cycle = lifeCycle(map);
  if (cycle.length > 1) lines.push('## Life cycle', '', '```text', ...cycle, '```', '');
  if (map.stages.length > 0) lines.push('## Stages', '', ...stages(context), '');
  const found = places(context);
  if (found.length > 0) lines.push('## Where things are', '', ...found, '');
  const limits = limitValues(context);
  if (limits.length > 0) {
    lines.push('## Limits', '');
    for (const node of limits) {
      const link = context.source(path, node.file, node.start, node.end, node.qualname || node.name);
      lines.push(`- ${link} = ${codeSpan((node.detail ?? '').slice(0, 40))}`);
    }
    lines.push('');
  }
  if (map.registers.length > 0) {
    lines.push('## State that crosses rounds and stages', '');
    for (const register of map.registers.slice(0, most.registers)) lines.push(`- ${registerLine(register, context)}`);
    lines.push(...furtherLine(map.registers.length, most.registers), '');
  }
  if (map.notFound.length > 0) {
    lines.push('## Looked for and not found', '');
    for (const text of map.notFound.slice(0, most.notFound)) lines.push(`- ${safeText(text)}`);
    lines.push(...furtherLine(map.notFound.length, most.notFound), '');
  }
  lines.push(...added(context));
  lines.push('## Numbers', '', numbers(map), '');
  const packages = installedPackages(graph);
  if (packages.length > 0) {
    const named = packages.slice(0, most.packages).map(codeSpan).join(', ');
    lines.push(`Part of this map, because they carry the harness's own npm scope: ${named}.`, '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function whatARunDoes(map: BehaviourMap): string {
  const entry = map.units.find((candidate) => candidate.kind === 'entry');
  const loop = map.units.find((candidate) => candidate.id === map.loops[0]);
  if (!loop && map.units.length === 0) return 'Neither code nor text for a model was found.';
  if (!loop) return 'No agent loop was found; the units below are sorted by what they call and by their names.';
  const start = entry
    ? `A run starts in ${codeSpan(entry.sites[0]?.symbol || entry.sites[0]?.file || '')} and turns`
    : 'A run turns';
  const more =
    map.loops.length > 1
      ? ` ${plural(map.loops.length - 1, 'other loop')} could also be meant, see the stage Iterate.`
      : '';
  return `${start} in ${codeSpan(loop.sites[0]?.symbol || loop.sites[0]?.file || '')}. ${safeText(loop.summary)}${more}`;
}

function stages(context: PageContext): string[] {
  const { map } = context;
  const flow = map.stages.filter((stage) => stage.kind !== 'subsystem');
  const lines = flow.map(
    (stage) => `- ${context.page(path, stagePath(stage), stage.title)}: ${plural(stage.units.length, 'unit')}`,
  );
  const folders = map.stages.filter((stage) => stage.kind === 'subsystem');
  if (folders.length === 0) return lines;
  const links = folders
    .slice(0, most.subsystems)
    .map((stage) => context.page(path, stagePath(stage), stage.id.slice('subsystem:'.length)));
  const more = folders.length > most.subsystems ? `, and ${folders.length - most.subsystems} more in \`stages/\`` : '';
  return [...lines, `- Subsystems by folder: ${links.join(', ')}${more}`];
}

const shownKinds: UnitKind[] = [
  'main_loop',
  'model_call',
  'tool_dispatch',
  'exec_boundary',
  'limits',
  'termination',
  'truncation',
  'trajectory',
];

function places(context: PageContext): string[] {
  const { map } = context;
  const lines: string[] = [];
  for (const kind of shownKinds) {
    // Without a loop there is no order in which one call of the model comes first.
    const units = kind === 'model_call' && map.loops.length === 0 ? unitsOfKind(map, kind) : [firstOfKind(map, kind)];
    for (const unit of units.slice(0, most.calls)) {
      const site = unit?.sites[0];
      if (unit && site)
        lines.push(`- ${kindWords[kind].title}: ${context.unitLink(path, unit.id)} in ${context.site(path, site)}`);
    }
  }
  // Without a loop the texts are what the harness is, as in a folder of skills.
  const texts = map.loops.length > 0 ? [] : map.units.filter((unit) => unit.kind === 'system_prompt');
  for (const unit of texts.slice(0, most.texts)) {
    const site = unit.sites[0];
    if (site) lines.push(`- Text for the model: ${context.unitLink(path, unit.id)} in ${context.site(path, site)}`);
  }
  if (texts.length > most.texts) lines.push(`- and ${texts.length - most.texts} more texts, see the stages`);
  for (const unit of map.units.filter((candidate) => candidate.pinned).slice(0, 8))
    lines.push(`- Pinned: ${context.unitLink(path, unit.id)}`);
  lines.push(...tools(context), ...concerns(context));
  return lines;
}

/** Tools that the model is offered; how many more names are declared for somebody else. */
function tools({ map, graph }: PageContext): string[] {
  const nameOf = (id: string): string => graph.node(id)?.name ?? id;
  const offered = [...new Set((map.modelTools ?? []).map(nameOf))];
  const all = new Set(graph.data.nodes.filter((node) => node.kind === 'tool').map((node) => node.name));
  const others = all.size - offered.length;
  const lines: string[] = [];
  if (offered.length > 0) {
    const more = offered.length > most.tools ? ` and ${offered.length - most.tools} more` : '';
    lines.push(`- Tools for the model: ${offered.slice(0, most.tools).map(codeSpan).join(', ')}${more}`);
  }
  if (others > 0)
    lines.push(
      `- Declared for others (tests, examples, other programs of the repository, commands that people type): ${plural(others, 'name')}`,
    );
  return lines;
}

/** Concerns without a kind of their own, each with the unit that is its heart. */
function concerns(context: PageContext): string[] {
  const first = new Map<string, Unit>();
  for (const unit of context.map.units)
    if (unit.area !== undefined && unit.apart !== true && !first.has(unit.area)) first.set(unit.area, unit);
  const links = [...first.values()].map((unit) => context.unitLink(path, unit.id));
  return links.length === 0 ? [] : [`- Also here: ${links.join('; ')}`];
}

/** The unit that comes first in the map, as everywhere; what no run goes through is not shown here. */
function firstOfKind(map: BehaviourMap, kind: UnitKind): Unit | undefined {
  if (kind === 'main_loop') return map.units.find((unit) => unit.id === map.loops[0]);
  return unitsOfKind(map, kind)[0];
}

function unitsOfKind(map: BehaviourMap, kind: UnitKind): Unit[] {
  return map.units.filter((unit) => unit.kind === kind && unit.apart !== true);
}

/** What people and models added, and what of it has no place any more. */
function added({ map }: PageContext): string[] {
  const byPeople = map.units.filter((unit) => unit.edited === 'person').length;
  const byModels = map.units.filter((unit) => unit.words?.title === 'model' || unit.words?.summary === 'model').length;
  const orphans = map.overlay?.orphans ?? [];
  if (byPeople + byModels + orphans.length === 0) return [];
  const lines = ['## Words that were not derived', ''];
  if (byPeople > 0) lines.push(`- ${plural(byPeople, 'unit')} edited by people`);
  if (byModels > 0) lines.push(`- ${plural(byModels, 'unit')} named or described by a model; their pages say so`);
  for (const { key, title, why } of orphans.slice(0, most.orphans))
    lines.push(`- Without a place: ${title ? `"${safeText(title)}" for ` : ''}${codeSpan(key)}, ${safeText(why)}`);
  return [...lines, ...furtherLine(orphans.length, most.orphans), ''];
}

function furtherLine(count: number, shown: number): string[] {
  return count > shown ? [`- and ${count - shown} more in \`map.json\``] : [];
}

/** Packages below node_modules that were indexed with the harness. */
function installedPackages(graph: ProgramGraph): string[] {
  const names = new Set<string>();
  for (const { path: file } of graph.data.files) {
    const name = /(?:^|\/)node_modules\/(@[^/]+\/[^/]+)\//.exec(file)?.[1];
    if (name) names.add(name);
  }
  return [...names].sort();
}

function registerLine(register: Register, context: PageContext): string {
  const first = (access: string): string | undefined => {
    const found = register.sites.find((item) => item.access === access)?.site;
    return found ? `${access} ${context.site(path, found)}` : undefined;
  };
  const found = [first('init'), first('write') ?? first('reset'), first('read')].filter(Boolean);
  return `${codeSpan(register.name)} (${register.scope} of ${codeSpan(register.owner)}): ${found.join(', ')}`;
}

function numbers({ counts, unassigned }: BehaviourMap): string {
  const share = counts.codeLines === 0 ? '' : ` (${Math.floor((100 * counts.assignedLines) / counts.codeLines)} %)`;
  return (
    `${plural(counts.files, 'file')}, ${plural(counts.functions, 'function')}, ${plural(counts.prompts, 'prompt')}, ${plural(counts.tools, 'tool')}, ` +
    `${plural(counts.config, 'configuration key')}. ${counts.assignedLines} of ${counts.codeLines} code lines${share} belong to a unit; ` +
    `${plural(unassigned.length, 'range')} without a home ${unassigned.length === 1 ? 'is' : 'are'} listed in \`map.json\`. ` +
    `${plural(counts.resolvedCalls, 'call')} resolved inside the harness, ${counts.unresolvedCalls} not.`
  );
}
