import { createHash } from 'node:crypto';
import { posix, relative, sep } from 'node:path';
import type { ProgramGraph } from '../../graph';
import type { BehaviourMap, Register, Site, Stage, Unit } from '../model';
import { Evidence } from './evidence';

/** Everything a page needs to name and link things; one for a whole rendering. */
export class PageContext {
  readonly evidence: Evidence;
  private readonly units: Map<string, Unit>;
  private readonly registers: Map<string, Register>;

  /** `up` leads from the handbook folder to the repository root, with `/`, empty when they are the same folder. */
  constructor(
    readonly map: BehaviourMap,
    readonly graph: ProgramGraph,
    private readonly up: string,
  ) {
    this.units = new Map(map.units.map((unit) => [unit.id, unit]));
    this.registers = new Map(map.registers.map((register) => [register.id, register]));
    this.evidence = new Evidence(map, graph);
  }

  unit(id: string): Unit | undefined {
    return this.units.get(id);
  }

  register(id: string): Register | undefined {
    return this.registers.get(id);
  }

  /** Link to another page, from a page. */
  page(from: string, to: string, text: string): string {
    return `[${escapeText(text)}](${encodePath(posix.relative(posix.dirname(from), to))})`;
  }

  unitLink(from: string, id: string): string {
    const unit = this.unit(id);
    return unit ? this.page(from, unitPath(id), unit.title) : codeSpan(id);
  }

  stageLink(from: string, id: string): string {
    const stage = this.map.stages.find((candidate) => candidate.id === id);
    return stage ? this.page(from, stagePath(stage), stage.title) : codeSpan(id);
  }

  /** Link to a line range of the source, in the form `path#L10-L20`. */
  source(from: string, file: string, start: number, end: number, text?: string): string {
    const target = posix.join(posix.relative(posix.dirname(from), '.') || '.', this.up, file);
    const lines = start === end ? `L${start}` : `L${start}-L${end}`;
    return `[${escapeText(text ?? `${file}:${start}${end === start ? '' : `-${end}`}`)}](${encodePath(target)}#${lines})`;
  }

  site(from: string, site: Site): string {
    return this.source(from, site.file, site.start, site.end);
  }

  /** A line of a file that the page has named already. */
  line(from: string, file: string, line: number): string {
    return this.source(from, file, line, line, `line ${line}`);
  }
}

/** Path from a handbook folder to the repository root, for {@link PageContext}. */
export function upwards(folder: string, root: string): string {
  return relative(folder, root).split(sep).join('/');
}

export function unitPath(id: string): string {
  return `units/${fileName(id.replace(/^unit:/, ''))}.md`;
}

export function stagePath(stage: Pick<Stage, 'id'>): string {
  return `stages/${fileName(stage.id)}.md`;
}

/** A readable file name that no other id has: letters, digits and dashes, then six digits of a hash of the id. */
function fileName(id: string): string {
  const words = id.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 6);
  return `${words.length > 70 ? words.slice(-70).replace(/^-/, '') : words}-${hash}`;
}

/** Text from the source must not become markup. */
export function escapeText(text: string): string {
  return text
    .replace(/[\\[\]<>*_|`]/g, (char) => `\\${char}`)
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/\s*[\r\n]+\s*/g, ' ');
}

/** Text of the source as a code span; line breaks and backticks would end it. */
export function codeSpan(text: string): string {
  return `\`${text.replace(/`/g, "'").replace(/\s*[\r\n]+\s*/g, ' ') || ' '}\``;
}

/** Escapes markup outside of code spans. */
export function safeText(text: string): string {
  return text
    .split(/(`[^`\r\n]*`)/)
    .map((part) => (part.startsWith('`') && part.endsWith('`') && part.length > 2 ? part : escapeText(part)))
    .join('');
}

/** Text on a line of its own: what would begin a heading, a list, a quote, a fence or a rule stays text. */
export function paragraph(text: string): string {
  return safeText(text.trim()).replace(/^(?:(\d{1,9})(?=[.)](?:\s|$))|(?=[#+\-=~]))/, (_start, digits?: string) =>
    digits === undefined ? '\\' : `${digits}\\`,
  );
}

export function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function encodePath(path: string): string {
  return path
    .split('/')
    .map((part) => encodeURIComponent(part).replace(/[()]/g, (char) => (char === '(' ? '%28' : '%29')))
    .join('/');
}
