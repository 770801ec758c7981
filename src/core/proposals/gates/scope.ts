import { touchedFiles } from '../proposalStore';
import { kindOfFile } from './fileKinds';
import type { Definition, Gate, GateContext, GateProblem } from './gate';

/**
 * What the proposer declared is what it touches: no file more, no file less; where it named definitions of a file, only
 * those, constants included; and what it makes or removes is declared as that.
 */
export const scope: Gate = {
  id: 'scope',
  async check(context) {
    const { modify, add, remove } = context.proposal.declares;
    const declared = [...modify, ...add, ...remove];
    const touched = touchedFiles(context.proposal);
    const undeclared = touched
      .filter((file) => !declared.some((entry) => isAbout(entry, file)))
      .map((file) => ({ file, message: `the ${wordFor(file)} is changed but was not declared` }));
    const untouched = declared
      .filter((entry) => looksLikeFile(entry) && !touched.some((file) => isAbout(entry, file)))
      .map((entry) => ({ file: entry, message: 'it was declared but is not changed' }));
    return [...undeclared, ...untouched, ...wrongAction(context), ...(await otherDefinitions(context, declared))];
  },
};

function wordFor(file: string): string {
  const kind = kindOfFile(file);
  return kind === 'code' ? 'file' : kind === 'configuration' ? 'configuration' : `${kind} file`;
}

/** A whole file that comes or goes is declared so; a definition may be added to or removed from a file that stays. */
function wrongAction({ proposal, baseTexts }: GateContext): GateProblem[] {
  const { modify, add, remove } = proposal.declares;
  const edits = proposal.decisions.flatMap((one) => one.edits);
  return touchedFiles(proposal).flatMap((file) => {
    const actions = new Set(edits.filter((edit) => edit.file === file).map((edit) => edit.action));
    const only = (list: readonly string[]) => list.some((entry) => pathOf(entry) === file && !symbolOf(entry, file));
    const others = (...lists: (readonly string[])[]) => lists.some(only);
    if (actions.has('delete') && !only(remove) && others(modify, add))
      return [{ file, message: 'the file is deleted but was not declared as removed' }];
    if (actions.has('create') && baseTexts.get(file) === null && !only(add) && others(modify, remove))
      return [{ file, message: 'the file is new but was not declared as added' }];
    return [];
  });
}

/** Definitions that are changed in files of which only others were declared. */
async function otherDefinitions(context: GateContext, declared: readonly string[]): Promise<GateProblem[]> {
  const { symbolsIn, hunks, baseTexts } = context;
  if (!symbolsIn) return [];
  const problems: GateProblem[] = [];
  for (const [file, base] of baseTexts) {
    const entries = declared.filter((entry) => isAbout(entry, file));
    // The file as a whole was declared, or it is new.
    if (base === null || entries.length === 0 || entries.some((entry) => !symbolOf(entry, file))) continue;
    const symbols = await symbolsIn(file, base);
    if (!symbols) continue;
    const names = entries.map((entry) => symbolOf(entry, file)!);
    for (const hunk of hunks.filter((one) => one.file === file && one.action === 'replace')) {
      const changed = definitionsAt(hunk, symbols);
      const unnamed = changed.find((symbol) => !names.some((name) => covers(name, symbol)));
      if (unnamed === undefined || names.some((name) => mentions(hunk, name))) continue;
      problems.push({
        file,
        line: hunk.baseStart,
        message: `hunk ${hunk.number} changes ${unnamed || 'the top of the file'}, but only ${names.join(', ')} ${names.length === 1 ? 'was' : 'were'} declared`,
      });
    }
  }
  return problems;
}

/** The innermost definition of each removed line, or of the place of an insertion; empty for the top of the file. */
function definitionsAt(hunk: GateContext['hunks'][number], symbols: readonly Definition[]): string[] {
  const lines = hunk.removed.length === 0 ? [hunk.baseStart] : hunk.removed.map((_, index) => hunk.baseStart + index);
  const found = lines.flatMap((line, index) => {
    if (hunk.removed.length > 0 && hunk.removed[index]!.trim() === '') return [];
    const around = symbols.filter(({ start, end }) => start <= line && line <= end);
    const inner = around.sort((a, b) => a.end - a.start - (b.end - b.start))[0];
    return [inner?.qualname ?? ''];
  });
  return [...new Set(found)];
}

/** A declared class covers its methods; a method is also known by its last name. */
function covers(name: string, symbol: string): boolean {
  return symbol === name || symbol.startsWith(`${name}.`) || symbol.split('.').at(-1) === name;
}

/** A constant or a new definition stands in the changed lines themselves. */
function mentions(hunk: GateContext['hunks'][number], name: string): boolean {
  const last = name.split('.').at(-1)!;
  const defines = new RegExp(`\\b${last.replace(/[^\w$]/g, '\\$&')}\\b\\s*(?:[:=(<]|:=)`);
  return [...hunk.added, ...hunk.removed].some((line) => defines.test(line));
}

/** Declarations name files, or symbols as `file#symbol`, `file:symbol` or `file::symbol`. */
function isAbout(entry: string, file: string): boolean {
  const path = entry.trim().replace(/^\.\//, '');
  return path === file || path.startsWith(`${file}#`) || path.startsWith(`${file}:`);
}

function pathOf(entry: string): string {
  return entry.trim().replace(/^\.\//, '').split(/[#:]/)[0]!;
}

function symbolOf(entry: string, file: string): string {
  return entry
    .trim()
    .replace(/^\.\//, '')
    .slice(file.length)
    .replace(/^[#:]+/, '')
    .replace(/\(\)$/, '');
}

function looksLikeFile(entry: string): boolean {
  return entry.includes('/') || /\.\w{1,5}($|[#:])/.test(entry);
}
