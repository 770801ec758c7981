import type { GraphNode } from '../../graph';
import type { Failure, Register, Unit } from '../model';
import { kindWords } from '../vocabulary';
import { codeSpan, escapeText, type PageContext, paragraph, plural, safeText, unitPath } from './links';

/** How many things a list on a unit page shows at most. */
const most = { sites: 6, calls: 8, may: 4, callers: 6, prompts: 5, keys: 6, registers: 6, reasons: 6, failures: 8 };
/** Longer descriptions are cut at a sentence; see {@link cardWords}. */
const mostWords = 150;
/** What fits on one screen; the longest lists are cut further until a page does. */
const mostLines = 60;
const fewest = 2;

interface Section {
  title: string;
  lines: string[];
  shown: number;
  numbered: boolean;
}

/** L3: one unit on one screen. */
export function unitPage(unit: Unit, context: PageContext): string {
  const path = unitPath(unit.id);
  const { graph } = context;
  const sections: Section[] = [];
  const list = <T>(
    title: string,
    items: readonly T[],
    limit: number,
    render: (item: T) => string,
    numbered = false,
  ) => {
    if (items.length > 0) sections.push({ title, lines: items.map(render), shown: limit, numbered });
  };
  const place = (site: Unit['sites'][number]) =>
    context.site(path, site) + (site.symbol ? ` ${codeSpan(site.symbol)}` : '');
  list('Where', unit.sites, most.sites, place);
  const notes = trigger(unit, context, path, list);
  const call = (id: string) => `${context.unitLink(path, id)}${callWords(unit, id, context, path)}`;
  list('Main path', unit.calls, most.calls, call, true);
  list('One of several may run', unit.mayCall ?? [], most.may, call);
  const registers = unit.registers.map((id) => context.register(id)).filter((register) => register !== undefined);
  list('State', registers, most.registers, (register) => registerLine(register, unit, context, path));
  list('Errors and fallbacks', unit.failures ?? [], most.failures, (failure) => failureLine(failure, context, path));
  const prompts = unit.prompts.filter((id) => !unit.members.includes(id)).map((id) => graph.node(id));
  list(
    'Text for the model',
    prompts.filter((node) => node !== undefined),
    most.prompts,
    (node) => promptLine(node, context, path),
  );
  list('Configuration', configurationOf(unit, context), most.keys, (node) =>
    configurationLine(node, unit, context, path),
  );
  list('Evidence', unit.reasons, most.reasons, safeText);
  const head = [
    `# ${escapeText(unit.title)}`,
    '',
    headline(unit, context, path),
    '',
    paragraph(cardWords(unit.summary)),
    '',
  ];
  return `${[...head, ...notes, ...fitted(sections, mostLines - head.length - notes.length)].join('\n').trimEnd()}\n`;
}

/** The sections as lines, with the longest lists cut until all fit. */
function fitted(sections: readonly Section[], room: number): string[] {
  const size = ({ lines, shown }: Section) => 3 + Math.min(lines.length, shown) + (lines.length > shown ? 1 : 0);
  const visible = ({ lines, shown }: Section) => Math.min(lines.length, shown);
  while (sections.reduce((sum, section) => sum + size(section), 0) > room) {
    const [longest] = [...sections].sort((a, b) => visible(b) - visible(a));
    if (!longest || visible(longest) <= fewest) break;
    longest.shown = visible(longest) - 1;
  }
  return sections.flatMap(({ title, lines, shown, numbered }) => [
    `## ${title}`,
    '',
    ...lines.slice(0, shown).map((line, index) => `${numbered ? `${index + 1}.` : '-'} ${line}`),
    ...(lines.length > shown ? [`- and ${lines.length - shown} more in \`map.json\``] : []),
    '',
  ]);
}

function headline(unit: Unit, context: PageContext, path: string): string {
  const words = [
    `Kind: ${kindWords[unit.kind].title.toLowerCase()}.`,
    `Stage: ${context.stageLink(path, unit.stage)}.`,
    ...stepWords(unit, context),
    ...wordsOfOthers(unit, context, path),
  ];
  return words.join(' ');
}

function stepWords(unit: Unit, context: PageContext): string[] {
  const ordered = orderedWith(unit, context);
  const at = ordered.indexOf(unit.id);
  return at === -1 ? [] : [`Step ${at + 1} of ${ordered.length}.`];
}

/** The step in front of this one. */
function stepBefore(unit: Unit, context: PageContext): string | undefined {
  const ordered = orderedWith(unit, context);
  return ordered[ordered.indexOf(unit.id) - 1];
}

/** The units of its stage that have a place in the run order; none when it has no place itself. */
function orderedWith(unit: Unit, context: PageContext): string[] {
  if (unit.order === undefined) return [];
  const stage = context.map.stages.find((candidate) => candidate.id === unit.stage);
  return (stage?.units ?? []).filter((id) => context.unit(id)?.order !== undefined);
}

/** Which words are not derived, and whose they are. */
function wordsOfOthers(unit: Unit, context: PageContext, path: string): string[] {
  const { words } = unit;
  if (!words) return unit.edited ? [`Placed by a ${unit.edited}.`] : [];
  const model = escapeText(`${words.model ?? 'a model'}${words.at ? ` (${words.at.slice(0, 10)})` : ''}`);
  const sentences: string[] = [];
  const by = (author: 'person' | 'model') =>
    [words.title === author ? 'title' : '', words.summary === author ? 'description' : '']
      .filter(Boolean)
      .join(' and ');
  if (by('person') !== '') sentences.push(`Written by a person: ${by('person')}.`);
  if (by('model') !== '') sentences.push(`Written by the model ${model}, not derived: ${by('model')}.`);
  if (words.summary === 'model' && words.evidence && words.evidence.length > 0)
    sentences.push(
      `It cites ${words.evidence
        .slice(0, 6)
        .map((cited) => citedPlace(cited, context, path))
        .join(', ')}.`,
    );
  if (words.outdated)
    sentences.push(`A description by the model ${model} was for an older text of this code and is left out.`);
  return sentences;
}

