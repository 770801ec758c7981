import type { BehaviourMap, Register, Unit } from '../model';
import { unitPath } from '../pages/links';
import type { HandbookProblem } from './model';

const lists = [
  'calls',
  'callers',
  'mayCall',
  'mayBeCalledBy',
  'prompts',
  'tools',
  'config',
  'registers',
  'members',
] as const;
const words = ['kind', 'title', 'summary', 'stage', 'order', 'reasons', 'failures'] as const;

/**
 * What a written map says and the source does not bear out, or the other way round: units, relations, register accesses
 * and counts. Places whose text has changed are reported elsewhere; `stale` holds their files.
 */
export function relationProblems(
  before: BehaviourMap,
  now: BehaviourMap,
  stale: ReadonlySet<string>,
): HandbookProblem[] {
  const current = new Map(now.units.map((unit) => [unit.id, unit]));
  const known = new Set(before.units.map((unit) => unit.id));
  const problems: HandbookProblem[] = [];
  for (const unit of before.units) {
    const other = current.get(unit.id);
    if (other) problems.push(...unitProblems(unit, other, stale));
    else
      problems.push({
        page: unitPath(unit.id),
        message: `${unit.title}: the source has no such unit any more.`,
        ...placeOf(unit),
      });
  }
  for (const unit of now.units) {
    if (!known.has(unit.id))
      problems.push({ message: `${unit.title}: the handbook does not have this unit.`, ...placeOf(unit) });
  }
  problems.push(...registerProblems(before, now, stale), ...countProblems(before, now, stale));
  return problems;
}

function unitProblems(was: Unit, is: Unit, stale: ReadonlySet<string>): HandbookProblem[] {
  const problems: HandbookProblem[] = [];
  const page = unitPath(was.id);
  for (const list of lists) {
    const [before, after] = [was[list] ?? [], is[list] ?? []];
    const lost = before.filter((id) => !after.includes(id));
    const gained = after.filter((id) => !before.includes(id));
    if (lost.length + gained.length === 0) {
      // The order of calls is the path through the unit.
      const isMoved =
        list === 'calls' && before.join('\n') !== after.join('\n') && !stale.has(was.sites[0]?.file ?? '');
      if (isMoved) problems.push({ page, message: `${was.title}: ${list} stand in another order.`, ...placeOf(was) });
      continue;
    }
    const said = [
      lost.length > 0 ? `no longer ${lost.slice(0, 3).join(', ')}` : '',
      gained.length > 0 ? `now also ${gained.slice(0, 3).join(', ')}` : '',
    ];
    problems.push({
      page,
      message: `${was.title}: ${list} differ: ${said.filter(Boolean).join('; ')}.`,
      ...placeOf(was),
    });
  }
  // A changed text is reported as such; it explains these as well.
  if (was.sites.some((site) => stale.has(site.file))) return problems;
  const differing: string[] = words.filter((word) => JSON.stringify(was[word]) !== JSON.stringify(is[word]));
  if (JSON.stringify(was.sites) !== JSON.stringify(is.sites)) differing.push('sites');
  if (differing.length > 0)
    problems.push({
      page,
      message: `${was.title}: the source gives something else for ${differing.join(', ')}.`,
      ...placeOf(was),
    });
  return problems;
}

