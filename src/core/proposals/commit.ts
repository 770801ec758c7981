import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvironmentError } from '../errors';
import { git, gitFacts } from '../harness';
import type { WorkOptions } from '../progress';
import { normalizeEditPath } from './editPaths';
import type { Review } from './model';
import { type FilePlan, type LeftHunk, planFile } from './plan';
import { ReviewError } from './proposalErrors';
import { openProposal, type StoredProposal } from './proposalStore';
import { checkNumbers, numbersIn, reviewOf } from './review';

export interface ProposalCommit {
  commit: string;
  tree: string;
  /** The commit it was made on: the one the proposal was made from. */
  parent: string;
}

export interface TreeWithHunks {
  tree: string;
  base: string;
  files: string[];
  hunks: number[];
  left: LeftHunk[];
}

/** Fixed, so that the same hunks on the same base always give the same commit. */
const identity = { name: 'Harnessmith', email: 'harnessmith@localhost' };

/**
 * Commits hunks on the commit the proposal was made from, on no branch; the user's files, index and HEAD stay as they
 * are. For validation.
 * @throws ReviewError outside git, or when a hunk does not apply to the committed text.
 */
export async function commitAccepted(
  root: string,
  id: string,
  numbers: readonly number[],
  work: WorkOptions = {},
): Promise<ProposalCommit> {
  const stored = await openProposal(root, id);
  checkNumbers(id, stored.hunks, numbers);
  const made = await writeTree(root, stored, await reviewOf(root, id), new Set(numbers), work);
  const [left] = made.left;
  if (left) {
    throw new ReviewError(
      `Hunk ${left.number} of ${id} does not fit the committed text of ${left.file}: ${left.reason}.`,
      {
        code: 'hunk-not-committable',
        nextStep: 'Commit the file as it is now and make the proposal again.',
      },
    );
  }
  const { createdAt } = stored.proposal;
  const commit = await commitTree(root, made.tree, made.base, messageFor(stored, made.hunks), {
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_AUTHOR_DATE: createdAt,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
    GIT_COMMITTER_DATE: createdAt,
  });
  return { commit, tree: made.tree, parent: made.base };
}

/**
 * Commits what people took of a proposal, accepted or applied already: the candidate of a validation.
 * @throws ReviewError when that is nothing, and what `commitAccepted` throws.
 */
export async function commitTaken(root: string, id: string, work: WorkOptions = {}): Promise<ProposalCommit> {
  const { hunks } = await openProposal(root, id);
  const review = await reviewOf(root, id);
  const taken = [...numbersIn(review, hunks, 'accepted'), ...numbersIn(review, hunks, 'applied')];
  if (taken.length > 0) return commitAccepted(root, id, taken, work);
  throw new ReviewError(`No hunk of ${id} is accepted, so there is no candidate to validate.`, {
    code: 'nothing-accepted',
    nextStep: `Accept at least one hunk of ${id} first.`,
  });
}

