import { answerTo, isReader, isShell } from '../actions';
import { counted, type Detector } from './detector';

const fewest = 2;

/** After the conversation was shortened the model asked for the same things as before, and got the same answers. */
export const askedAgainAfterCompaction: Detector = {
  id: 'asked-again-after-compaction',
  why: 'lost_in_compaction',
  unitKinds: ['compaction', 'prompt_assembly'],
  soleKinds: ['compaction'],
  party: 'harness',
  detect({ turns, events }) {
    const compactions = events.filter((one) => one.event === 'compaction').map((one) => one.step);
    if (compactions.length === 0) return [];
    const known = new Map<string, number>();
    const again: { step: number; compaction: number }[] = [];
    for (const turn of turns) {
      for (const call of turn.calls) {
        const answer = answerTo(turn, call);
        if (!answer || answer.length < 40 || !(isReader(call) || isShell(call))) continue;
        const key = `${call.key} ${answer.hash}`;
        const before = known.get(key);
        const compaction = before === undefined ? undefined : compactions.find((n) => before < n && n < turn.step);
        if (compaction !== undefined) again.push({ step: turn.step, compaction });
        known.set(key, turn.step);
      }
    }
    const [first] = again;
    if (!first || again.length < fewest) return [];
    return [
      {
        steps: [first.compaction, ...again.map(({ step }) => step)],
        explanation: `After the conversation was shortened the model asked for ${counted(again.length, 'thing')} again that it had been shown before.`,
        confidence: Math.min(0.85, 0.5 + 0.1 * again.length),
        partyReason: 'the shortened conversation did not hold what was needed',
      },
    ];
  },
};
