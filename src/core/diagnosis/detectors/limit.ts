import { counted, type Detector, quote } from './detector';

const limitWords =
  /time.?out|timed.?out|limit|exceed|budget|max(?:imum)?[ _-]?(?:turns|steps|iterations|tokens)|exhausted/i;

/** Whose limit it was; the first that fits the words it was told with. */
const owners = [
  ['tokens', /token|context/i],
  ['cost', /cost|budget|usd|dollar|\$/i],
  ['format errors', /format|malformed|parse|consecutive/i],
  ['turns', /turn|step|iteration|call|round/i],
  ['time', /time|second|minute|wall|deadline/i],
] as const;

/** The run was ended by a limit and not by the model. */
export const limit: Detector = {
  id: 'limit',
  why: 'limit_or_timeout',
  unitKinds: ['limits', 'termination', 'retry', 'main_loop'],
  soleKinds: ['limits', 'termination'],
  party: 'harness',
  detect({ run, turns, events, steps }) {
    const event = events.findLast((one) => one.event === 'limit' || /^(?:time_?out|limit)/i.test(one.event));
    const told = [run.outcome.exception, run.exitStatus].find((text) => text !== null && limitWords.test(text));
    if ((!event && !told) || steps === 0) return [];
    const last = turns.at(-1)?.step ?? steps;
    const how = told ?? quote(event!.text || event!.event);
    const words = [told, event?.text, event?.event].join(' ');
    const owner = owners.find(([, pattern]) => pattern.test(words))?.[0];
    return [
      {
        steps: event ? [event.step] : [Math.max(1, last)],
        explanation: `The run ended by a limit${owner ? ` of ${owner}` : ''} (${how}) after ${counted(turns.length, 'turn')}.`,
        confidence: 0.9,
        partyReason: 'a limit of the harness or of the engine that ran it ended the run, not the model',
      },
    ];
  },
};
