import { counted, type Detector, quote, type RunView } from './detector';
import { brokenOff } from './exception';

const faults =
  /no space left on device|disk quota exceeded|could not resolve host|temporary failure in name resolution|network is unreachable|cannot connect to the docker daemon|read-only file system|container (?:\S+ )?(?:is not running|has exited|not found)|out of memory: killed|OOMKilled|cannot allocate memory/i;

/** What the run stood on broke: the exception that ended it says so, or commands of different kinds failed by it. */
export const environmentFault: Detector = {
  id: 'environment-fault',
  why: 'environment_fault',
  unitKinds: ['exec_boundary', 'model_call', 'retry'],
  party: 'environment',
  detect: (view) => [...brokenOff(view, true), ...inCommands(view)],
};

function inCommands({ turns }: RunView) {
  const failed = turns.flatMap((turn) => {
    const answer = turn.answers.find((one) => turn.calls.length > 0 && one.length < 4_000 && faults.test(one.text));
    return answer ? [{ answer, key: turn.calls[0]!.key }] : [];
  });
  const [first] = failed;
  if (!first || new Set(failed.map(({ key }) => key)).size < 2) return [];
  return [
    {
      steps: failed.map(({ answer }) => answer.step),
      explanation: `${counted(failed.length, 'command')} failed by what the run stood on: ${quote(faults.exec(first.answer.text)![0])}.`,
      confidence: 0.75,
      partyReason: 'different commands failed by the same fault of the machine, the container or the network',
    },
  ];
}
