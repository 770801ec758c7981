import { answerTo, isChange } from '../actions';
import { tellingWords, textOf } from '../seenWords';
import { counted, type Detector, isFailure, isNotice } from './detector';

const saysMissing =
  /no such file|not found|does(?: not|n't) exist|cannot (?:find|open|access)|ENOENT|FileNotFound|ModuleNotFound|unknown (?:id|key|user|order|name)|no (?:match|matches|results?) (?:for|found)/i;
const fewest = 2;

/** Calls about names that stood nowhere in the model's input and that do not exist: it had to guess. */
export const guessedValue: Detector = {
  id: 'guessed-value',
  why: 'evidence_absent',
  unitKinds: ['compaction', 'truncation', 'prompt_assembly', 'system_prompt', 'tool_search'],
  party: 'model',
  detect({ turns, words, events }) {
    const guesses: { step: number; word: string; lost: boolean }[] = [];
    for (const turn of turns) {
      for (const call of turn.calls) {
        const answer = answerTo(turn, call);
        if (!answer || isChange(call) || !isNotice(answer) || !saysMissing.test(answer.text)) continue;
        if (!isFailure(answer) && answer.length > 400) continue;
        const guessed = [...tellingWords(textOf(call.args))].find((word) => {
          const shown = words.shownAt(word);
          return !shown || shown.first >= turn.step;
        });
        const before = events.some((one) => one.event === 'compaction' && one.step < turn.step);
        if (guessed) guesses.push({ step: answer.step, word: guessed, lost: before });
      }
    }
    if (guesses.length < fewest) return [];
    const lost = guesses.some((one) => one.lost);
    return [
      {
        steps: guesses.map(({ step }) => step),
        explanation: `${counted(guesses.length, 'call')} asked for names that stood nowhere in the model's input and do not exist, such as ${guesses[0]!.word}.`,
        confidence: 0.5,
        ...(lost ? { party: 'harness' as const } : {}),
        partyReason: lost
          ? 'the conversation had been shortened before'
          : 'nothing shows that the harness had withheld the names',
      },
    ];
  },
};
