import { answerTo } from '../actions';
import { counted, type Detector, isFailure, isNotice, quote } from './detector';

const saysWrong =
  /\b(?:missing|unexpected|invalid|unknown|unrecogni[sz]ed)\b[^.\n]{0,25}\b(?:arguments?|parameters?|propert(?:y|ies)|fields?|keys?)\b|\brequired (?:argument|parameter|property|field)\b|\bvalidation (?:error|failed)\b|\b(?:arguments?|parameters?|input)\b[^.\n]{0,30}\b(?:do(?:es)? not|don't|doesn't|did not) (?:match|fit)\b|\bmust have required property\b|\bexpected (?:a |an )?(?:string|number|integer|object|array|boolean)\b[^.\n]{0,20}\b(?:received|got|but)\b/i;

/** Calls whose arguments the tool refused, when the model does not get them right the next time. */
export const wrongArguments: Detector = {
  id: 'wrong-arguments',
  why: 'wrong_tool_or_arguments',
  unitKinds: ['tool_dispatch', 'tool_registry', 'tool_edit', 'tool_read', 'tool_write', 'response_parse'],
  party: 'harness',
  detect({ turns }) {
    const tools = new Map<string, { steps: number[]; told: string; cured: boolean }>();
    for (const turn of turns) {
      for (const call of turn.calls) {
        const answer = answerTo(turn, call);
        const known = tools.get(call.name);
        // A program that the shell runs speaks of its own arguments.
        if (answer && isNotice(answer) && saysWrong.test(answer.text) && !ranProgram(call.name)) {
          const entry = known ?? { steps: [], told: answer.text, cured: false };
          entry.steps.push(answer.step);
          entry.cured = false;
          tools.set(call.name, entry);
        } else if (known && answer && !isFailure(answer)) known.cured = true;
      }
    }
    return [...tools]
      .filter(([, { steps, cured }]) => steps.length > 1 || !cured)
      .map(([name, { steps, told, cured }]) => ({
        steps,
        explanation: `${name} refused its arguments ${counted(steps.length, 'time')}${cured ? '' : ' and never got right ones'}: ${quote(told)}.`,
        confidence: cured ? 0.5 : 0.75,
        partyReason: 'the description of the tool or its answer did not lead to right arguments',
      }));
  },
};

function ranProgram(name: string): boolean {
  return /shell|bash|exec|terminal|command|python/i.test(name);
}
