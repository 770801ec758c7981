import type { BehaviourMap } from '../handbook';
import type { LocateAnswer, LocatedSite, PlanItem } from './model';

const removal = /\b(remove|delete|drop|get rid of|stop using|deprecate)\b/i;
const addition = /\b(add|introduce|new|create|support|implement)\b/i;

/** A skeleton: which definitions to open for which purpose. It names places, it does not decide the change. */
export function planOf(
  request: string,
  sites: readonly LocatedSite[],
  units: LocateAnswer['units'],
  map: BehaviourMap,
): LocateAnswer['plan'] {
  const plan: LocateAnswer['plan'] = { modify: [], add: [], remove: [] };
  const best = sites[0]?.score ?? 0;
  const strong = sites.filter((site) => site.score >= 0.5 * best).slice(0, 5);
  const items = strong.map((site): PlanItem => ({ file: site.file, symbol: site.symbol, why: site.reason }));
  if (removal.test(request)) plan.remove.push(...items);
  else plan.modify.push(...items);
  if (addition.test(request) && /\btools?\b/i.test(request)) {
    const registry = map.units.find((unit) => unit.kind === 'tool_registry');
    const sibling = map.units.find(
      (unit) =>
        unit.kind.startsWith('tool_') &&
        unit.tools.length + unit.members.filter((id) => id.startsWith('tool:')).length > 0,
    );
    for (const [unit, why] of [
      [registry, 'tools are registered here'],
      [sibling, 'a tool of the harness to go by'],
    ] as const) {
      const site = unit?.sites[0];
      if (site) plan.add.push({ file: site.file, symbol: site.symbol, why });
    }
  } else if (addition.test(request) && plan.modify.length > 0) {
    const home = units[0]?.unit.sites[0];
    if (home)
      plan.add.push({ file: home.file, symbol: home.symbol, why: `new parts belong beside "${units[0]?.unit.title}"` });
  }
  return plan;
}
