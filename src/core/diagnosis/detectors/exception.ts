import { type Detector, quote } from './detector';

const limits = /time.?out|limit|budget|exceed/i;

/** The run was broken off by an exception that is no limit. */
export const exception: Detector = {
  id: 'exception',
  why: 'orchestration_error',
  unitKinds: ['main_loop', 'exec_boundary', 'model_call', 'tool_dispatch', 'retry'],
  detect: (view) => thrown(view, false),
};

/** The same, where the name of the exception blames the environment. */
export const environmentFault: Detector = {
  id: 'environment-fault',
  why: 'environment_fault',
  unitKinds: ['exec_boundary', 'model_call', 'retry'],
  detect: (view) => thrown(view, true),
};

const environment =
  /docker|container|network|connection|socket|dns|environment|setup|install|rate.?limit|api(?:status|connection)?error|overloaded|auth/i;

function thrown({ run, events, turns, steps }: Parameters<Detector['detect']>[0], wantEnvironment: boolean) {
  const event = events.findLast((one) => one.event === 'exception');
  const type = run.outcome.exception;
  const what = [type, event?.text].filter((text) => text).join(' ');
  if (what === '' || steps === 0) return [];
  const isEnvironment = environment.test(what);
  if (isEnvironment !== wantEnvironment || (!isEnvironment && limits.test(type ?? what))) return [];
  const told = event ? quote(event.text) : type;
  return [
    {
      steps: [event?.step ?? turns.at(-1)?.step ?? steps],
      explanation: `The run was broken off by an exception: ${told}.`,
      confidence: 0.85,
    },
  ];
}
