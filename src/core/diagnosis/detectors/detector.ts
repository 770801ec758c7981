import type { Link } from '../../links';
import type { TraceRun } from '../../traces';
import type { Party, WhyLabel } from '../model';
import type { Answer, RunTurns, Turn } from '../turns';

/** A handbook unit as far as detectors look at it. */
export interface UnitHead {
  id: string;
  kind: string;
  title: string;
  sites?: readonly { file: string; symbol: string; start: number; end: number }[];
  /** Ids of the units it calls. */
  calls?: readonly string[];
}

export interface RunView extends RunTurns {
  run: TraceRun;
  /** Links of a step, best first. */
  linksOf(step: number): readonly Link[];
  unit(id: string): UnitHead | undefined;
  units: readonly UnitHead[];
  /** Prompt texts of the harness, to tell an instruction that was not shown from one that does not exist. */
  harnessTexts: readonly { file: string; text: string }[];
}

/** What a detector saw; place and unit are found from the steps afterwards. */
export interface Observation {
  /** Step numbers that show it, best evidence first. */
  steps: number[];
  explanation: string;
  confidence: number;
  /** Where one detector tells several things apart, those of this observation in place of the detector's. */
  why?: WhyLabel;
  unitKinds?: readonly string[];
  soleKinds?: readonly string[];
  party?: Party;
  /** Why it is laid to the party, when the detector knows more than its kind. */
  partyReason?: string;
}

/** One cheap, deterministic look at a run. It says what is there; whether that caused a failure is for counting. */
export interface Detector {
  id: string;
  why: WhyLabel;
  /** Unit kinds that usually are to blame, most likely first; only used among units that steps link to. */
  unitKinds: readonly string[];
  /**
   * Kinds of units that must have done this, or left it undone, for what leaves no trace in the text; the most likely
   * first. When no step links to such a unit and the harness has exactly one in code, that one is named, and the
   * finding says why.
   */
  soleKinds?: readonly string[];
  /** Who has to change something when nothing says otherwise. */
  party: Party;
  detect(view: RunView): Observation[];
}

/** What is known of a run without its trace, for looks across runs. */
export interface RunHead {
  run: TraceRun;
  /** Step of the last model turn. */
  lastStep: number;
}

/** A look at a run beside the other runs of its task and of all tasks. */
export interface AcrossDetector extends Omit<Detector, 'detect'> {
  detect(head: RunHead, others: readonly RunHead[]): Observation[];
}

/** True when a step links to a unit of a kind, which is stronger than any wording. */
export function linksToKind(view: RunView, step: number, ...kinds: string[]): boolean {
  return view.linksOf(step).some((link) => link.unit !== null && kinds.includes(view.unit(link.unit)?.kind ?? ''));
}

const saysMalformed =
  /could not (?:be )?(?:parse|process|read|understood)|pars(?:e|ing) (?:error|fail)|fail(?:ed|ure) to parse|invalid (?:json|format|tool call|action|response)|malformed|no (?:tool|function) calls? (?:found|in)|format error|(?:must|should) (?:contain|include|provide|be) (?:exactly )?one|wrong format/i;

/** Feedback on a reply that the harness could not read. */
export function isFormatFeedback(view: RunView, turn: Turn, answer: Answer): boolean {
  if (answer.event === 'format_error' || turn.event === 'format_error') return answer.callId === null;
  if (turn.calls.length > 0 || answer.callId !== null || answer.length > 6_000) return false;
  return linksToKind(view, answer.step, 'format_error') || saysMalformed.test(answer.text);
}

/** A result that says that the call failed. */
export function isFailure(answer: Answer): boolean {
  if (answer.isError) return true;
  const text = answer.text.slice(0, 1_500);
  return (
    /\b(?:exit (?:code|status)|return ?code)\b[^0-9\n]{0,12}[1-9]\d*/i.test(text) ||
    /^Traceback \(most recent/m.test(text)
  );
}

/** Calls that end a run. */
export function isSubmission(name: string): boolean {
  return /^(?:\w*[_-])?(?:submit|finish|finished|done|complete|complete_task|task_complete|attempt_completion|final_answer|exit)$/i.test(
    name,
  );
}

/** True for what a harness or a tool says in few words; a file that was read may speak of anything. */
export function isNotice(answer: Answer): boolean {
  return answer.isError || answer.length < 1_200;
}

/** `3 replies`, `1 reply`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The beginning of a text on one line, for quoting. */
export function quote(text: string, length = 100): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return `"${line.length > length ? `${line.slice(0, length)}...` : line}"`;
}
