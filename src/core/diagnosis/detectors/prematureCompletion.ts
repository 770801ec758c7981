import { type Detector, isSubmission, quote } from './detector';

const announces =
  /\b(?:I(?:'ll| will| am going to|'m going to| need to| should| still need to)|let me|let's|next,? I|now I|next step)\b(?! know)[^.\n]{0,100}/i;
const asks =
  /\b(?:would you like|do you want|shall I|should I|let me know if|please (?:confirm|provide|tell me|let me know)|which (?:one|option))\b[^\n]{0,160}$/i;

/** The harness took a turn for the end in which the model only said what it would do next, or asked a question. */
export const prematureCompletion: Detector = {
  id: 'premature-completion',
  why: 'premature_completion',
  unitKinds: ['termination', 'response_parse', 'main_loop', 'loop_step', 'system_prompt'],
  soleKinds: ['termination', 'main_loop'],
  party: 'harness',
  detect({ turns, run, events }) {
    const last = turns.at(-1);
    if (!last || last.calls.length > 0 || run.outcome.verdict === 'pass' || run.endsTruncated) return [];
    if (!turns.some((turn) => turn.calls.length > 0)) return []; // a conversation, not an agent run
    if (turns.some((turn) => turn.calls.some((call) => isSubmission(call.name)))) return [];
    // What broke the run off is another matter.
    if (
      run.outcome.exception !== null ||
      events.some((one) => one.step > last.step && /limit|exception/.test(one.event))
    )
      return [];
    const end = last.text.slice(-400);
    const announced = announces.exec(end)?.[0];
    const asked = asks.exec(end.trimEnd())?.[0];
    if (!announced && !asked) return [];
    return [
      {
        steps: [last.step],
        explanation: `The run ended with a turn that ${asked ? 'asked' : 'announced more work'}: ${quote(asked ?? announced!)}.`,
        confidence: run.outcome.verdict === 'fail' ? 0.7 : 0.4,
        partyReason: 'the harness took a turn without a call for the end of the work',
      },
    ];
  },
};
