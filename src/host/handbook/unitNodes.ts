import type { Unit } from '../../core/handbook/model';
import type { SiteTouches } from '../../core/links/model';
import { count } from '../traces/words';
import type { SitePlace, TreeNode } from '../tree/treeNode';
import { type SiteStates, stateOfSite, stateOfUnit, stateWords } from './siteStates';
import { touchesOfUnit } from './touches';
import { placeOf } from './unitWords';

export interface UnitNodeInput {
  touches: readonly SiteTouches[];
  states: SiteStates;
}

/** One unit with its sites below; a click goes to the first site. */
export function unitNode(unit: Unit, input: UnitNodeInput, parent: string): TreeNode {
  const main = unit.sites[0]!;
  const failing = touchesOfUnit(unit, input.touches).failingSteps.length;
  const state = stateOfUnit(unit, input.states);
  const place = placeOf(main);
  const label = unit.order === undefined ? unit.title : `${unit.order} ${unit.title}`;
  const changed = state ? stateWords[state] : '';
  return {
    id: `${parent}/unit:${unit.id}`,
    label,
    description: [unit.pinned ? 'pinned' : '', place, failing ? `${failing} failing` : '', changed]
      .filter(Boolean)
      .join('  '),
    tooltip: [unit.summary, changed, ...unit.reasons, unit.edited ? `Title or description by a ${unit.edited}` : '']
      .filter(Boolean)
      .join('\n'),
    icon: { name: iconOf(unit), color: failing ? 'testing.iconFailed' : undefined },
    context: ['unit', unit.pinned ? 'pinned' : '', unit.edited ? 'edited' : ''].filter(Boolean).join('.'),
    badge: { failing, state },
    state: unit.sites.length > 1 ? 'collapsed' : 'leaf',
    target: { kind: 'unit', unit: unit.id },
    command: openSite(main),
    spoken: [label, unit.pinned ? 'pinned' : '', place, failing ? count(failing, 'failing step') : '', changed]
      .filter(Boolean)
      .join(', '),
    children:
      unit.sites.length > 1
        ? () => unit.sites.map((site, index) => siteNode(site, `${parent}/${unit.id}/${index}`, input.states))
        : undefined,
  };
}

/** A place in the code; a click opens it. */
export function siteNode(site: SitePlace, id: string, states?: SiteStates): TreeNode {
  const state = states ? stateOfSite(site, states) : null;
  return {
    id: `site:${id}`,
    label: site.symbol || site.file,
    description: [placeOf(site), state ? stateWords[state] : ''].filter(Boolean).join('  '),
    icon: { name: 'location' },
    context: 'site',
    badge: { failing: 0, state },
    state: 'leaf',
    target: { kind: 'site', place: site },
    command: openSite(site),
  };
}

export function openSite(site: SitePlace): TreeNode['command'] {
  const place: SitePlace = { file: site.file, start: site.start, end: site.end, symbol: site.symbol };
  return { id: 'harnessmith.openSite', title: 'Open the code', arguments: [place] };
}

/** A row that only says something. */
export function messageNode(id: string, text: string): TreeNode {
  return { id, label: text, icon: { name: 'info' }, state: 'leaf', tooltip: text };
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

/** Codicon for the kind of a unit. */
export function iconOf(unit: Unit): string {
  return icons[unit.kind] ?? (unit.kind.startsWith('tool_') ? 'tools' : 'symbol-method');
}
