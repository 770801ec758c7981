import { instructionsOf, notShown } from '../adherence';
import { counted, type Detector, quote } from './detector';

/** Instructions in the input that the model did not follow, as far as calls show it. */
export const instructionNotFollowed: Detector = {
  id: 'instruction-not-followed',
  why: 'instruction_not_followed',
  unitKinds: ['system_prompt', 'prompt_assembly'],
  soleKinds: ['system_prompt'],
  party: 'model',
  detect: (view) =>
    instructionsOf(view)
      .filter(({ broken }) => broken.length > 0)
      .map(({ quote: words, broken, step }) => ({
        steps: [...broken, step],
        explanation: `The input said ${quote(words, 160)}, and ${counted(broken.length, 'step')} did otherwise.`,
        confidence: view.run.outcome.verdict === 'fail' ? 0.55 : 0.4,
        partyReason: 'the instruction stood in the input of the model',
      })),
};

/** Instructions of the harness that would have helped and did not stand in the input. */
export const instructionNotActivated: Detector = {
  id: 'instruction-not-activated',
  why: 'instruction_not_activated',
  unitKinds: ['prompt_assembly', 'system_prompt'],
  soleKinds: ['prompt_assembly'],
  party: 'harness',
  detect: (view) =>
    notShown(view, view.harnessTexts).map(({ quote: words, broken, file }) => ({
      steps: broken,
      explanation: `${file} says ${quote(words, 160)}, but that did not stand in the input, and ${counted(broken.length, 'step')} did otherwise.`,
      confidence: 0.6,
      partyReason: 'the harness has the instruction and did not show it',
    })),
};
