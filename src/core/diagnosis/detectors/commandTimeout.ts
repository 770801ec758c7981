import { counted, type Detector, quote } from './detector';

const saysTimeout =
  /\btimed out\b|\btime(?:out|[ -]limit)\b[^.\n]{0,30}\b(?:after|exceeded|expired|reached|of \d)|\b(?:exceeded|reached)\b[^.\n]{0,20}\btime(?:out| limit)\b|\bkilled after \d|\b(?:was|been) killed\b[^.\n]{0,30}\bseconds?\b|TimeoutExpired/i;

/** Commands of the agent that a limit of the harness broke off. */
export const commandTimeout: Detector = {
  id: 'command-timeout',
  why: 'limit_or_timeout',
  unitKinds: ['exec_boundary', 'tool_shell', 'limits', 'observation'],
  soleKinds: ['exec_boundary', 'tool_shell'],
  party: 'harness',
  detect({ turns, run }) {
    const broken = turns.flatMap((turn) => {
      const answer = turn.answers.find((one) => turn.calls.length > 0 && saysTimeout.test(edges(one.text)));
      return answer ? [{ answer, call: turn.calls[0]! }] : [];
    });
    const [first] = broken;
    if (!first || (broken.length < 2 && run.outcome.verdict === 'pass')) return [];
    const same = broken.filter(({ call }) => call.key === first.call.key).length;
    const again = same > 1 ? `; the same call was tried ${same} times` : '';
    return [
      {
        steps: broken.map(({ answer }) => answer.step),
        explanation: `The time limit of a single command ended ${counted(broken.length, 'call')} of ${first.call.name}: ${quote(first.answer.text)}${again}.`,
        confidence: broken.length > 1 ? 0.8 : 0.55,
        partyReason: 'the limit is set by the harness, and so is what the model is told of it',
      },
    ];
  },
};

/** A notice stands at the beginning or the end of the output of a command. */
function edges(text: string): string {
  return text.length <= 600 ? text : `${text.slice(0, 300)}\n${text.slice(-300)}`;
}
