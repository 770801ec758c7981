import { type Detector, quote } from './detector';

const saysFull =
  /\bcontext[ _-]?(?:length|window|limit|size)\b[^.\n]{0,50}(?:exceed|overflow|full|too (?:long|large)|reached)|\b(?:prompt|input|request|conversation|messages?) (?:is |are |was )?too (?:long|large)\b|\bmaximum context length\b|context_length_exceeded|ContextWindowExceeded|ContextOverflow|\bexceed(?:s|ed)?\b[^.\n]{0,30}\b(?:context|token) (?:length|limit|window)|\btoo many (?:input )?tokens\b/i;

/** The conversation did not fit into the model's context any more. */
export const contextOverflow: Detector = {
  id: 'context-overflow',
  why: 'context_overflow',
  unitKinds: ['compaction', 'prompt_assembly', 'truncation', 'limits', 'model_call', 'main_loop'],
  soleKinds: ['compaction', 'truncation', 'prompt_assembly'],
  party: 'harness',
  detect({ run, turns, events, steps }) {
    if (steps === 0) return [];
    const event = events.find((one) => one.event !== 'compaction' && saysFull.test(one.text));
    // Only what answers no call: a file that was read may speak of anything.
    const answer = turns
      .flatMap((turn) => turn.answers)
      .find((one) => one.callId === null && one.length < 2_000 && saysFull.test(one.text));
    const ended = [run.outcome.exception, run.exitStatus].find((text) => text !== null && saysFull.test(text));
    if (!event && !answer && !ended) return [];
    const step = event?.step ?? answer?.step ?? turns.at(-1)?.step ?? steps;
    // The longest result before it is what filled the context.
    const longest = turns
      .flatMap((turn) => turn.answers)
      .filter((one) => one.step <= step)
      .sort((a, b) => b.length - a.length)[0];
    const filled = longest && longest.length > 8_000 ? [longest.step] : [];
    return [
      {
        steps: [step, ...filled],
        explanation: `The conversation became too long for the model: ${quote(event?.text ?? answer?.text ?? ended!)}.`,
        confidence: 0.9,
        partyReason: 'what is kept in the conversation is decided by the harness',
      },
    ];
  },
};