function citedPlace(cited: string, context: PageContext, path: string): string {
  const [, file = '', start, end] = /^(.*):(\d+)-(\d+)$/.exec(cited) ?? [];
  return file === '' ? codeSpan(cited) : context.source(path, file, Number(start), Number(end));
}

type AddList = <T>(title: string, items: readonly T[], limit: number, render: (item: T) => string) => void;

/** What makes the unit run: its callers, or the units that use its text or keys. Gives a sentence where there is nothing. */
function trigger(unit: Unit, context: PageContext, path: string, list: AddList): string[] {
  const caller = (id: string) => {
    const other = context.unit(id);
    const place = other ? context.evidence.callPlace(other, unit.id) : undefined;
    return `called by ${context.unitLink(path, id)}${place ? ` at ${context.source(path, place.file, place.line, place.line)}` : ''}`;
  };
  const may = unit.mayBeCalledBy ?? [];
  const users = context.evidence.usersOf(unit.id);
  const neighbour = unit.callers.length === 0 ? stepBefore(unit, context) : undefined;
  if (neighbour) list('Runs when', [neighbour], 1, (id) => `in run order after ${context.unitLink(path, id)}`);
  list('Runs when', unit.callers, most.callers, caller);
  if (unit.callers.length === 0) list('May run when', may, most.callers, caller);
  list('Used by', users, most.callers, (id) => context.unitLink(path, id));
  const isCode = unit.members.some((id) => /^(function|method)$/.test(context.graph.node(id)?.kind ?? ''));
  const isUncalled = isCode && unit.callers.length + may.length + users.length === 0;
  if (!isUncalled) return [];
  const tools = [...new Set([...unit.members, ...unit.tools])].flatMap((id) => {
    const node = context.graph.node(id);
    return node?.kind === 'tool' ? [codeSpan(node.name)] : [];
  });
  // A tool is called through a table, by the name that the model says.
  return [
    tools.length > 0
      ? `Declared for the model as ${tools.slice(0, 3).join(', ')}; no code that calls it by name was found.`
      : 'No caller of it was found in the indexed code.',
    '',
  ];
}

function callWords(unit: Unit, calleeId: string, context: PageContext, path: string): string {
  const place = context.evidence.callPlace(unit, calleeId);
  if (!place) return '';
  const isHere = place.file === unit.sites[0]?.file;
  const link = isHere
    ? context.line(path, place.file, place.line)
    : context.source(path, place.file, place.line, place.line);
  return ` at ${link}${place.text ? `: ${codeSpan(place.text)}` : ''}`;
}

function registerLine(register: Register, unit: Unit, context: PageContext, path: string): string {
  const here = register.sites.filter((item) =>
    unit.sites.some(
      (site) => site.file === item.site.file && site.start <= item.site.start && item.site.end <= site.end,
    ),
  );
  const places = here
    .slice(0, 4)
    .map((item) => `${item.access} ${context.line(path, item.site.file, item.site.start)}`);
  const more = here.length > 4 ? ` and ${here.length - 4} more` : '';
  return `${codeSpan(register.name)} (${register.scope} of ${codeSpan(register.owner)})${places.length > 0 ? `: ${places.join(', ')}${more}` : ''}`;
}

function failureLine(failure: Failure, context: PageContext, path: string): string {
  return `${failure.does} ${failure.name ? codeSpan(failure.name) : 'an error'} at ${context.source(path, failure.file, failure.line, failure.line)}`;
}

function promptLine(node: GraphNode, context: PageContext, path: string): string {
  const home = context.evidence.homeOf(node.id);
  const place = context.source(path, node.file, node.start, node.end);
  return home ? `${context.unitLink(path, home)} (${place})` : place;
}

/** Keys and named numbers that the unit owns, then those it reads. */
function configurationOf(unit: Unit, { graph, evidence }: PageContext): GraphNode[] {
  const own = unit.members.map((id) => graph.node(id)).filter((node) => node !== undefined);
  const isOwn = (node: GraphNode): boolean =>
    node.kind === 'config' ||
    evidence.isNamedNumber(node) ||
    (unit.kind === 'config_defaults' && node.detail !== undefined);
  const read = unit.config.map((id) => graph.node(id)).filter((node) => node !== undefined);
  return [...new Set([...own.filter(isOwn), ...read, ...evidence.constantsOf(unit)])];
}

/** The default stands only on the page of the unit that owns the key, so that editing it changes one unit page. */
function configurationLine(node: GraphNode, unit: Unit, context: PageContext, path: string): string {
  const name = node.qualname || node.name;
  const link = node.file === '' ? codeSpan(node.name) : context.source(path, node.file, node.start, node.end, name);
  const isOwn = unit.members.includes(node.id);
  return link + (isOwn && node.detail ? ` = ${codeSpan(node.detail.slice(0, 60))}` : '');
}

/** At most 150 words, cut behind a sentence where there is one. */
export function cardWords(text: string): string {
  const words = text.split(/\s+/);
  if (words.length <= mostWords) return text;
  const cut = words.slice(0, mostWords).join(' ');
  const end = cut.lastIndexOf('. ');
  return `${end > cut.length / 2 ? cut.slice(0, end + 1) : cut} (${plural(words.length - cut.split(' ').length, 'word')} more in handbook.json)`;
}
