import type { Stage, Unit } from '../model';
import { escapeText, type PageContext, stagePath } from './links';
import { safeSummary } from './unitPage';

const explanations: Record<Stage['kind'], string> = {
  configure: 'Where a run starts and where its settings come from.',
  setup: 'What is made before a run: tools and their descriptors, environments.',
  onset: 'What happens once a run begins and before its first round: the first messages, the text the model gets.',
  loop: 'The rounds of the agent. Numbered units are steps in run order; the others are what the steps use.',
  finish: 'What happens after the last round.',
  side_flow: 'What leaves the straight way: retries, compaction, sub-agents, interruption.',
  cross_cut: 'What is done in several stages: logging, accounting, cutting of output.',
  subsystem: 'Code of this folder that belongs to no behaviour above.',
};

/** L2: the units of one stage, each with one sentence. */
export function stagePage(stage: Stage, context: PageContext): string {
  const path = stagePath(stage);
  const lines = [`# ${escapeText(stage.title)}`, '', explanations[stage.kind], ''];
  const units = stage.units.map((id) => context.unit(id)).filter((unit) => unit !== undefined);
  const ordered = units.filter((unit) => unit.order !== undefined);
  const others = units.filter((unit) => unit.order === undefined);
  for (const unit of others.filter((candidate) => candidate.kind === 'main_loop'))
    lines.push(...row(unit, '-', context, path));
  ordered.forEach((unit, index) => {
    lines.push(...row(unit, `${index + 1}.`, context, path));
  });
  const rest = others.filter((candidate) => candidate.kind !== 'main_loop');
  if (rest.length > 0 && ordered.length > 0) lines.push('', '## Used by the steps', '');
  for (const unit of rest) lines.push(...row(unit, '-', context, path));
  return `${lines.join('\n').trimEnd()}\n`;
}

function row(unit: Unit, bullet: string, context: PageContext, path: string): string[] {
  const site = unit.sites[0];
  const place = site ? ` (${context.site(path, site)})` : '';
  return [`${bullet} ${context.unitLink(path, unit.id)}${place}: ${safeSummary(unit.summary)}`];
}
