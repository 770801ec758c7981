import type { BehaviourMap, Register, Unit } from '../../core/handbook/model';
import { count } from '../traces/words';
import type { TreeNode } from '../tree/treeNode';
import { messageNode, openSite, siteNode, type UnitNodeInput, unitNode } from './unitNodes';

/** State that crosses iterations or stages, with every place that touches it. */
export function registersNode(registers: readonly Register[]): TreeNode {
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
export function notFoundNodes(map: BehaviourMap): TreeNode[] {
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
export function kindGroups(map: BehaviourMap, units: Map<string, Unit>, input: UnitNodeInput): TreeNode[] {
  const groups: { id: 'prompts' | 'tools' | 'config'; label: string; icon: string; total: number }[] = [
    { id: 'prompts', label: 'Prompts', icon: 'comment', total: map.counts.prompts },
    { id: 'tools', label: 'Tools', icon: 'tools', total: map.counts.tools },
    { id: 'config', label: 'Configuration', icon: 'settings', total: map.counts.config },
  ];
  return groups.map(({ id, label, icon, total }) => {
    const users = new Map<string, string[]>();
    for (const unit of map.units) {
      for (const item of unit[id]) {
        const known = users.get(item);
        if (known) known.push(unit.id);
        else users.set(item, [unit.id]);
      }
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

function itemNode(item: string, by: string[], units: Map<string, Unit>, input: UnitNodeInput): TreeNode {
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

/** Code without a home, so that a gap in the map shows. */
export function unassignedNode(map: BehaviourMap): TreeNode {
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

/** Edits of people and models that no unit answers to any more: the code they spoke of was moved or removed. */
export function orphanNodes({ overlay }: BehaviourMap): TreeNode[] {
  const orphans = overlay?.orphans ?? [];
  if (orphans.length === 0) return [];
  return [
    {
      id: 'orphans',
      label: 'Edits without a unit',
      description: String(orphans.length),
      tooltip: 'Titles, descriptions and moves in handbook.json whose unit is gone',
      icon: { name: 'debug-disconnect' },
      state: 'collapsed',
      children: () =>
        orphans.map(({ key, title, why }) => ({
          ...messageNode(`orphan:${key}`, title ?? key.replace(/^unit:/, '')),
          description: why,
          tooltip: `${key}\n${why}`,
          context: 'orphan',
          target: { kind: 'orphan' as const, key },
        })),
    },
  ];
}
