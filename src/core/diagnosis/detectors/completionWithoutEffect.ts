import { answerTo, changes, filesIn, isChange, isReader, isShell } from '../actions';
import type { Turn } from '../turns';
import { counted, type Detector, isFailure, isSubmission, quote, type RunView } from './detector';

const claims =
  /\bI(?:'ve| have)? (?:now )?(?:fixed|updated|changed|created|added|implemented|removed|renamed|edited|written|replaced|modified)\b|\b(?:fix|change|edit|update|file|function)s? (?:is|are|was|were|has been|have been) (?:done|made|applied|fixed|updated|created|added|complete|in place)\b|\b(?:task|work) (?:is )?(?:complete|completed|done|finished)\b/i;
const nothingDone =
  /\b(?:no|0|zero) (?:changes?|replacements?|occurrences?|matches|edits?|files? (?:changed|were changed))\b|\bnothing (?:to|was) (?:change|changed|commit|replaced|written)\b|\b(?:file )?(?:is )?unchanged\b/i;

/** A change that the harness confirmed and that did nothing, or a completion that was claimed with nothing changed. */
export const completionWithoutEffect: Detector = {
  id: 'completion-without-effect',
  why: 'completion_without_effect',
  unitKinds: ['tool_edit', 'tool_write', 'tool_dispatch', 'termination', 'tool_submit'],
  party: 'harness',
  detect(view) {
    return [...withoutTrace(view), ...claimed(view)];
  },
};

/** The same file read before and after a confirmed change has the same text. */
function withoutTrace({ turns }: RunView) {
  const reads = new Map<string, { hash: string; turn: number }>();
  const found: { edit: Turn; read: Turn; file: string }[] = [];
  turns.forEach((turn, index) => {
    for (const call of turn.calls) {
      const answer = answerTo(turn, call);
      const looks = isReader(call) || (isShell(call) && !isChange(call) && filesIn(call).length > 0);
      if (!answer || !looks || isFailure(answer) || answer.length < 2) continue;
      const before = reads.get(call.key);
      reads.set(call.key, { hash: answer.hash, turn: index });
      if (before?.hash !== answer.hash) continue;
      const names = new Set(filesIn(call).map(nameOf));
      const edit = turns.slice(before.turn + 1, index).find((one) => confirmedChangeOf(one, names));
      if (edit) found.push({ edit, read: turn, file: [...names][0]! });
    }
  });
  const [first] = found;
  if (!first) return [];
  return [
    {
      steps: found.flatMap(({ edit, read }) => [edit.step, read.step]),
      explanation: `${counted(found.length, 'change')} of ${first.file} ${found.length === 1 ? 'was' : 'were'} confirmed, but the text read afterwards is the one from before.`,
      confidence: 0.85,
      unitKinds: ['tool_edit', 'tool_write', 'tool_dispatch'],
      soleKinds: ['tool_edit', 'tool_write'],
      partyReason: 'the tool confirmed a change that it did not make',
    },
  ];
}

/** A change by a tool for files; a command may have looked without a lasting effect. */
function confirmedChangeOf(turn: Turn, names: ReadonlySet<string>): boolean {
  return turn.calls.some((call) => {
    if (!isChange(call) || isShell(call) || !filesIn(call).some((file) => names.has(nameOf(file)))) return false;
    const answer = answerTo(turn, call);
    return answer !== undefined && !isFailure(answer) && !nothingDone.test(answer.text.slice(0, 400));
  });
}

/** Every change failed or changed nothing, or there was none, and the model said that it was done. */
function claimed(view: RunView) {
  const { turns, run } = view;
  if (run.outcome.verdict === 'pass') return [];
  const submitted = turns.findLast((turn) => turn.calls.some((call) => isSubmission(call.name)));
  const ended = submitted ?? turns.at(-1);
  if (!ended || !turns.some((turn) => turn.calls.length > 0)) return [];
  const changed = turns.filter(changes);
  const failed = changed.filter((turn) =>
    turn.answers.some((answer) => isFailure(answer) || nothingDone.test(answer.text.slice(0, 400))),
  );
  if (failed.length < changed.length) return [];
  // Without a verdict a task that asks for no change looks the same.
  if (changed.length === 0 && run.outcome.verdict !== 'fail') return [];
  // Some harnesses are ended by an ordinary command; one that was broken off was not.
  const endedByCall = submitted !== undefined || (ended.calls.length > 0 && !wasBrokenOff(view, ended));
  const says = claims.test(ended.text) || (changed.length > 0 && endedByCall);
  if (!says) return [];
  const what = changed.length === 0 ? 'nothing had been changed' : `${counted(failed.length, 'change')} had all failed`;
  return [
    {
      steps: [ended.step, ...failed.map((turn) => turn.step)],
      explanation: `The run ended with a claim to be done (${quote(ended.text)}), but ${what}.`,
      confidence: changed.length === 0 ? 0.5 : 0.7,
      unitKinds: ['termination', 'tool_submit', 'tool_edit', 'system_prompt'],
      soleKinds: ['termination', 'tool_submit'],
      party: 'model' as const,
      partyReason: "the claim is the model's; a check of the harness could have caught it",
    },
  ];
}

function wasBrokenOff({ run, events }: RunView, last: Turn): boolean {
  if (run.endsTruncated || run.outcome.exception !== null) return true;
  return (
    /limit|exceed|time.?out|max/i.test(run.exitStatus ?? '') ||
    events.some((one) => one.step > last.step && /limit|time.?out|exception/i.test(one.event))
  );
}

function nameOf(path: string): string {
  return path.split('/').at(-1)!;
}