function registerProblems(before: BehaviourMap, now: BehaviourMap, stale: ReadonlySet<string>): HandbookProblem[] {
  const problems: HandbookProblem[] = [];
  const current = new Map(now.registers.map((register) => [register.id, register]));
  const known = new Set(before.registers.map((register) => register.id));
  for (const register of before.registers) {
    const other = current.get(register.id);
    const place = { file: register.sites[0]?.site.file ?? '', line: register.sites[0]?.site.start ?? 1 };
    if (!other) {
      problems.push({ message: `state \`${register.name}\`: the source has no such register any more.`, ...place });
      continue;
    }
    for (const word of ['name', 'owner', 'scope'] as const)
      if (register[word] !== other[word])
        problems.push({ message: `state \`${register.name}\`: its ${word} is ${other[word]}.`, ...place });
    const [was, is] = [accesses(register, stale), accesses(other, stale)];
    for (const [text, at] of was)
      if (!is.has(text)) problems.push({ message: `state \`${register.name}\`: there is no ${text}.`, ...at });
    for (const [text, at] of is)
      if (!was.has(text))
        problems.push({ message: `state \`${register.name}\`: the handbook leaves out ${text}.`, ...at });
  }
  for (const register of now.registers) {
    const [first] = register.sites;
    if (!known.has(register.id) && first)
      problems.push({
        message: `state \`${register.name}\`: the handbook does not have this register.`,
        file: first.site.file,
        line: first.site.start,
      });
  }
  return problems;
}

/** Each access by kind and place, without the files whose text has changed. */
function accesses(register: Register, stale: ReadonlySet<string>): Map<string, { file: string; line: number }> {
  const found = new Map<string, { file: string; line: number }>();
  for (const { access, site } of register.sites) {
    if (!stale.has(site.file))
      found.set(`${access} at ${site.file}:${site.start}`, { file: site.file, line: site.start });
  }
  return found;
}

function countProblems(before: BehaviourMap, now: BehaviourMap, stale: ReadonlySet<string>): HandbookProblem[] {
  if (stale.size > 0) return [];
  const problems: HandbookProblem[] = [];
  const add = (message: string) => problems.push({ page: 'index.md', message, file: 'index.md', line: 1 });
  for (const [name, count] of Object.entries(before.counts)) {
    const is = now.counts[name as keyof BehaviourMap['counts']];
    if (count !== is) add(`The handbook counts ${count} ${name}; there are ${is}.`);
  }
  for (const id of before.loops) if (!now.loops.includes(id)) add(`${id} is no agent loop any more.`);
  for (const id of now.loops)
    if (!before.loops.includes(id)) add(`The handbook does not say that ${id} is an agent loop.`);
  for (const text of before.notFound) if (!now.notFound.includes(text)) add(`No longer true: ${text}`);
  for (const text of now.notFound) if (!before.notFound.includes(text)) add(`The handbook does not say: ${text}`);
  for (const message of orderProblems(before, now)) add(message);
  return problems;
}

/** Stages, the way through a round, and lines without a home: whole lists, of which one word each is enough. */
function orderProblems(before: BehaviourMap, now: BehaviourMap): string[] {
  const differs = (was: unknown, is: unknown) => JSON.stringify(was) !== JSON.stringify(is);
  const problems: string[] = [];
  const stages = new Map(now.stages.map((stage) => [stage.id, stage]));
  for (const stage of before.stages) {
    const other = stages.get(stage.id);
    if (!other) problems.push(`There is no stage ${stage.id} any more.`);
    else if (differs(stage, other))
      problems.push(`The stage ${stage.id} has other units, another order or another name.`);
    stages.delete(stage.id);
  }
  for (const id of stages.keys()) problems.push(`The handbook does not have the stage ${id}.`);
  const ids = (map: BehaviourMap) => map.stages.map((stage) => stage.id);
  if (problems.length === 0 && differs(ids(before), ids(now))) problems.push('The stages stand in another order.');
  if (before.loops.length === now.loops.length && before.loops[0] !== now.loops[0])
    problems.push(`The first agent loop is ${now.loops[0]}, not ${before.loops[0]}.`);
  // A map of an older version has no steps.
  if (before.steps && differs(before.steps, now.steps))
    problems.push('The steps of the loop are others or in another order.');
  if (differs(before.unassigned, now.unassigned)) problems.push('The code lines without a home are others.');
  return problems;
}

function placeOf(unit: Unit): { file: string; line: number } {
  return { file: unit.sites[0]?.file ?? '', line: unit.sites[0]?.start ?? 1 };
}
