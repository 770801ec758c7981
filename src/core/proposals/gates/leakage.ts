import { addedLines, type Gate, type GateContext, type GateProblem } from './gate';

/** Shorter names and answers are common words. */
const shortestName = 5;
const shortestAnswer = 6;

/** No added line names a task, its files or its answers, or repeats a long run of words of its text or of a trace. */
export const leakage: Gate = {
  id: 'leakage',
  check(context, settings) {
    const { names, instructions, files = [], answers = [] } = context.tasks;
    const traces = context.traceTexts ?? [];
    if ([names, instructions, files, answers, traces].every((list) => list.length === 0)) return null;
    const before = [...context.baseTexts.values()].join('\n');
    return [
      ...named(
        context,
        names.filter((name) => isTelling(name)),
        before,
        'the task',
      ),
      ...mentionedTasks(
        context,
        names.filter((name) => !isTelling(name)),
        before,
      ),
      ...named(
        context,
        files.filter((file) => isTellingFile(file)),
        before,
        'a file of a task,',
      ),
      ...named(
        context,
        answers.filter((answer) => answer.length >= shortestAnswer),
        before,
        'an answer of a task,',
      ),
      ...repeatedWords(context, instructions, settings.wordsInARow, 'a task instruction'),
      ...repeatedWords(context, traces, Math.ceil(settings.wordsInARow * 1.5), 'a trace'),
    ];
  },
};

/** Names of one plain word, such as `search`, are words of any harness. */
function isTelling(name: string): boolean {
  return name.length >= shortestName && /[^a-z]/.test(name);
}

/** Files that many projects have say nothing of a task. */
function isTellingFile(file: string): boolean {
  return (
    file.length >= shortestName &&
    !/^(?:readme|license|index|main|setup|config|settings|package|test|tests|check|app|utils?|notes|__init__|makefile|dockerfile|requirements|pyproject)(?:\.[\w.]+)?$/i.test(
      file,
    )
  );
}

function named(context: GateContext, names: readonly string[], before: string, what: string): GateProblem[] {
  const fresh = names.filter((name) => !hasWord(before, name));
  const problems: GateProblem[] = [];
  for (const { file, line, text } of addedLines(context)) {
    const name = fresh.find((one) => hasWord(text, one));
    if (name !== undefined) problems.push({ file, line, message: `it names ${what} ${name}` });
  }
  return problems;
}

/** A plain word names a task only where it is written as a name. */
function mentionedTasks(context: GateContext, names: readonly string[], before: string): GateProblem[] {
  const problems: GateProblem[] = [];
  for (const { file, line, text } of addedLines(context)) {
    const name = names.find((one) => {
      if (one.length < 3) return false;
      const quoted = one.replace(/[^\w]/g, '\\$&');
      const said = new RegExp(
        `\\btasks?(?:[ _-]?(?:id|name))?\\s*(?:is|are|==?=?|:|in)?\\s*[\\["'\`(]*${quoted}["'\`\\])]`,
        'i',
      );
      return said.test(text) && !said.test(before);
    });
    if (name !== undefined) problems.push({ file, line, message: `it names the task ${name}` });
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

function repeatedWords(context: GateContext, texts: readonly string[], length: number, what: string): GateProblem[] {
  const runs = new Set(texts.flatMap((text) => runsOfWords(wordsOf(text), length)));
  // What the harness says itself stands in every trace.
  for (const text of context.baseTexts.values()) {
    for (const run of runsOfWords(wordsOf(text ?? ''), length)) runs.delete(run);
  }
  if (runs.size === 0) return [];
  const problems: GateProblem[] = [];
  for (const hunk of context.hunks) {
    const found = runsOfWords(wordsOf(hunk.newText), length).find((run) => runs.has(run));
    if (found) {
      const message = `hunk ${hunk.number} repeats ${what}: "${found}"`;
      problems.push({ file: hunk.file, line: hunk.baseStart, message });
    }
  }
  return problems;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function runsOfWords(words: readonly string[], length: number): string[] {
  const runs: string[] = [];
  for (let at = 0; at + length <= words.length; at++) runs.push(words.slice(at, at + length).join(' '));
  return runs;
}
