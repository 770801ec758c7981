import { createHash } from 'node:crypto';
import { posix, relative, sep } from 'node:path';
import type { BehaviourMap, Register, Site, Stage, Unit } from '../model';

/** Everything a page needs to name and link things; one for a whole rendering. */
export class PageContext {
  private readonly units: Map<string, Unit>;
  private readonly registers: Map<string, Register>;

  /** `up` leads from the handbook folder to the repository root, with `/`, empty when they are the same folder. */
  constructor(
    readonly map: BehaviourMap,
    private readonly up: string,
  ) {
    this.units = new Map(map.units.map((unit) => [unit.id, unit]));
    this.registers = new Map(map.registers.map((register) => [register.id, register]));
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
    return unit ? this.page(from, unitPath(id), unit.title) : `\`${id}\``;
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
  return text.replace(/[\\[\]<>*_|]/g, (char) => `\\${char}`).replace(/\n/g, ' ');
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
