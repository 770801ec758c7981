import { counted, type Detector, isFormatFeedback } from './detector';

/** Turns in which the model called nothing although the run went on, and nobody had asked it something. */
export const noActionTurn: Detector = {
  id: 'no-action-turn',
  why: 'no_action_turn',
  unitKinds: ['response_parse', 'loop_step', 'main_loop', 'termination'],
  soleKinds: ['response_parse', 'main_loop'],
  party: 'harness',
  detect(view) {
    if (!view.turns.some((turn) => turn.calls.length > 0)) return []; // a conversation, not an agent run
    const idle = view.turns.slice(0, -1).filter((turn) => {
      if (turn.calls.length > 0 || turn.thenUser) return false;
      return !turn.answers.some((answer) => isFormatFeedback(view, turn, answer));
    });
    if (idle.length === 0) return [];
    const share = idle.length / view.turns.length;
    return [
      {
        steps: idle.map((turn) => turn.step),
        explanation: `${counted(idle.length, 'turn')} of ${view.turns.length} called no tool, and the run went on.`,
        confidence: idle.length >= 3 || share > 0.3 ? 0.7 : 0.4,
      },
    ];
  },
};
