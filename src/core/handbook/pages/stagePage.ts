import { posix } from 'node:path';
import type { Register, Stage, Unit } from '../model';
import { kindWords } from '../vocabulary';
import { codeSpan, escapeText, type PageContext, plural, safeText, stagePath } from './links';

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
const mostRegisters = 8;
/** More units of one kind are listed by file, and those of more files by folder; earlier where a stage has many units. */
const mostRows = 24;
const mostRowsOfMany = 8;
const manyUnits = 40;

/** L2: the units of one stage, the state they change, and what comes before and after. */
export function stagePage(stage: Stage, context: PageContext): string {
  const path = stagePath(stage);
  const lines = [`# ${escapeText(stage.title)}`, '', explanations[stage.kind], ''];
  const units = stage.units.map((id) => context.unit(id)).filter((unit) => unit !== undefined);
  const ordered = units.filter((unit) => unit.order !== undefined);
  const others = units.filter((unit) => unit.order === undefined);
  const first = others.filter((unit) => unit.kind === 'main_loop' || unit.pinned);
  for (const unit of first) lines.push(row(unit, '-', context, path));
  ordered.forEach((unit, index) => {
    lines.push(row(unit, `${index + 1}.`, context, path));
  });
  const rest = others.filter((unit) => !first.includes(unit));
  if (first.length + ordered.length > 0) lines.push('');
  lines.push(...groups(rest, context, path));
  lines.push(...state(units, context), ...crossCuts(stage, units, context, path), ...handOff(stage, context, path));
  return `${lines.join('\n').trimEnd()}\n`;
}

/** The units without an order, by group in a full stage and by kind in others; a long list gives only name and place. */
function groups(units: readonly Unit[], context: PageContext, path: string): string[] {
  const named = new Map<string, Unit[]>();
  for (const unit of units) {
    const name = unit.group ?? (unit.kind === 'other' ? 'Other code' : kindWords[unit.kind].title);
    named.set(name, [...(named.get(name) ?? []), unit]);
  }
  const lines: string[] = [];
  for (const [name, group] of named) {
    lines.push(`## ${escapeText(name)}${name === 'Other code' ? '' : ` (${group.length})`}`, '');
    if (group.length > (units.length > manyUnits ? mostRowsOfMany : mostRows))
      lines.push(...byFile(group, context, path));
    else for (const unit of group) lines.push(row(unit, '-', context, path, units.length > mostRows));
    lines.push('');
  }
  return lines;
}

/** A line a file, or a folder, with the units in it. */
function byFile(units: readonly Unit[], context: PageContext, path: string): string[] {
  const fileOf = (unit: Unit) => unit.sites[0]?.file ?? '';
  const files = new Set(units.map(fileOf));
  const placeOf = (unit: Unit) => (files.size > mostRows ? posix.dirname(fileOf(unit)) : fileOf(unit));
  const places = new Map<string, string[]>();
  for (const unit of units) {
    const place = placeOf(unit);
    places.set(place, [...(places.get(place) ?? []), context.unitLink(path, unit.id)]);
  }
  return [...places]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([place, links]) => `- ${codeSpan(place)}: ${links.join(', ')}`);
}

function row(unit: Unit, bullet: string, context: PageContext, path: string, short = false): string {
  const site = unit.sites[0];
  const place = site ? ` (${context.site(path, site)})` : '';
  const summary = short ? '' : `: ${safeText(firstSentence(unit.summary))}`;
  const isModels = unit.words?.title === 'model' || (!short && unit.words?.summary === 'model');
  return `${bullet} ${context.unitLink(path, unit.id)}${place}${summary}${isModels ? ' (words of a model)' : ''}`;
}

function firstSentence(text: string): string {
  return /^.{20,}?[.?]["']?(?=\s[A-Z])/.exec(text)?.[0] ?? text;
}

/** The registers that units of the stage touch, and in which way. */
function state(units: readonly Unit[], context: PageContext): string[] {
  const ids = new Map<string, number>();
  for (const unit of units) for (const id of unit.registers) ids.set(id, (ids.get(id) ?? 0) + 1);
  const registers = context.map.registers.filter((register) => ids.has(register.id));
  if (registers.length === 0) return [];
  const lines = ['## State', ''];
  for (const register of registers.slice(0, mostRegisters)) {
    lines.push(`- ${codeSpan(register.name)} of ${codeSpan(register.owner)}: ${accessWords(register, units)}`);
  }
  if (registers.length > mostRegisters) lines.push(`- and ${registers.length - mostRegisters} more in \`map.json\``);
  return [...lines, ''];
}

function accessWords(register: Register, units: readonly Unit[]): string {
  const counts = new Map<string, number>();
  for (const { access, site } of register.sites) {
    const isHere = units.some((unit) =>
      unit.sites.some((own) => own.file === site.file && own.start <= site.start && site.end <= own.end),
    );
    if (isHere) counts.set(access, (counts.get(access) ?? 0) + 1);
  }
  return [...counts].map(([access, count]) => `${access} in ${plural(count, 'place')}`).join(', ');
}

/** Cross-cuts and side flows whose units are called from here. */
function crossCuts(stage: Stage, units: readonly Unit[], context: PageContext, path: string): string[] {
  if (stage.kind === 'cross_cut' || stage.kind === 'subsystem') return [];
  const called = new Set(units.flatMap((unit) => unit.calls));
  const others = context.map.stages
    .filter((other) => (other.kind === 'cross_cut' || other.kind === 'side_flow') && other.id !== stage.id)
    .flatMap((other) => other.units)
    .filter((id) => called.has(id));
  if (others.length === 0) return [];
  const links = others.slice(0, 10).map((id) => context.unitLink(path, id));
  const more = others.length > 10 ? ` and ${others.length - 10} more` : '';
  return ['## Leads to', '', `${links.join(', ')}${more}`, ''];
}

function handOff(stage: Stage, context: PageContext, path: string): string[] {
  const flow = context.map.stages.filter((one) => !['side_flow', 'cross_cut', 'subsystem'].includes(one.kind));
  const at = flow.findIndex((one) => one.id === stage.id);
  const neighbours = at === -1 ? [] : [flow[at - 1], flow[at + 1]];
  const [before, after] = neighbours;
  const words = [
    context.page(path, 'index.md', 'Overview'),
    before ? `before: ${context.stageLink(path, before.id)}` : '',
    after ? `next: ${context.stageLink(path, after.id)}` : '',
  ];
  return [words.filter(Boolean).join('; ')];
}
