import type { Step } from '../traces';

/** Memory is bounded: a trace of many megabytes has more words than anybody can have used. */
const mostWords = 200_000;

/** The steps at which a word stood in the input of the model for the first and the last time. */
export interface Shown {
  first: number;
  last: number;
}

/** Which telling words a run showed to the model, and which it wrote first itself. */
export class SeenWords {
  private readonly shown = new Map<string, Shown>();
  private readonly written = new Map<string, number>();

  /** Takes in the texts of a step. */
  read(step: Step): void {
    if (step.kind !== 'agent') this.show(step.text, step.n);
    for (const result of step.results) this.show(result.text, step.n);
    if (step.kind !== 'agent') return;
    // What the model writes about its own call is not evidence for it.
    for (const word of tellingWords(step.text)) this.write(word, step.n);
    for (const call of step.calls) for (const word of tellingWords(textOf(call.args))) this.write(word, step.n);
  }

  shownAt(word: string): Shown | undefined {
    return this.shown.get(word);
  }

  /** The first step in which the model itself wrote the word. */
  writtenAt(word: string): number | undefined {
    return this.written.get(word);
  }

  private show(text: string, step: number): void {
    for (const word of tellingWords(text)) {
      const known = this.shown.get(word);
      if (known) known.last = step;
      else if (this.shown.size < mostWords) this.shown.set(word, { first: step, last: step });
    }
  }

  private write(word: string, step: number): void {
    if (!this.written.has(word) && this.written.size < mostWords) this.written.set(word, step);
  }
}

/**
 * Words that nobody writes by chance: names of files with an ending and names with a digit or an underscore. A path
 * counts with its last part, because the same file is named from different folders.
 */
export function tellingWords(text: string): Set<string> {
  const words = new Set<string>();
  for (const [found] of text.matchAll(/[\w./-]{4,120}/g)) {
    const name = found
      .replace(/[./-]+$/, '')
      .split('/')
      .at(-1)!;
    if (/^[A-Za-z_][\w-]*\.[A-Za-z]\w{0,5}$/.test(name) || (/[\d_]/.test(name) && /[A-Za-z]{3}/.test(name)))
      words.add(name);
  }
  return words;
}

/** Arguments as text without the marks of JSON that would hide a word. */
export function textOf(args: unknown): string {
  return typeof args === 'string' ? args : (JSON.stringify(args ?? null) ?? '').replace(/\\[nrt"]/g, ' ');
}
