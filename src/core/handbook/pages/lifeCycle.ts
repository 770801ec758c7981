import type { BehaviourMap, StageKind } from '../model';
import { kindWords, stageOrder, tellingKinds } from '../vocabulary';

const mostSteps = 10;

/** The flow as plain text: stages downwards, the kinds of the steps of a round inside the loop, side flows below. */
export function lifeCycle(map: BehaviourMap): string[] {
  const lines: string[] = [];
  for (const kind of stageOrder) {
    const stage = map.stages.find((candidate) => candidate.kind === kind);
    if (!stage || kind === 'subsystem' || kind === 'side_flow' || kind === 'cross_cut') continue;
    lines.push(`${lines.length === 0 ? '' : '-> '}${stage.title}`);
    if (kind === 'loop') lines.push(...round(map, stage.units));
  }
  for (const [kind, words] of [
    ['side_flow', 'aside'],
    ['cross_cut', 'throughout'],
  ] as [StageKind, string][]) {
    const titles = kindsOf(map, map.stages.find((stage) => stage.kind === kind)?.units ?? []);
    if (titles.length > 0) lines.push(`${words}: ${titles.slice(0, 6).join(', ').toLowerCase()}`);
  }
  return lines;
}

/** Each kind once, where it comes first in the round. */
function round(map: BehaviourMap, ids: readonly string[]): string[] {
  const steps = ids.filter((id) => {
    const unit = map.units.find((candidate) => candidate.id === id);
    return unit?.order !== undefined && unit.kind !== 'loop_step';
  });
  const kinds = steps.flatMap((id) => map.units.find((unit) => unit.id === id)?.kind ?? []);
  const titles = tellingKinds(
    kinds.filter((kind) => kind !== 'other'),
    mostSteps,
  ).map((kind) => kindWords[kind].title);
  const shown = titles.map((title, index) => `  ${index === 0 ? '+->' : '|  '} ${title}`);
  return titles.length === 0 ? [] : [...shown, '  +-- again until it leaves'];
}

function kindsOf(map: BehaviourMap, ids: readonly string[]): string[] {
  const units = ids.map((id) => map.units.find((unit) => unit.id === id)).filter((unit) => unit !== undefined);
  return [...new Set(units.filter((unit) => unit.kind !== 'other').map((unit) => kindWords[unit.kind].title))];
}
