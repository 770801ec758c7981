import { changes, runsSomething } from '../actions';
import { counted, type Detector, isSubmission } from './detector';

/** Something was changed and then submitted, and nothing was run in between. */
export const missingVerification: Detector = {
  id: 'missing-verification',
  why: 'missing_verification',
  unitKinds: ['termination', 'tool_submit', 'system_prompt', 'prompt_assembly'],
  soleKinds: ['termination', 'tool_submit'],
  party: 'harness',
  detect({ turns, run }) {
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
        confidence: run.outcome.verdict === 'pass' ? 0.5 : 0.65,
        partyReason: 'the harness took the submission without asking for a check',
      },
    ];
  },
};
