import type { Turn, TurnCall } from '../turns';
import { counted, type Detector, isSubmission } from './detector';

/** Something was changed and then submitted, and nothing was run in between. */
export const missingVerification: Detector = {
  id: 'missing-verification',
  why: 'missing_verification',
  unitKinds: ['termination', 'tool_submit', 'system_prompt', 'prompt_assembly'],
  detect({ turns }) {
    const submission = turns.findIndex((turn) => turn.calls.some((call) => isSubmission(call.name)));
    if (submission === -1) return [];
    // A first submission that was refused, and a check after it, is the harness doing its work.
    const lastSubmission = turns.findLastIndex((turn) => turn.calls.some((call) => isSubmission(call.name)));
    const before = turns.slice(0, lastSubmission);
    const changed = before.findLastIndex(changes);
    if (changed === -1 || before.slice(changed + 1).some(runsSomething)) return [];
    const between = lastSubmission - changed - 1;
    const when = between === 0 ? 'right away' : `${counted(between, 'turn')} later`;
    return [
      {
        steps: [turns[lastSubmission]!.step, turns[changed]!.step],
        explanation: `The last change was submitted ${when}, and nothing had been run to check it.`,
        confidence: 0.65,
      },
    ];
  },
};

function changes(turn: Turn): boolean {
  return turn.calls.some((call) => isEditor(call) || writesByShell(call));
}

function runsSomething(turn: Turn): boolean {
  return turn.calls.some((call) => isShell(call) && !writesByShell(call));
}

function isEditor(call: TurnCall): boolean {
  return /edit|write|create|replace|patch|insert|append/i.test(call.name) && !isShell(call);
}

function isShell(call: TurnCall): boolean {
  return /shell|bash|exec|run|terminal|command|python|test|keystrokes/i.test(call.name);
}

/** A command that writes a file by redirection or in place; what it also runs is not told apart. */
function writesByShell(call: TurnCall): boolean {
  return (
    isShell(call) &&
    /(?:^|[^0-9&>])>{1,2}\s*[\w./"'$~-]|\bsed -i|\btee\b|\bgit apply\b|<<\s*['"]?\w+/.test(JSON.stringify(call.args))
  );
}
