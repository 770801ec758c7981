import { counted, type Detector, quote } from './detector';

const refuses =
  /\bI(?:'m| am) (?:sorry,? (?:but )?|afraid )?(?:I(?:'m| am) )?(?:unable|not able) to (?:help|assist|comply|continue|fulfil)|\bI (?:can(?:no|')t|cannot|won't|will not|must decline to|have to decline to) (?:help(?! but\b| (?:noticing|thinking|wondering|feeling)\b)|assist|comply|fulfil|participate|do (?:that|this)|provide (?:that|this))|\b(?:cannot|can't) (?:assist|comply) with (?:that|this|your)/i;

/** The model declined to do what it was asked. */
export const refusal: Detector = {
  id: 'refusal',
  why: 'reasoning_error',
  unitKinds: ['system_prompt', 'prompt_assembly'],
  party: 'model',
  detect({ turns }) {
    const declined = turns.filter(
      (turn) => turn.event === 'refusal' || (turn.calls.length === 0 && refuses.test(turn.text)),
    );
    const [first] = declined;
    if (!first) return [];
    return [
      {
        steps: declined.map((turn) => turn.step),
        explanation: `The model declined in ${counted(declined.length, 'turn')}: ${quote(first.text)}.`,
        confidence: first.event === 'refusal' ? 0.95 : 0.75,
        partyReason: 'the model declined; nothing in the run shows that the harness made it do so',
      },
    ];
  },
};
