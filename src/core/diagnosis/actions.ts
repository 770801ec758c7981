import { isSubmission } from './detectors/detector';
import { textOf } from './seenWords';
import type { Turn, TurnCall } from './turns';

/** True when a turn changes a file, by an editing tool or by a command. */
export function changes(turn: Turn): boolean {
  return turn.calls.some(isChange);
}

export function isChange(call: TurnCall): boolean {
  return isEditor(call) || writesByShell(call);
}

/** True when a turn runs something that could tell whether a change works. */
export function runsSomething(turn: Turn): boolean {
  return turn.calls.some((call) => isShell(call) && !writesByShell(call) && !isSubmission(call.name));
}

export function isEditor(call: TurnCall): boolean {
  return /edit|write|create|replace|patch|insert|append|save/i.test(call.name) && !isShell(call);
}

export function isReader(call: TurnCall): boolean {
  return /read|view|open|cat|show/i.test(call.name) && !isShell(call) && !isEditor(call);
}

export function isShell(call: TurnCall): boolean {
  return /shell|bash|exec|run|terminal|command|python|test|keystrokes|powershell/i.test(call.name);
}

/** A command that writes a file by redirection or in place; what it also runs is not told apart. */
export function writesByShell(call: TurnCall): boolean {
  return (
    isShell(call) &&
    /(?:^|[^0-9&>])>{1,2}\s*[\w./"'$~-]|\bsed -i|\btee\b|\bgit apply\b|<<\s*['"]?\w+/.test(JSON.stringify(call.args))
  );
}

/** Names of files in the arguments of a call. */
export function filesIn(call: TurnCall): string[] {
  return [...textOf(call.args).matchAll(/[\w./-]*[\w-]\.[A-Za-z]\w{0,5}\b/g)].map(([path]) => path);
}

/** The answer to a call: the one with its id, else the only one that answers no call at all. */
export function answerTo(turn: Turn, call: TurnCall): Turn['answers'][number] | undefined {
  return (
    turn.answers.find((answer) => answer.callId === call.id) ??
    (turn.calls.length === 1 ? turn.answers.find((answer) => answer.callId === null) : undefined)
  );
}
