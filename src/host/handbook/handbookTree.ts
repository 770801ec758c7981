import type { BehaviourMap, Stage, Unit } from '../../core/handbook/model';
import type { SiteTouches } from '../../core/links/model';
import { count } from '../traces/words';
import type { TreeNode } from '../tree/treeNode';
import { kindGroups, notFoundNodes, orphanNodes, registersNode, unassignedNode } from './handbookGroups';
import { type SiteStates, stateOfUnit } from './siteStates';
import { failingStepsOf } from './touches';
import { messageNode, unitNode } from './unitNodes';

export interface HandbookTreeInput {
  map: BehaviourMap;
  touches: readonly SiteTouches[];
  /** Sites whose text changed since it was indexed. */
  states: SiteStates;
  /** "refreshed 2 min ago" */
  refreshed: string;
}

/** The rows of the Handbook view: the harness, its stages in run order, then what the stages share. */
export function handbookTree(input: HandbookTreeInput): TreeNode[] {
  const { map } = input;
  const units = new Map(map.units.map((unit) => [unit.id, unit]));
  const { counts } = map;
  const stages = map.stages.filter((stage) => stage.units.length > 0);
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
    ...stages.filter((stage) => stage.kind !== 'subsystem').map((stage) => stageNode(stage, units, input)),
    ...subsystemsNode(
      stages.filter((stage) => stage.kind === 'subsystem'),
      units,
      input,
    ),
    registersNode(map.registers),
    ...kindGroups(map, units, input),
    unassignedNode(map),
    ...orphanNodes(map),
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

function stageNode(stage: Stage, units: Map<string, Unit>, input: HandbookTreeInput): TreeNode {
  const members = stage.units.flatMap((id) => units.get(id) ?? []);
  const failing = failingStepsOf(members, input.touches);
  const stale = members.filter((unit) => stateOfUnit(unit, input.states) === 'stale').length;
  const first = members[0]?.sites[0];
  const apart = stage.kind === 'cross_cut' || stage.kind === 'side_flow' || stage.kind === 'subsystem';
  const facts = [
    first && !apart ? first.file : count(members.length, 'unit'),
    failing ? count(failing, 'failing step') : '',
    stale ? `${stale} changed since` : '',
  ];
  return {
    id: `stage:${stage.id}`,
    label: stage.title,
    description: facts.filter(Boolean).join('  '),
    tooltip: [count(members.length, 'unit'), ...facts.slice(1)].filter(Boolean).join(', '),
    icon: { name: stageIcons[stage.kind] },
    context: 'stage',
    badge: { failing, state: stale ? 'stale' : null },
    state: stage.kind === 'loop' ? 'expanded' : 'collapsed',
    target: { kind: 'stage', stage: stage.id },
    children: () => members.map((unit) => unitNode(unit, input, `stage:${stage.id}`)),
  };
}

/** Folders of code that belong to no behaviour, together in one row: large repositories have dozens. */
function subsystemsNode(stages: readonly Stage[], units: Map<string, Unit>, input: HandbookTreeInput): TreeNode[] {
  if (stages.length === 0) return [];
  const members = stages.flatMap((stage) => stage.units).flatMap((id) => units.get(id) ?? []);
  const failing = failingStepsOf(members, input.touches);
  return [
    {
      id: 'subsystems',
      label: 'Subsystems',
      description: [
        count(stages.length, 'folder'),
        count(members.length, 'unit'),
        failing ? count(failing, 'failing step') : '',
      ]
        .filter(Boolean)
        .join('  '),
      tooltip: 'Code that belongs to no behaviour above, by folder',
      icon: { name: 'folder-library' },
      badge: { failing, state: null },
      state: 'collapsed',
      children: () =>
        stages.map((stage) => ({
          ...stageNode(stage, units, input),
          label: stage.title.replace(/^Subsystem /, ''),
        })),
    },
  ];
}

const stageIcons: Record<Stage['kind'], string> = {
  configure: 'settings-gear',
  setup: 'package',
  onset: 'debug-start',
  loop: 'sync',
  finish: 'debug-stop',
  side_flow: 'git-branch',
  cross_cut: 'layers',
  subsystem: 'folder',
};