/** Writes the tree of the proposal's base commit with hunks on top, through an index of its own. */
export async function writeTree(
  root: string,
  stored: StoredProposal,
  review: Review,
  numbers: ReadonlySet<number>,
  work: WorkOptions = {},
): Promise<TreeWithHunks> {
  const { topLevel, base, prefix } = await baseCommit(root, stored, work.signal);
  const folder = await mkdtemp(join(tmpdir(), 'harnessmith-index-'));
  const run = (args: string[], input?: string) =>
    git(topLevel, ['-c', 'core.safecrlf=false', '--literal-pathspecs', ...args], {
      input,
      signal: work.signal,
      environment: { GIT_INDEX_FILE: join(folder, 'index') },
    });
  try {
    await run(['read-tree', base]);
    const plans: FilePlan[] = [];
    for (const file of stored.baseTexts.keys()) {
      const checked = normalizeEditPath(file);
      if ('reason' in checked) throw notCommittable(stored.proposal.id, file, checked.reason);
      const path = `${prefix}${file}`;
      const entry = await treeEntry(run, base, path);
      if (entry && entry.type !== 'blob') throw notCommittable(stored.proposal.id, file, `it is a ${entry.type}`);
      if (entry?.mode === '120000') throw notCommittable(stored.proposal.id, file, 'it is a symbolic link');
      // With filters: the text as git would check it out, which is what the proposal was made from.
      const text = entry ? (await run(['cat-file', '--filters', `${base}:${path}`])).stdout : null;
      if (text !== stored.baseTexts.get(file) && text?.includes('\uFFFD')) {
        throw notCommittable(stored.proposal.id, file, 'its committed text is not UTF-8');
      }
      const plan = planFile(stored, review, file, text, numbers);
      plans.push(plan);
      if (plan.after === plan.before) continue;
      if (plan.after === null) {
        await run(['update-index', '--force-remove', '--', path]);
        continue;
      }
      const blob = (await run(['hash-object', '-w', '--stdin', `--path=${path}`], plan.after)).stdout.trim();
      await run(['update-index', '--add', '--cacheinfo', `${entry?.mode ?? '100644'},${blob},${path}`]);
    }
    const tree = (await run(['write-tree'])).stdout.trim();
    const hunks = plans.flatMap((plan) => plan.hunks).sort((a, b) => a - b);
    const files = plans.filter((plan) => plan.hunks.length > 0).map((plan) => plan.file);
    return { tree, base, files, hunks, left: plans.flatMap((plan) => plan.left) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function treeEntry(run: (args: string[]) => ReturnType<typeof git>, commit: string, path: string) {
  const { stdout } = await run(['ls-tree', '-z', '--full-tree', commit, '--', path]);
  const [mode, type] = stdout.split('\0')[0]!.split(/[ \t]/);
  return mode && type ? { mode, type } : undefined;
}

async function baseCommit(root: string, stored: StoredProposal, signal: AbortSignal | undefined) {
  const facts = await gitFacts(root, signal);
  if (!facts.repository || facts.topLevel === null || facts.head === null) {
    throw new ReviewError('The harness is in no git repository with a commit.', {
      code: 'no-repository',
      nextStep: 'Apply to the working tree, or run git init and commit first.',
    });
  }
  const wanted = stored.proposal.base.commit ?? facts.head;
  const found = await git(root, ['rev-parse', '--verify', '--quiet', `${wanted}^{commit}`], {
    allowFailure: true,
    signal,
  });
  if (found.exitCode !== 0) {
    throw new EnvironmentError(`Commit ${wanted}, which the proposal was made from, is not in the repository.`, {
      code: 'base-commit-missing',
      nextStep: 'Fetch it, or make the proposal again.',
    });
  }
  const prefix = (await git(root, ['rev-parse', '--show-prefix'], { signal })).stdout.replace(/\n$/, '');
  return { topLevel: facts.topLevel, base: found.stdout.trim(), prefix };
}

/** Makes a commit object; without an environment the identity and the time are the user's. */
export async function commitTree(
  root: string,
  tree: string,
  parent: string,
  message: string,
  environment: Record<string, string> = {},
): Promise<string> {
  const result = await git(root, ['commit-tree', tree, '-p', parent], { input: message, environment });
  return result.stdout.trim();
}

/** Commit message: the title, then the decisions the hunks belong to. */
export function messageFor(stored: StoredProposal, numbers: readonly number[]): string {
  const taken = new Set(stored.hunks.filter((hunk) => numbers.includes(hunk.number)).map((hunk) => hunk.decision));
  const decisions = stored.proposal.decisions.filter((decision) => taken.has(decision.id));
  const title = stored.proposal.title.split('\n')[0]!.trim() || stored.proposal.id;
  const points = decisions.map((decision) => `- ${decision.title.replace(/\s+/g, ' ')}`).join('\n');
  return `${title}\n\n${points}\n\nProposal: ${stored.proposal.id}, hunks ${numbers.join(', ')}\n`;
}

function notCommittable(id: string, file: string, reason: string): ReviewError {
  return new ReviewError(`Proposal ${id} cannot be committed: ${file}: ${reason}.`, {
    code: 'file-not-committable',
    nextStep: 'Reject the hunks of this file.',
  });
}
