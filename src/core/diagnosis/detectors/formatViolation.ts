import { counted, type Detector, isFormatFeedback, quote } from './detector';

/** Replies the harness could not read, answered with feedback. */
export const formatViolation: Detector = {
  id: 'format-violation',
  why: 'format_violation',
  unitKinds: ['format_error', 'response_parse'],
  soleKinds: ['format_error', 'response_parse'],
  party: 'harness',
  detect(view) {
    const bad = view.turns.flatMap((turn) => {
      const feedback = turn.answers.find((answer) => isFormatFeedback(view, turn, answer));
      return feedback ? [{ turn, feedback }] : [];
    });
    const [first] = bad;
    if (!first) return [];
    const certain = bad.some(
      ({ turn, feedback }) => feedback.event === 'format_error' || turn.event === 'format_error',
    );
    const repeated = bad.filter(({ turn }, index) =>
      bad.slice(0, index).some((one) => one.turn.hash === turn.hash),
    ).length;
    const again =
      repeated > 0 ? `; ${counted(repeated, 'reply', 'replies')} repeated an earlier one word for word` : '';
    return [
      {
        steps: bad.map(({ feedback }) => feedback.step),
        explanation: `${counted(bad.length, 'reply', 'replies')} could not be read; the harness answered ${quote(first.feedback.text)}${again}.`,
        confidence: certain ? 0.95 : 0.75,
      },
    ];
  },
};
