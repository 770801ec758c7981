import { type Detector, type Observation, quote, type RunView } from './detector';

const limits = /time.?out|limit|budget|exceed/i;
const environment =
  /docker|container|network|connection|socket|dns|environment|setup|install|rate.?limit|api(?:status|connection)?error|overloaded|auth/i;

/** The run was broken off by an exception that is no limit and does not blame the environment. */
export const exception: Detector = {
  id: 'exception',
  why: 'orchestration_error',
  unitKinds: ['main_loop', 'exec_boundary', 'model_call', 'tool_dispatch', 'retry'],
  party: 'harness',
  detect: (view) => brokenOff(view, false),
};

/** The exception that broke a run off, when it is of the wanted sort. */
export function brokenOff({ run, events, turns, steps }: RunView, wantEnvironment: boolean): Observation[] {
  // An exception after which the model went on was handled.
  const lastTurn = turns.at(-1)?.step ?? 0;
  const event = events.findLast((one) => one.event === 'exception' && one.step >= lastTurn);
  const type = run.outcome.exception;
  const what = [type, event?.text].filter((text) => text).join(' ');
  if (what === '' || steps === 0) return [];
  // The frames of a traceback name files and lines that say nothing about whose fault it is.
  const telling = [type, lastLine(event?.text ?? '')].join(' ');
  const isEnvironment = environment.test(telling);
  if (isEnvironment !== wantEnvironment || (!isEnvironment && limits.test(type ?? what))) return [];
  const frame = event && /^\s*(?:File "|at )/m.test(event.text);
  return [
    {
      steps: [event?.step ?? turns.at(-1)?.step ?? steps],
      explanation: `The run was broken off by an exception: ${event ? quote(frame ? lastLine(event.text) : event.text) : type}.`,
      confidence: frame ? 0.95 : 0.85,
      partyReason: wantEnvironment
        ? 'the exception names something the harness runs on'
        : 'the exception was thrown while the harness ran and was not caught by it',
    },
  ];
}

function lastLine(text: string): string {
  const lines = text.trim().split('\n');
  // A stack of JavaScript begins with the message, a traceback of Python ends with it.
  return (/^\s*at /.test(lines.at(-1) ?? '') ? lines[0] : lines.at(-1)) ?? '';
}
