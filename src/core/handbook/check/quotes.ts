import { basename } from 'node:path';
import type { ProgramGraph } from '../../graph';
import type { Unit } from '../model';
import { unitPath } from '../pages/links';
import type { HandbookProblem } from './model';
import type { Texts } from './texts';

const quoted = /`([^`]+)`[^`]*\(([^()\s]+):(\d+)\)$/;

/**
 * A reason such as "calls `x` (file:line)": the quoted code must be in the file, or be the value of a constant that the
 * file names, as with a tool whose name stands in another file, or the name of the file itself.
 */
export async function quoteProblems(
  units: readonly Unit[],
  texts: Texts,
  graph: ProgramGraph,
): Promise<HandbookProblem[]> {
  const problems: HandbookProblem[] = [];
  let constants: Map<string, string[]> | undefined;
  for (const unit of units) {
    for (const reason of unit.reasons) {
      const [, quote, file, line] = quoted.exec(reason) ?? [];
      if (quote === undefined || file === undefined) continue;
      const lines = await texts.lines(file);
      if (!lines) continue;
      if (plain(lines.join(' ')).includes(plain(quote.replace(/\.\.\.$/, '')))) continue;
      // A program of a tool is named by its file.
      if (basename(file).replace(/\.\w+$/, '') === quote) continue;
      constants ??= namesByValue(graph);
      const words = new Set(lines.join(' ').split(/[^\w$]+/));
      if ((constants.get(quote) ?? []).some((name) => words.has(name))) continue;
      problems.push({
        page: unitPath(unit.id),
        message: `${unit.title}: \`${quote}\` is not in ${file}.`,
        file,
        line: Number(line),
      });
    }
  }
  return problems;
}

function namesByValue(graph: ProgramGraph): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const { kind, name, detail } of graph.data.nodes) {
    const value = kind === 'variable' || kind === 'attribute' ? /^\s*(['"`])(.+)\1/.exec(detail ?? '')?.[2] : undefined;
    if (value !== undefined) names.set(value, [...(names.get(value) ?? []), name]);
  }
  return names;
}

/** Text without spaces and quotation marks: a reason may stand on one line what the code has on several. */
export function plain(text: string): string {
  return text.replace(/[\s`'"]+/g, '');
}
