import { type Detector, quote } from './detector';

const saysGaveUp =
  /\b(?:retries|attempts|tries)\b[^.\n]{0,25}\b(?:exhausted|exceeded|failed|used up|reached)\b|\b(?:max(?:imum)?|too many)\b[^.\n]{0,20}\b(?:retries|attempts|errors|failures|re-?queries)\b|\bgiv(?:ing|es?|en) up\b[^.\n]{0,30}\b(?:after|retr)|\bgave up\b|\b(?:failed|unsuccessful) after \d+ (?:attempts|retries|tries)\b/i;

const passes =
  /rate.?limit|\b(?:429|500|502|503|504|529)\b|overloaded|temporar|service unavailable|connection (?:reset|error|aborted)|ECONNRESET|ETIMEDOUT|timed? ?out while|bad gateway/i;

/** A fault that usually passes ended the run: after several tries, or because there was no second one. */
export const retriesExhausted: Detector = {
  id: 'retries-exhausted',
  why: 'recovery_missing',
  unitKinds: ['retry', 'model_call', 'exec_boundary', 'main_loop'],
  soleKinds: ['retry', 'model_call'],
  party: 'harness',
  detect({ run, turns, events, steps }) {
    if (steps === 0) return [];
    const told = [...events]
      .reverse()
      .find((one) => /exception|error|retry|limit|note/.test(one.event) && fits(one.text));
    const ended = [run.outcome.exception, run.exitStatus].find((text) => text !== null && fits(text));
    if (!told && !ended) return [];
    const text = told?.text ?? ended!;
    const gaveUp = saysGaveUp.test(text);
    // The run went on after it: it was recovered from.
    if (told && !ended && turns.some((turn) => turn.step > told.step)) return [];
    return [
      {
        steps: [told?.step ?? turns.at(-1)?.step ?? steps],
        explanation: gaveUp
          ? `The harness gave up after several tries: ${quote(text)}.`
          : `A fault that usually passes ended the run at its first occurrence: ${quote(text)}.`,
        confidence: gaveUp ? 0.8 : 0.7,
        partyReason: 'the fault came from outside, but whether a run survives it is decided by the harness',
      },
    ];
  },
};

function fits(text: string): boolean {
  return saysGaveUp.test(text) || passes.test(text);
}
