import { changes, filesIn, isChange, isReader, isShell, runsSomething } from './actions';
import { isFailure, isSubmission, type RunView } from './detectors/detector';
import { tellingWords, textOf } from './seenWords';
import type { Turn } from './turns';

/** A kind of instruction that can be checked from the calls alone: how prompts word it, and the steps that break it. */
interface InstructionKind {
  id: string;
  worded: RegExp;
  broken(turns: readonly Turn[], view: Pick<RunView, 'words'>): number[];
}

const kinds: readonly InstructionKind[] = [
  {
    id: 'check before the end',
    worded:
      /\b(?:run|execute|check|test|verify|confirm)\b[^.\n]{0,80}\bbefore\b[^.\n]{0,40}\b(?:submit|finish|complet|done|end)|\bafter\b[^.\n]{0,40}\b(?:chang|edit)[^.\n]{0,40}\b(?:run|check|test|verify)\b/i,
    broken(turns) {
      const end = turns.findLastIndex((turn) => turn.calls.some((call) => isSubmission(call.name)));
      const changed = turns.slice(0, Math.max(0, end)).findLastIndex(changes);
      return changed === -1 || turns.slice(changed + 1, end).some(runsSomething) ? [] : [turns[end]!.step];
    },
  },
  {
    id: 'one call in a turn',
    worded:
      /\b(?:exactly|only|at most|just|never more than) one\b[^.\n]{0,20}\b(?:tool|command|action|function|call|code block)\b/i,
    broken: (turns) => turns.filter((turn) => turn.calls.length > 1).map((turn) => turn.step),
  },
  {
    id: 'a call in every turn',
    worded:
      /\b(?:every|each)\b[^.\n]{0,20}\b(?:response|reply|turn|message|answer)\b[^.\n]{0,60}\b(?:must|should|has to|have to|needs to|contains?|includes?)\b[^.\n]{0,40}\b(?:tool|call|command|action|function)\b/i,
    broken: (turns) =>
      turns
        .slice(0, -1)
        .filter((turn) => turn.calls.length === 0 && !turn.thenUser)
        .map((turn) => turn.step),
  },
  {
    id: 'read before an edit',
    worded:
      /\b(?:read|open|look at|view|inspect)\b[^.\n]{0,50}\bbefore\b[^.\n]{0,40}\b(?:edit|chang|modif|writ|replac)/i,
    broken(turns) {
      const known = new Set<string>();
      const steps: number[] = [];
      for (const turn of turns) {
        for (const call of turn.calls) {
          const names = filesIn(call).map((file) => file.split('/').at(-1)!);
          if (isReader(call) || (isShell(call) && !isChange(call))) for (const name of names) known.add(name);
          else if (
            /edit|replace|patch|insert/i.test(call.name) &&
            names.length > 0 &&
            !names.some((name) => known.has(name))
          )
            steps.push(turn.step);
          if (isChange(call)) for (const name of names) known.add(name);
        }
      }
      return steps;
    },
  },
  {
    id: 'no interactive programs',
    worded: /\b(?:do not|don't|never|avoid|cannot)\b[^.\n]{0,40}\b(?:interactive|vim|vi|nano|editors?)\b/i,
    broken: (turns) =>
      turns
        .filter((turn) =>
          turn.calls.some(
            (call) => isShell(call) && /(?:^|["'\s;&|])(?:vim?|nano|less|top|htop)\s+[\w./-]/.test(textOf(call.args)),
          ),
        )
        .map((turn) => turn.step),
  },
];

/** An instruction that can be checked, with the sentence that gives it. */
export interface Instruction {
  id: string;
  quote: string;
  /** Step it was shown at. */
  step: number;
  /** Steps that do not follow it. */
  broken: number[];
}

/** The checkable instructions that stood in the input of a run, and the steps that break them. */
export function instructionsOf(view: Pick<RunView, 'prompts' | 'turns' | 'words'>): Instruction[] {
  return kinds.flatMap((kind) => {
    for (const { text, step } of view.prompts) {
      const quote = kind.worded.exec(text)?.[0];
      if (quote) return [{ id: kind.id, quote, step, broken: kind.broken(view.turns, view) }];
    }
    return [];
  });
}

/** The checkable instructions that stand in texts of the harness and were not shown in a run, where a step breaks them. */
export function notShown(
  view: Pick<RunView, 'prompts' | 'turns' | 'words'>,
  texts: readonly { file: string; text: string }[],
): (Instruction & { file: string })[] {
  const shown = new Set(instructionsOf(view).map(({ id }) => id));
  return kinds.flatMap((kind) => {
    if (shown.has(kind.id)) return [];
    const broken = kind.broken(view.turns, view);
    if (broken.length === 0) return [];
    for (const { file, text } of texts) {
      const quote = kind.worded.exec(text)?.[0];
      if (quote) return [{ id: kind.id, quote, step: view.prompts[0]?.step ?? 1, broken, file }];
    }
    return [];
  });
}

/** Where a telling word of a call came from. */
export interface NeededWord {
  word: string;
  /** `shown`: in the input before; `shortened away`: only before a compaction; `own`: the model wrote it first; `nowhere`. */
  state: 'shown' | 'shortened away' | 'own' | 'nowhere';
  /** Step it stood in; null for nowhere. */
  step: number | null;
}

export interface StepCheck {
  step: number;
  needed: NeededWord[];
  /** Instructions in force, and whether this step follows them. */
  instructions: { id: string; quote: string; followed: boolean }[];
  failed: boolean;
}

/** For each model turn: was what its calls needed in the input, and were the instructions there and followed. */
export function checkSteps(view: Pick<RunView, 'prompts' | 'turns' | 'words' | 'events'>): StepCheck[] {
  const instructions = instructionsOf(view);
  const compactions = view.events.filter((one) => one.event === 'compaction').map((one) => one.step);
  return view.turns.map((turn) => {
    const needed = [...new Set(turn.calls.flatMap((call) => [...tellingWords(textOf(call.args))]))];
    return {
      step: turn.step,
      needed: needed.map((word) => originOf(word, turn.step, view, compactions)),
      instructions: instructions.map(({ id, quote, broken }) => ({ id, quote, followed: !broken.includes(turn.step) })),
      failed: turn.answers.some(isFailure),
    };
  });
}

function originOf(
  word: string,
  step: number,
  { words }: Pick<RunView, 'words'>,
  compactions: readonly number[],
): NeededWord {
  const shown = words.shownAt(word);
  if (shown && shown.first < step) {
    const last = shown.last < step ? shown.last : shown.first;
    // The task itself is at the very beginning; whether a compaction keeps it cannot be told from the trace.
    const lost = compactions.some((n) => last < n && n < step) && shown.first > 2;
    return { word, state: lost ? 'shortened away' : 'shown', step: last };
  }
  const written = words.writtenAt(word);
  if (written !== undefined && written < step) return { word, state: 'own', step: written };
  return { word, state: 'nowhere', step: null };
}
