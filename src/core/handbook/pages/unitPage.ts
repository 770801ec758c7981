import type { GraphNode, ProgramGraph } from '../../graph';
import type { Register, Unit } from '../model';
import { kindWords } from '../vocabulary';
import { escapeText, type PageContext, unitPath } from './links';

/** How many things a list on a unit page shows; a page fits one screen. */
const most = { sites: 6, calls: 8, callers: 6, keys: 12, registers: 8, reasons: 6, errors: 6 };

/** L3: one unit on one screen. */
export function unitPage(unit: Unit, context: PageContext, graph: ProgramGraph): string {
  const path = unitPath(unit.id);
  const stage = context.map.stages.find((candidate) => candidate.id === unit.stage);
  const lines: string[] = [`# ${escapeText(unit.title)}`, ''];
  lines.push(
    `Kind: ${kindWords[unit.kind].title.toLowerCase()}. Stage: ${escapeText(stage?.title ?? unit.stage)}.${unit.edited ? ` Words by a ${unit.edited}.` : ''}`,
    '',
  );
  lines.push(safeSummary(unit.summary), '');
  section(
    lines,
    'Where',
    unit.sites,
    most.sites,
    (site) => `${context.site(path, site)}${site.symbol ? ` \`${site.symbol}\`` : ''}`,
  );
  section(lines, 'Runs when', unit.callers, most.callers, (id) => `called by ${context.unitLink(path, id)}`);
  if (unit.callers.length === 0) {
    const may = unit.mayBeCalledBy ?? [];
    section(lines, 'May run when', may, most.callers, (id) => `called by ${context.unitLink(path, id)}`);
  }
  section(lines, 'Main path', unit.calls, most.calls, (id) => context.unitLink(path, id), true);
  section(lines, 'One of several may run', unit.mayCall ?? [], most.calls, (id) => context.unitLink(path, id));
  const registers = unit.registers.map((id) => context.register(id)).filter((register) => register !== undefined);
  section(lines, 'State', registers, most.registers, (register) => registerLine(register, unit, context, path));
  section(
    lines,
    'Error paths',
    errorPaths(unit, graph),
    most.errors,
    (node) => `${context.source(path, node.file, node.start, node.end, node.qualname || node.name)}`,
  );
  section(
    lines,
    'Text for the model',
    unit.prompts.map((id) => graph.node(id)).filter((node) => node !== undefined),
    most.keys,
    (node) =>
      context.source(
        path,
        node.file,
        node.start,
        node.end,
        node.qualname ? `${node.qualname} (${node.file})` : node.file,
      ),
  );
  section(lines, 'Configuration', configurationOf(unit, graph), most.keys, (node) =>
    configurationLine(node, context, path),
  );
  section(lines, 'Why this kind', unit.reasons, most.reasons, reasonLine);
  return `${lines.join('\n').trimEnd()}\n`;
}

function section<T>(
  lines: string[],
  title: string,
  items: readonly T[],
  limit: number,
  render: (item: T) => string,
  numbered = false,
): void {
  if (items.length === 0) return;
  lines.push(`## ${title}`, '');
  items.slice(0, limit).forEach((item, index) => {
    lines.push(`${numbered ? `${index + 1}.` : '-'} ${render(item)}`);
  });
  if (items.length > limit) lines.push(`- and ${items.length - limit} more in \`map.json\``);
  lines.push('');
}

function registerLine(register: Register, unit: Unit, context: PageContext, path: string): string {
  const here = register.sites.filter((item) =>
    unit.sites.some(
      (site) => site.file === item.site.file && site.start <= item.site.start && item.site.end <= site.end,
    ),
  );
  const places = here
    .slice(0, 4)
    .map(
      (item) =>
        `${item.access} ${context.source(path, item.site.file, item.site.start, item.site.end, `line ${item.site.start}`)}`,
    );
  return `\`${register.name}\` (${register.scope} of \`${register.owner}\`)${places.length > 0 ? `: ${places.join(', ')}` : ''}`;
}

/** Exceptions the unit constructs, which is where its error paths begin. */
function errorPaths(unit: Unit, graph: ProgramGraph): GraphNode[] {
  const found = new Map<string, GraphNode>();
  for (const member of unit.members) {
    for (const edge of graph.out(member)) {
      const node = edge.kind === 'constructs' || edge.kind === 'calls' ? graph.node(edge.to) : undefined;
      if (node?.kind === 'class' && /(Error|Exception|Exceeded|Submitted|Interrupt\w*|Terminated)$/.test(node.name))
        found.set(node.id, node);
    }
  }
  return [...found.values()];
}

function configurationOf(unit: Unit, graph: ProgramGraph): GraphNode[] {
  const own = unit.members.filter(
    (id) =>
      graph.node(id)?.kind === 'config' || (unit.kind === 'config_defaults' && graph.node(id)?.detail !== undefined),
  );
  return [...new Set([...own, ...unit.config])].map((id) => graph.node(id)).filter((node) => node !== undefined);
}

/** The default stands only on the page of the unit that owns the key, so that editing it changes one unit page. */
function configurationLine(node: GraphNode, context: PageContext, path: string): string {
  const link =
    node.file === ''
      ? `\`${node.name}\``
      : context.source(path, node.file, node.start, node.end, node.qualname || node.name);
  const owner = context.map.units.find((unit) => unit.members.includes(node.id));
  const value =
    owner && unitPath(owner.id) === path && node.detail ? ` = \`${node.detail.replace(/`/g, "'").slice(0, 60)}\`` : '';
  return link + value;
}

function reasonLine(reason: string): string {
  return safeSummary(reason);
}

/** Escapes markup outside of code spans. */
export function safeSummary(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') && part.endsWith('`') && part.length > 1 ? part : escapeText(part)))
    .join('');
}
