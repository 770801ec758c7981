import type { BehaviourMap, Register, Stage, Unit } from '../../core/handbook/model';
import type { SiteTouches } from '../../core/links/model';
import { count } from '../traces/words';
import type { SitePlace, TreeNode } from '../tree/treeNode';
import { touchesOfUnit } from './touches';

export interface HandbookTreeInput {
  map: BehaviourMap;
  touches: readonly SiteTouches[];
  /** "refreshed 2 min ago" */
  refreshed: string;
}

/** The rows of the Handbook view: the harness, its stages in run order, then what the stages share. */
export function handbookTree(input: HandbookTreeInput): TreeNode[] {
  const { map } = input;
  const units = new Map(map.units.map((unit) => [unit.id, unit]));
  const { counts } = map;
  const head: TreeNode = {
    id: 'harness',
    label: map.harness,
    description: [
      count(counts.functions, 'function'),
      count(counts.prompts, 'prompt'),
      count(counts.tools, 'tool'),
      input.refreshed,
    ].join(', '),
    tooltip: `${count(counts.files, 'file')}, ${count(counts.codeLines, 'line')} of code; ${counts.resolvedCalls} calls resolved, ${counts.unresolvedCalls} not`,
    icon: { name: 'book' },
    context: 'harness',
    state: 'leaf',
    command: { id: 'harnessmith.openHandbook', title: 'Open the handbook', arguments: [] },
  };
  return [
    head,
    ...map.stages.filter((stage) => stage.units.length > 0).map((stage) => stageNode(stage, units, input)),
    registersNode(map.registers),
    ...kindGroups(map, units, input),
    unassignedNode(map),
    ...notFoundNodes(map),
  ];
}

/** What stands in the view when there is no map: what happened, and the ways on. */
export function failureNodes(message: string, nextStep: string | null): TreeNode[] {
  const action = (id: string, title: string, icon: string): TreeNode => ({
    id: `failure:${id}`,
    label: title,
    icon: { name: icon },
    state: 'leaf',
    command: { id, title, arguments: [] },
  });
  return [
    { ...messageNode('failure', message), icon: { name: 'error', color: 'list.errorForeground' } },
    ...(nextStep ? [messageNode('failure:next', nextStep)] : []),
    action('harnessmith.refreshHandbook', 'Try again', 'refresh'),
    action('harnessmith.showLog', 'Show the log', 'output'),
  ];
}

function messageNode(id: string, text: string): TreeNode {
  return { id, label: text, icon: { name: 'info' }, state: 'leaf', tooltip: text };
}

function stageNode(stage: Stage, units: Map<string, Unit>, input: HandbookTreeInput): TreeNode {
  const members = stage.units.flatMap((id) => units.get(id) ?? []);
  const failing = new Set(members.flatMap((unit) => touchesOfUnit(unit, input.touches).failingSteps)).size;
  const first = members[0]?.sites[0];
  return {
    id: `stage:${stage.id}`,
    label: stage.title,
    description: [first && stage.kind !== 'cross_cut' ? first.file : '', failing ? count(failing, 'failing step') : '']
      .filter(Boolean)
      .join('  '),
    icon: { name: stage.kind === 'loop' ? 'sync' : 'layers' },
    context: 'stage',
    state: stage.kind === 'loop' ? 'expanded' : 'collapsed',
    children: () => members.map((unit) => unitNode(unit, input, `stage:${stage.id}`)),
  };
}

/** One unit with its sites below; a click goes to the first site. */
export function unitNode(unit: Unit, input: Pick<HandbookTreeInput, 'touches'>, parent: string): TreeNode {
  const touched = touchesOfUnit(unit, input.touches);
  const main = unit.sites[0]!;
  const failing = touched.failingSteps.length;
  const place = `${main.file}:${main.start}-${main.end}`;
  const label = unit.order === undefined ? unit.title : `${unit.order} ${unit.title}`;
  return {
    id: `${parent}/unit:${unit.id}`,
    label,
    description: failing ? `${place}  ${failing} failing` : place,
    tooltip: [unit.summary, ...unit.reasons, unit.edited ? `Title or description by a ${unit.edited}` : '']
      .filter(Boolean)
      .join('\n'),
    icon: { name: iconOf(unit), color: failing ? 'testing.iconFailed' : undefined },
    context: 'unit',
    state: unit.sites.length > 1 ? 'collapsed' : 'leaf',
    target: { kind: 'unit', unit: unit.id },
    command: openSite(main),
    spoken: `${label}, ${place}${failing ? `, ${count(failing, 'failing step')}` : ''}`,
    children:
      unit.sites.length > 1
        ? () => unit.sites.map((site, index) => siteNode(site, `${parent}/${unit.id}/${index}`))
        : undefined,
  };
}

