import { addedLines, type Gate, type GateContext, type GateProblem } from './gate';

/** Shorter runs of words are common language. */
const wordsInARow = 8;
/** Shorter names are common words. */
const shortestName = 5;

/** No added line names a task or repeats a long run of words of its instruction. */
export const leakage: Gate = {
  id: 'leakage',
  check(context) {
    const { names, instructions } = context.tasks;
    if (names.length === 0 && instructions.length === 0) return null;
    return [...namedTasks(context), ...repeatedWords(context)];
  },
};

function namedTasks(context: GateContext): GateProblem[] {
  const before = [...context.baseTexts.values()].join('\n');
  const names = context.tasks.names.filter((name) => name.length >= shortestName && !hasWord(before, name));
  const problems: GateProblem[] = [];
  for (const { file, line, text } of addedLines(context)) {
    const name = names.find((one) => hasWord(text, one));
    if (name) problems.push({ file, line, message: `it names the task ${name}` });
  }
  return problems;
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + word.length] ?? ' '}`;
    if (!/[\w-]/.test(around)) return true;
  }
  return false;
}

function repeatedWords(context: GateContext): GateProblem[] {
  const runs = new Set(context.tasks.instructions.flatMap((text) => runsOfWords(wordsOf(text))));
  for (const text of context.baseTexts.values()) {
    for (const run of runsOfWords(wordsOf(text ?? ''))) runs.delete(run);
  }
  if (runs.size === 0) return [];
  const problems: GateProblem[] = [];
  for (const hunk of context.hunks) {
    const found = runsOfWords(wordsOf(hunk.newText)).find((run) => runs.has(run));
    if (found) {
      const message = `hunk ${hunk.number} repeats a task instruction: "${found}"`;
      problems.push({ file: hunk.file, line: hunk.baseStart, message });
    }
  }
  return problems;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function runsOfWords(words: readonly string[]): string[] {
  const runs: string[] = [];
  for (let at = 0; at + wordsInARow <= words.length; at++) runs.push(words.slice(at, at + wordsInARow).join(' '));
  return runs;
}
