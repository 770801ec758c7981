import { answerTo } from '../actions';
import { counted, type Detector } from './detector';

/** A call that got nothing back, after which the model asked the same again: it could not tell what had happened. */
export const emptyResult: Detector = {
  id: 'empty-result',
  why: 'observation_truncated',
  unitKinds: ['observation', 'truncation', 'tool_shell', 'tool_dispatch', 'exec_boundary'],
  soleKinds: ['observation'],
  party: 'harness',
  detect({ turns }) {
    const steps: number[] = [];
    turns.forEach((turn, index) => {
      const next = turns[index + 1];
      for (const call of turn.calls) {
        const answer = answerTo(turn, call);
        if (!answer || answer.length > 1 || answer.isError) continue;
        if (next?.calls.some((other) => other.key === call.key)) steps.push(answer.step);
      }
    });
    if (steps.length === 0) return [];
    return [
      {
        steps,
        explanation: `${counted(steps.length, 'call')} got an empty result, and the model made the same call again.`,
        confidence: 0.6,
        partyReason: 'the harness does not say that there was no output, or what became of the command',
      },
    ];
  },
};
