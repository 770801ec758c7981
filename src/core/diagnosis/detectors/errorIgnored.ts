import { type Detector, isFailure, isSubmission, quote } from './detector';

/** The run ended, or was submitted, right after a call had failed. */
export const errorIgnored: Detector = {
  id: 'error-ignored',
  why: 'evidence_unused',
  unitKinds: ['termination', 'tool_submit', 'observation', 'system_prompt'],
  soleKinds: ['termination'],
  party: 'model',
  detect({ turns }) {
    const worked = turns.filter((turn) => turn.calls.some((call) => !isSubmission(call.name)));
    const last = worked.at(-1);
    const failure = last?.answers.find(isFailure);
    if (!last || !failure) return [];
    const after = turns.slice(turns.indexOf(last) + 1);
    const ended = after.find((turn) => turn.calls.some((call) => isSubmission(call.name)));
    if (!ended && after.some((turn) => turn.calls.length === 0 && turn.thenUser)) return []; // it told a person
    const name = last.calls.find((call) => call.id === failure.callId)?.name ?? last.calls[0]!.name;
    const how = ended ? 'submitted' : 'ended';
    return [
      {
        steps: [failure.step, ...(ended ? [ended.step] : [])],
        explanation: `The run was ${how} right after ${name} had failed: ${quote(failure.text)}.`.replace(
          'was ended',
          'ended',
        ),
        confidence: ended ? 0.7 : 0.5,
      },
    ];
  },
};