function siteNode(site: SitePlace, id: string): TreeNode {
  return {
    id: `site:${id}`,
    label: site.symbol || site.file,
    description: `${site.file}:${site.start}-${site.end}`,
    icon: { name: 'location' },
    context: 'site',
    state: 'leaf',
    target: { kind: 'site', place: site },
    command: openSite(site),
  };
}

function openSite(site: SitePlace): TreeNode['command'] {
  const place: SitePlace = { file: site.file, start: site.start, end: site.end, symbol: site.symbol };
  return { id: 'harnessmith.openSite', title: 'Open the code', arguments: [place] };
}

function registersNode(registers: readonly Register[]): TreeNode {
  return {
    id: 'registers',
    label: 'State registers',
    description: String(registers.length),
    tooltip: 'State that crosses iterations or stages, with every place that writes or reads it',
    icon: { name: 'database' },
    state: registers.length ? 'collapsed' : 'leaf',
    children: () =>
      registers.map((register) => ({
        id: `register:${register.id}`,
        label: register.name,
        description: `${register.owner}  ${count(register.sites.length, 'access', 'accesses')}`,
        icon: { name: 'symbol-variable' },
        context: 'register',
        state: 'collapsed' as const,
        children: () =>
          register.sites.map((entry, index) => ({
            ...siteNode(entry.site, `${register.id}/${index}`),
            label: `${entry.access}  ${entry.site.symbol || entry.site.file}`,
          })),
      })),
  };
}

/** What was looked for without success; it says as much about a harness as what is there. */
function notFoundNodes(map: BehaviourMap): TreeNode[] {
  if (map.notFound.length === 0) return [];
  return [
    {
      id: 'notFound',
      label: 'Looked for, not found',
      description: String(map.notFound.length),
      icon: { name: 'search-stop' },
      state: 'collapsed',
      children: () => map.notFound.map((text, index) => messageNode(`notFound:${index}`, text)),
    },
  ];
}

/** Prompts, tools and configuration keys, each with the units that depend on it. */
function kindGroups(map: BehaviourMap, units: Map<string, Unit>, input: HandbookTreeInput): TreeNode[] {
  const groups: { id: 'prompts' | 'tools' | 'config'; label: string; icon: string; total: number }[] = [
    { id: 'prompts', label: 'Prompts', icon: 'comment', total: map.counts.prompts },
    { id: 'tools', label: 'Tools', icon: 'tools', total: map.counts.tools },
    { id: 'config', label: 'Configuration', icon: 'settings', total: map.counts.config },
  ];
  return groups.map(({ id, label, icon, total }) => {
    const users = new Map<string, string[]>();
    for (const unit of map.units) {
      for (const item of unit[id]) users.set(item, [...(users.get(item) ?? []), unit.id]);
    }
    return {
      id: `group:${id}`,
      label,
      description: String(total),
      icon: { name: icon },
      state: users.size ? ('collapsed' as const) : ('leaf' as const),
      children: () =>
        [...users].sort(([a], [b]) => a.localeCompare(b)).map(([item, by]) => itemNode(item, by, units, input)),
    };
  });
}

function itemNode(item: string, by: string[], units: Map<string, Unit>, input: HandbookTreeInput): TreeNode {
  const name = item.replace(/^(prompt|tool|config):/, '');
  const isFile = item.startsWith('prompt:') && !name.includes('#');
  return {
    id: `item:${item}`,
    label: name,
    description: `used by ${count(by.length, 'unit')}`,
    icon: { name: 'symbol-key' },
    state: 'collapsed',
    command: isFile ? openSite({ file: name, start: 1, end: 1 }) : undefined,
    children: () => by.map((id) => unitNode(units.get(id)!, input, `item:${item}`)),
  };
}

function unassignedNode(map: BehaviourMap): TreeNode {
  const lines = map.counts.codeLines - map.counts.assignedLines;
  return {
    id: 'unassigned',
    label: 'Unassigned',
    description: `${lines.toLocaleString('en-US')} of ${count(map.counts.codeLines, 'line')}`,
    tooltip: 'Code lines that no unit owns',
    icon: { name: 'question' },
    state: map.unassigned.length ? 'collapsed' : 'leaf',
    children: () =>
      map.unassigned.slice(0, 500).map((gap, index) => siteNode({ ...gap, symbol: '' }, `unassigned/${index}`)),
  };
}

const icons: Partial<Record<Unit['kind'], string>> = {
  entry: 'play',
  main_loop: 'sync',
  prompt_assembly: 'comment',
  system_prompt: 'comment',
  model_call: 'sparkle',
  response_parse: 'regex',
  retry: 'debug-restart',
  truncation: 'fold',
  compaction: 'collapse-all',
  limits: 'dashboard',
  termination: 'debug-stop',
  stop: 'debug-stop',
  permission: 'shield',
  format_error: 'warning',
  config_load: 'settings',
  config_defaults: 'settings',
};

function iconOf(unit: Unit): string {
  return icons[unit.kind] ?? (unit.kind.startsWith('tool_') ? 'tools' : 'symbol-method');
}
