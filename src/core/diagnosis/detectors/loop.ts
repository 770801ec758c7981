import { type Detector, isFormatFeedback } from './detector';

const fewest = 3;

/** The same call with the same result again and again, or the same words without a call. */
export const loop: Detector = {
  id: 'loop',
  why: 'loop_or_stagnation',
  unitKinds: ['limits', 'main_loop', 'termination', 'system_prompt'],
  soleKinds: ['limits', 'main_loop'],
  party: 'model',
  detect(view) {
    const seen = new Map<string, { steps: number[]; what: string }>();
    const note = (key: string, step: number, what: string) => {
      const entry = seen.get(key) ?? { steps: [], what };
      entry.steps.push(step);
      seen.set(key, entry);
    };
    for (const turn of view.turns) {
      for (const call of turn.calls) {
        const result = turn.answers.find((answer) => answer.callId === call.id) ?? turn.answers[0];
        if (result)
          note(
            `${call.key} ${result.hash}`,
            turn.step,
            `called ${call.name} with the same arguments and got the same result`,
          );
      }
      // Malformed replies that repeat are counted by the format detector, which knows what the harness said to them.
      const malformed = turn.answers.some((answer) => isFormatFeedback(view, turn, answer));
      if (turn.calls.length === 0 && turn.text !== '' && !malformed)
        note(turn.hash, turn.step, 'said the same and called no tool');
    }
    return [...seen.values()]
      .filter(({ steps }) => steps.length >= fewest)
      .map(({ steps, what }) => ({
        steps: [steps.at(-1)!, ...steps.slice(0, -1)],
        explanation: `The model ${what}, ${steps.length} times.`,
        confidence: Math.min(0.9, 0.5 + 0.1 * (steps.length - fewest)),
      }));
  },
};
