import type { FlawRecord } from '../../core/diagnosis/model';
import type { Decision, HunkState, Proposal } from '../../core/proposals/model';
import { count } from '../traces/words';
import type { NodeTarget, TreeNode } from '../tree/treeNode';
import type { HunkView, ProposalView } from '../work/methods';
import { flawNode } from './flawNodes';

const stateIcons: Record<HunkState, { name: string; color?: string }> = {
  open: { name: 'circle-large-outline' },
  accepted: { name: 'pass-filled', color: 'testing.iconPassed' },
  rejected: { name: 'circle-slash', color: 'testing.iconFailed' },
  stale: { name: 'warning', color: 'list.warningForeground' },
  conflicting: { name: 'git-merge', color: 'list.warningForeground' },
  applied: { name: 'check-all', color: 'testing.iconPassed' },
};

/** What people read for each state; "changed since" says more than "stale". */
export const stateWords: Record<HunkState, string> = {
  open: 'undecided',
  accepted: 'accepted',
  rejected: 'rejected',
  stale: 'changed since: the file no longer has the text this was made on',
  conflicting: 'conflict: you changed the same lines',
  applied: 'applied',
};

/** The rows of the Proposals view: proposal, decision, file, hunk; suspected flaws below. */
export function proposalTree(views: readonly ProposalView[], flaws: readonly FlawRecord[]): TreeNode[] {
  const newestFirst = [...views].sort((a, b) => b.proposal.createdAt.localeCompare(a.proposal.createdAt));
  const nodes = newestFirst.map(proposalNode);
  if (flaws.length > 0) nodes.push(flawsNode(flaws));
  return nodes;
}

function proposalNode(view: ProposalView): TreeNode {
  const { proposal } = view;
  const facts = [standing(view)];
  const fixes = proposal.prediction.fixes.length;
  if (fixes) facts.push(`predicted +${count(fixes, 'task')}`);
  if (view.problem) facts.push('not usable');
  const objecting = (view.partGates ?? []).filter((gate) => !gate.passed);
  if (objecting.length > 0) facts.push(`accepted part: ${objecting.map((gate) => gate.gate).join(', ')}`);
  return {
    id: `proposal:${proposal.id}`,
    label: proposal.title,
    description: facts.join(', '),
    tooltip: [
      proposal.request,
      `by ${proposal.model.id}, ${proposal.createdAt.slice(0, 16).replace('T', ' ')}`,
      view.problem ?? '',
      proposal.revises ? `revises ${proposal.revises.proposal}: ${proposal.revises.comment}` : '',
      ...(proposal.fuzz ?? []).map((fuzz) => `found by ${fuzz.difference}: ${fuzz.file}, line ${fuzz.line}`),
      ...objecting.flatMap((gate) => gate.problems.map((one) => `accepted part, ${gate.gate}: ${one.message}`)),
      ...proposal.refused.map((edit) => `left out: ${edit.file}: ${edit.reason}`),
    ]
      .filter(Boolean)
      .join('\n'),
    icon: { name: view.review.appliedAt ? 'check-all' : 'lightbulb' },
    context: `${view.review.appliedAt ? 'proposal.applied' : 'proposal.open'}${proposal.revises ? '.revision' : ''}`,
    state: view.review.appliedAt ? 'collapsed' : 'expanded',
    target: { kind: 'proposal', proposal: proposal.id },
    spoken: `${proposal.title}, ${facts.join(', ')}`,
    children: () => proposal.decisions.map((decision) => decisionNode(decision, view)),
  };
}

/** Where a proposal stands, in words. */
export function standing(view: ProposalView): string {
  if (view.review.appliedTo) return `applied to ${view.review.appliedTo}`;
  const open = view.hunks.filter((hunk) => hunk.state === 'open').length;
  if (open > 0) return `${open} of ${view.hunks.length} undecided`;
  const accepted = view.hunks.filter((hunk) => hunk.state === 'accepted').length;
  return accepted > 0 ? `decided, ${accepted} of ${view.hunks.length} accepted` : 'nothing accepted';
}

/** Ticked when all are accepted; no box where a tick would decide nothing. */
function checkOf(hunks: readonly HunkView[]): boolean | undefined {
  const waiting = hunks.filter((hunk) => hunk.state !== 'applied');
  return waiting.length === 0 ? undefined : waiting.every((hunk) => hunk.state === 'accepted');
}

/** Numbers of the hunks that stand under a row and are not applied. */
export function hunksOfRow(hunks: readonly HunkView[], target: NodeTarget): number[] {
  return hunks
    .filter((hunk) => {
      if (hunk.state === 'applied') return false;
      if (target.kind === 'hunk') return hunk.number === target.hunk;
      if (target.kind === 'file') return hunk.decision === target.decision && hunk.file === target.file;
      return target.kind === 'decision' && hunk.decision === target.decision;
    })
    .map((hunk) => hunk.number);
}

