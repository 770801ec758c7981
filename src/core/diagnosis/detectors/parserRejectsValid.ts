import type { Turn } from '../turns';
import { counted, type Detector, isFormatFeedback, quote } from './detector';

/** Replies that the harness refused as malformed although a whole call stands in them. */
export const parserRejectsValid: Detector = {
  id: 'parser-rejects-valid',
  why: 'parser_rejects_valid_output',
  unitKinds: ['response_parse', 'format_error'],
  soleKinds: ['response_parse'],
  party: 'harness',
  detect(view) {
    const refused = view.turns.flatMap((turn) => {
      const feedback = turn.answers.find((answer) => isFormatFeedback(view, turn, answer));
      const call = feedback && callIn(turn);
      return call ? [{ step: turn.step, feedback: feedback.step, call }] : [];
    });
    const [first] = refused;
    if (!first) return [];
    return [
      {
        steps: refused.flatMap(({ step, feedback }) => (step === feedback ? [step] : [step, feedback])),
        explanation: `${counted(refused.length, 'reply', 'replies')} held a whole call, such as ${quote(first.call)}, and the harness refused ${refused.length === 1 ? 'it' : 'them'}.`,
        confidence: 0.65,
        partyReason: 'the call can be read; only the parser of the harness could not',
      },
    ];
  },
};

/** The one JSON object of a reply that names a tool and has arguments; undefined when there is none or several. */
function callIn(turn: Turn): string | undefined {
  const fenced = [...turn.text.matchAll(/```[\w-]*\n([\s\S]*?)```/g)].map(([, body]) => body!.trim());
  const begin = turn.text.indexOf('{');
  const bare = begin === -1 ? [] : [turn.text.slice(begin, turn.text.lastIndexOf('}') + 1)];
  const calls = [...new Set([...fenced, ...bare])].filter(isCall);
  return calls.length === 1 ? calls[0] : undefined;
}

function isCall(text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false; // text that is no JSON is what most replies are
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const keys = new Set(Object.keys(value).map((key) => key.toLowerCase()));
  const has = (...names: string[]) => names.some((name) => keys.has(name));
  return has('tool', 'name', 'action', 'function', 'tool_name') && has('arguments', 'args', 'input', 'parameters');
}
