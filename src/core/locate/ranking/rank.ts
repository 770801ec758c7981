import { type Corpus, type RequestSignals, signalsOf } from './features';
import { weights } from './weights';

export interface Ranked {
  /** Files and rows with their scores, best first. */
  files: { file: number; score: number }[];
  rows: { row: number; score: number }[];
  signals: RequestSignals;
}

/** Ranks files, then definitions with what is known of their files. */
export function rank(corpus: Corpus, request: string, units?: Float64Array): Ranked {
  const signals = signalsOf(corpus, request, units);
  const files = signals.fileCandidates.map((file) => {
    let score = 0;
    for (const [name, weight] of Object.entries(weights.file)) score += weight * (signals.files[name]?.[file] ?? 0);
    return { file, score };
  });
  files.sort((a, b) => b.score - a.score || a.file - b.file);
  const behind = distances(files);
  const rows = signals.rowCandidates.map((row) => {
    const values = rowValues(corpus, signals, behind, row);
    let score = 0;
    for (const [name, weight] of Object.entries(weights.row)) score += weight * (values(name) ?? 0);
    return { row, score };
  });
  rows.sort((a, b) => b.score - a.score || a.row - b.row);
  return { files, rows, signals };
}

/** How far each file's score is behind the best one, at most 0. A file that is no candidate is one behind the worst. */
export function distances(files: readonly { file: number; score: number }[]): (file: number) => number {
  const best = files[0]?.score ?? 0;
  const worst = (files.at(-1)?.score ?? 0) - best - 1;
  const known = new Map(files.map(({ file, score }) => [file, score - best]));
  return (file) => known.get(file) ?? worst;
}

/** The value of a signal for one row; `file.` in front asks for the signal of its file. */
export function rowValues(
  { index }: Corpus,
  signals: RequestSignals,
  behind: (file: number) => number,
  row: number,
): (name: string) => number | undefined {
  const file = index.rows[row]?.file ?? 0;
  return (name) => {
    if (name === 'behind') return behind(file);
    if (name === 'near') return Math.exp(behind(file));
    if (name === 'file.length') return Math.log1p(index.text.lengths[file] ?? 0);
    return name.startsWith('file.') ? signals.files[name.slice(5)]?.[file] : signals.rows[name]?.[row];
  };
}