function gateWords(proposal: Proposal, decision: Decision): { words: string; detail: string[] } {
  const files = new Set(decision.edits.map((edit) => edit.file));
  const problems = proposal.gates
    .filter((gate) => !gate.passed)
    .map((gate) => ({
      gate: gate.gate,
      problems: gate.problems.filter((problem) => !problem.file || files.has(problem.file)),
    }))
    .filter((gate) => gate.problems.length > 0);
  if (problems.length === 0) return { words: 'gates ok', detail: [] };
  return {
    words: `gate: ${problems.map((gate) => gate.gate).join(', ')}`,
    detail: problems.flatMap((gate) => gate.problems.map((problem) => `${gate.gate}: ${problem.message}`)),
  };
}

function decisionNode(decision: Decision, view: ProposalView): TreeNode {
  const hunks = view.hunks.filter((hunk) => hunk.decision === decision.id);
  const gates = gateWords(view.proposal, decision);
  const proposal = view.proposal.id;
  const files = [...new Set(hunks.map((hunk) => hunk.file))];
  return {
    id: `proposal:${proposal}/${decision.id}`,
    label: decision.title,
    description: `${count(hunks.length, 'hunk')}, ${gates.words}`,
    tooltip: [decision.rationale, decision.evidence.length ? '' : 'unverified: no evidence was given', ...gates.detail]
      .filter(Boolean)
      .join('\n'),
    icon: { name: gates.detail.length ? 'warning' : 'git-pull-request' },
    context: hunks.some((hunk) => hunk.state !== 'applied') ? 'decision.open' : 'decision.applied',
    checked: checkOf(hunks),
    state: 'expanded',
    target: { kind: 'decision', proposal, decision: decision.id },
    children: () =>
      files.map((file) =>
        fileNode(
          file,
          decision.id,
          hunks.filter((hunk) => hunk.file === file),
          proposal,
        ),
      ),
  };
}

function fileNode(file: string, decision: string, hunks: readonly HunkView[], proposal: string): TreeNode {
  return {
    id: `proposal:${proposal}/${decision}/${file}`,
    label: file,
    description: count(hunks.length, 'hunk'),
    icon: { name: 'file' },
    context: 'proposedFile',
    checked: checkOf(hunks),
    state: 'expanded',
    target: { kind: 'file', proposal, decision, file },
    children: () => hunks.map((hunk, index) => hunkNode(hunk, index + 1, hunks.length, proposal)),
  };
}

function hunkNode(hunk: HunkView, position: number, of: number, proposal: string): TreeNode {
  const target = { kind: 'hunk' as const, proposal, decision: hunk.decision, file: hunk.file, hunk: hunk.number };
  const words = hunk.edited ? `${stateWords[hunk.state]}, edited by you` : stateWords[hunk.state];
  return {
    id: `proposal:${proposal}/hunk:${hunk.number}`,
    label: `hunk ${position} of ${of}`,
    description: `${words}  line ${hunk.baseStart}, +${hunk.added.length} -${hunk.removed.length}${hunk.reason ? `  "${hunk.reason}"` : ''}`,
    tooltip: [
      ...conflictLines(hunk),
      ...hunk.removed.map((line) => `- ${line}`),
      ...hunk.added.map((line) => `+ ${line}`),
    ]
      .slice(0, 24)
      .join('\n'),
    icon: stateIcons[hunk.state],
    context: `hunk.${hunk.state}`,
    checked: checkOf([hunk]),
    state: 'leaf',
    target,
    command: { id: 'harnessmith.openHunk', title: 'Review the hunk', arguments: [{ target }] },
    spoken: `hunk ${position} of ${of}, ${words}, line ${hunk.baseStart}`,
  };
}

/** What the person wrote where a conflicting hunk should go. */
function conflictLines({ conflict }: HunkView): string[] {
  if (!conflict) return [];
  const lines = conflict.text === '' ? ['(the lines were removed)'] : conflict.text.split(/\r?\n/).slice(0, 8);
  return [`Your text, line ${conflict.line}:`, ...lines.map((line) => `  ${line}`), 'The proposal:'];
}

function flawsNode(flaws: readonly FlawRecord[]): TreeNode {
  return {
    id: 'flaws',
    label: 'Suspected flaws',
    description: String(flaws.length),
    tooltip: 'Findings that recur in traces. Propose a change for one of them.',
    icon: { name: 'bug' },
    state: 'expanded',
    children: () => flaws.map(flawNode),
  };
}
