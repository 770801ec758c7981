import type { Answer, Turn } from '../turns';
import { counted, type Detector, linksToKind } from './detector';

const saysCut =
  /\b(?:output|result|observation|text|content|file)\b[^.\n]{0,40}\b(?:was |is |were |has been )?(?:truncated|cut(?: off)?|shortened|too (?:long|large))\b|\[?\.\.\.[^\n]{0,30}\b(?:truncated|omitted|elided|left out|more (?:lines|characters))\b|<(?:truncated|output truncated)>|\b\d+ (?:lines|characters|chars|bytes|tokens) (?:truncated|omitted|elided|left out|were cut)/i;

/** Results the harness shortened: with a notice, after which the model asked again, or without one. */
export const observationCut: Detector = {
  id: 'observation-cut',
  why: 'observation_truncated',
  unitKinds: ['truncation', 'observation', 'tool_shell', 'tool_read', 'tool_search'],
  soleKinds: ['truncation', 'observation'],
  party: 'harness',
  detect(view) {
    const noticed: number[] = [];
    const silent: number[] = [];
    let askedAgain = 0;
    view.turns.forEach((turn, index) => {
      for (const answer of turn.answers) {
        if (lacksLines(answer)) silent.push(answer.step);
        else if (saysCut.test(answer.text) || (answer.length > 800 && linksToKind(view, answer.step, 'truncation'))) {
          noticed.push(answer.step);
          if (asksAgain(turn, view.turns.slice(index + 1, index + 4))) askedAgain++;
        }
      }
    });
    const observations = [];
    if (silent.length > 0) {
      observations.push({
        steps: silent,
        explanation: `${counted(silent.length, 'result')} had fewer lines than announced, with no notice that something was cut.`,
        confidence: 0.8,
      });
    }
    // A notice that the model needs nothing of is how it should be.
    if (askedAgain > 0 || (noticed.length > 0 && view.run.outcome.verdict === 'fail')) {
      const again =
        askedAgain > 0 ? `, and the model asked again for the same thing ${counted(askedAgain, 'time')}` : '';
      observations.push({
        steps: noticed,
        explanation: `${counted(noticed.length, 'result')} had been cut by the harness${again}.`,
        confidence: askedAgain > 0 ? 0.7 : 0.4,
      });
    }
    return observations;
  },
};

/** The first line announces a number of lines, and far fewer follow without a word about it. */
function lacksLines(answer: Answer): boolean {
  if (answer.length < 500 || saysCut.test(answer.text)) return false;
  const announced = /\b(\d{2,7}) lines\b/.exec(answer.text.split('\n', 1)[0]!)?.[1];
  return announced !== undefined && answer.lines - 1 < Number(announced) * 0.95;
}

/** A later turn calls the same tool about the same thing with other arguments. */
function asksAgain(turn: Turn, later: readonly Turn[]): boolean {
  return turn.calls.some((call) => {
    const things = wordsOf(call.args).filter((word) => word.length >= 5);
    return later.some((next) =>
      next.calls.some((other) => other.key !== call.key && things.some((thing) => wordsOf(other.args).includes(thing))),
    );
  });
}

/** Paths and other words of arguments. */
function wordsOf(args: unknown): string[] {
  return JSON.stringify(args ?? null).match(/[\w./-]+/g) ?? [];
}
