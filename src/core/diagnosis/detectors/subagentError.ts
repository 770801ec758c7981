import { answerTo } from '../actions';
import { counted, type Detector, isFailure, quote } from './detector';

const delegates = /^(?:task|agent|delegate\w*|sub_?agent\w*|dispatch_agent|spawn\w*|run_agent)$/i;

/** Work that was given to another agent and came back as a failure or not at all. */
export const subagentError: Detector = {
  id: 'sub-agent-error',
  why: 'orchestration_error',
  unitKinds: ['subagents', 'tool_dispatch'],
  soleKinds: ['subagents'],
  party: 'harness',
  detect({ turns, run }) {
    const failed = turns.flatMap((turn) =>
      turn.calls.flatMap((call) => {
        const answer = delegates.test(call.name) ? answerTo(turn, call) : undefined;
        return answer && (isFailure(answer) || answer.length === 0) ? [answer] : [];
      }),
    );
    const [first] = failed;
    if (!first || (failed.length < 2 && run.outcome.verdict === 'pass')) return [];
    const told = first.length === 0 ? 'nothing came back' : quote(first.text);
    return [
      {
        steps: failed.map((answer) => answer.step),
        explanation: `${counted(failed.length, 'piece')} of work given to another agent failed: ${told}.`,
        confidence: 0.7,
        partyReason: 'the harness starts the other agent and hands its answer back',
      },
    ];
  },
};
