import { isPrompt, isTest } from './fileKinds';
import type { Gate, GateContext, GateProblem } from './gate';
import type { GateSettings } from './settings';

/** Prompts stay short, in files and in code: every character of them is paid for in each turn of each run. */
export const bloat: Gate = {
  id: 'bloat',
  check(context, settings) {
    return [...context.proposedTexts].flatMap(([file, text]) => {
      if (text === null || isTest(file)) return [];
      return isPrompt(file) ? ofPrompt(file, text, context, settings) : ofProse(file, context, settings);
    });
  },
};

/** A short prompt may triple, because it stays short. */
function ofPrompt(file: string, text: string, { baseTexts }: GateContext, settings: GateSettings): GateProblem[] {
  const before = baseTexts.get(file)?.length ?? 0;
  const growth = text.length - before;
  const { characters, share: allowedShare, most } = settings.promptGrowth;
  const short = Math.min(characters * 2, before * 2);
  if (growth <= Math.min(Math.max(characters, before * allowedShare, short), most)) return [];
  const share = before === 0 ? '' : ` (${Math.round((growth / before) * 100)} %)`;
  return [{ file, message: `the prompt grows by ${growth} characters${share}` }];
}

/** Sentences that code holds are prompts, descriptions of tools or messages to the model; comments are not. */
function ofProse(file: string, { hunks }: GateContext, settings: GateSettings): GateProblem[] {
  const own = hunks.filter((hunk) => hunk.file === file);
  if (!/\.(?:py|[cm]?[jt]sx?|go|rs|ya?ml|json|toml)$/i.test(file)) return [];
  const added = proseLength(own.flatMap((hunk) => hunk.added));
  const growth = added - proseLength(own.flatMap((hunk) => hunk.removed));
  if (growth <= settings.promptGrowth.characters * 2) return [];
  const line = own.find((hunk) => proseLength(hunk.added) > 0)?.baseStart;
  return [{ file, ...(line ? { line } : {}), message: `text for the model in the code grows by ${growth} characters` }];
}

function proseLength(lines: readonly string[]): number {
  return lines.filter(isProse).reduce((sum, line) => sum + line.trim().length, 0);
}

function isProse(line: string): boolean {
  const text = line.trim();
  if (/^(?:\/\/|#|\*|\/\*|"""|'''|<!--)/.test(text)) return false;
  const words = text.match(/(?<![\w.$(])[A-Za-z][a-z']+(?![\w($[])/g) ?? [];
  const marks = text.match(/[(){}[\]=;<>&|]/g) ?? [];
  return words.length >= 7 && marks.length * 3 <= words.length;
}
