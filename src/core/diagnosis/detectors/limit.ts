import { counted, type Detector, quote } from './detector';

const limitWords =
  /time.?out|timed.?out|limit|exceed|budget|max(?:imum)?[ _-]?(?:turns|steps|iterations|tokens)|exhausted/i;

/** The run was ended by a limit and not by the model. */
export const limit: Detector = {
  id: 'limit',
  why: 'limit_or_timeout',
  unitKinds: ['limits', 'termination', 'retry', 'main_loop'],
  soleKind: 'limits',
  detect({ run, turns, events, steps }) {
    const event = events.findLast((one) => one.event === 'limit' || /^(?:time_?out|limit)/i.test(one.event));
    const told = [run.outcome.exception, run.exitStatus].find((text) => text !== null && limitWords.test(text));
    if (!event && !told) return [];
    const last = turns.at(-1)?.step ?? steps;
    if (steps === 0) return [];
    const how = told ?? quote(event!.text || event!.event);
    return [
      {
        steps: event ? [event.step] : [Math.max(1, last)],
        explanation: `The run ended by a limit (${how}) after ${counted(turns.length, 'turn')}.`,
        confidence: 0.9,
      },
    ];
  },
};
