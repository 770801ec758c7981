import { answerTo } from '../actions';
import { counted, type Detector, isNotice, quote } from './detector';

const saysUnknown =
  /\b(?:unknown|unrecogni[sz]ed|no such|undefined|unsupported|nonexistent) (?:tool|function|action)\b|\b(?:tool|function|action)\b:? ?['"`]?[\w.-]{0,60}['"`]? (?:(?:was |is )?not found|does(?: not|n't) exist|is(?: not|n't) (?:available|defined|registered|known|supported|(?:a )?(?:known|valid|recogni[sz]ed))|not (?:available|supported|registered))/i;

/** Calls of tools that the harness does not have. Asked for again and again, a tool is missing. */
export const unknownTool: Detector = {
  id: 'unknown-tool',
  why: 'wrong_tool_or_arguments',
  unitKinds: ['tool_dispatch', 'tool_registry', 'response_parse', 'system_prompt'],
  soleKinds: ['tool_dispatch', 'tool_registry'],
  party: 'harness',
  detect({ turns }) {
    const names = new Map<string, { steps: number[]; told: string }>();
    for (const turn of turns) {
      for (const call of turn.calls) {
        const answer = answerTo(turn, call);
        if (!answer || !isNotice(answer) || !saysUnknown.test(answer.text)) continue;
        const entry = names.get(call.name) ?? { steps: [], told: answer.text };
        entry.steps.push(answer.step);
        names.set(call.name, entry);
      }
    }
    return [...names].map(([name, { steps, told }]) => ({
      steps,
      explanation: `The model called ${name}, which the harness does not have, ${counted(steps.length, 'time')}; it was told ${quote(told)}.`,
      confidence: steps.length > 1 ? 0.9 : 0.75,
      ...(steps.length > 1 ? { why: 'tool_affordance_missing' as const } : {}),
      partyReason:
        steps.length > 1
          ? 'what the harness answered did not lead the model to a tool that exists'
          : 'the model was not told well enough which tools there are',
    }));
  },
};
