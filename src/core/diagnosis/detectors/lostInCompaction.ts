import { type Detector, quote } from './detector';

const forgot =
  /\b(?:no longer|not|n't|cannot|forgot|lost)\b[^.\n]{0,40}\b(?:task|instructions?|goal|context|what (?:I|the user))\b|\btask\b[^.\n]{0,30}\b(?:any ?more|unclear|missing)\b/i;

const saysShortened =
  /\b(?:earlier|previous|older) (?:messages|turns|conversation)\b[^.\n]{0,40}\b(?:removed|dropped|summari[sz]ed|left out)\b|\bconversation\b[^.\n]{0,30}\b(?:compacted|summari[sz]ed|shortened|truncated)\b/i;

/** After the harness shortened the conversation the model says that it does not know its task any more. */
export const lostInCompaction: Detector = {
  id: 'lost-in-compaction',
  why: 'lost_in_compaction',
  unitKinds: ['compaction', 'prompt_assembly'],
  soleKinds: ['compaction'],
  party: 'harness',
  detect({ turns, events }) {
    const compactions = events.filter(
      (one) => one.event === 'compaction' || (one.event === 'note' && saysShortened.test(one.text)),
    );
    const [first] = compactions;
    const lost = first && turns.find((turn) => turn.step > first.step && forgot.test(turn.text));
    if (!lost) return [];
    const before = compactions.findLast((one) => one.step < lost.step) ?? first;
    return [
      {
        steps: [before.step, lost.step],
        explanation: `After the conversation was shortened the model said ${quote(lost.text)}.`,
        confidence: 0.75,
      },
    ];
  },
};
