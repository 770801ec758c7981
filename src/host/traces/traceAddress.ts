import type { StepTarget } from '../ids';

/** Path of our addresses that open a trace: `vscode://<extension>/trace?run=...&step=17`. */
export const tracePath = '/trace';

/** Address that opens the page of a run at a step, from a browser or a terminal too. */
export function traceAddress(scheme: string, extension: string, { run, step }: StepTarget): string {
  const query = new URLSearchParams({ run, ...(step === undefined ? {} : { step: String(step) }) });
  return `${scheme}://${extension}${tracePath}?${query}`;
}

/** Longest address that is looked at. */
const longest = 4000;

/** The run and step of such an address; null for anything else. The run is not known to exist. */
export function targetOfAddress(path: string, query: string): StepTarget | null {
  if (path.replace(/\/+$/, '') !== tracePath || query.length > longest) return null;
  const values = new URLSearchParams(query);
  const run = values.get('run') ?? '';
  const step = values.get('step');
  if (run === '' || run.includes('\0')) return null;
  if (step === null) return { run };
  return /^[1-9]\d{0,8}$/.test(step) ? { run, step: Number(step) } : null;
}

/** A place in a line of a terminal that names a trace and a step. */
export interface TerminalMatch {
  start: number;
  length: number;
  /** As it is written; may be relative to the terminal's folder. */
  file: string;
  /** Numbers after `#`: a step, or a run of the file and a step. */
  numbers: number[];
}

const pattern = /([^\s"'`<>|()[\]:#]*\.(?:jsonl?|traj|eval|ndjson|md|sse))#(\d{1,9})(?:#(\d{1,9}))?(?![\w#])/g;
/** A Windows drive, which the pattern for names leaves out with all colons. */
const drive = /[A-Za-z]:$/;

/** All places like `runs/a.jsonl#17` or `runs/a.jsonl#2#17` in a line. */
export function matchesInLine(line: string): TerminalMatch[] {
  if (line.length > longest) return [];
  return [...line.matchAll(pattern)].map((match) => {
    const before = drive.exec(line.slice(0, match.index));
    const extra = before ? before[0].length : 0;
    return {
      start: match.index - extra,
      length: match[0].length + extra,
      file: (before?.[0] ?? '') + match[1]!,
      numbers: [match[2], match[3]].filter((text) => text !== undefined).map(Number),
    };
  });
}

/**
 * What a match means: `file#n` is step n of a file with one run, else run n of the file; `file#r#n` is step n of run r.
 *
 * @param runs ids of the runs in the file
 */
export function targetOfMatch(file: string, numbers: readonly number[], runs: readonly string[]): StepTarget {
  const [first, second] = numbers;
  if (second !== undefined) {
    return { run: runs.includes(`${file}#${first}`) ? `${file}#${first}` : file, step: Math.max(1, second) };
  }
  if (runs.length > 1 && runs.includes(`${file}#${first}`)) return { run: `${file}#${first}` };
  return { run: file, step: Math.max(1, first ?? 1) };
}
