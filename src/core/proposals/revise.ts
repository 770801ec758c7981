import { syntaxErrors } from '../graph';
import type { GatherSources } from './gather';
import { ReviewError } from './proposalErrors';
import { openProposal } from './proposalStore';
import type { ProposeInput } from './propose';
import { exportUnifiedDiff } from './unifiedDiff';

/**
 * What a model is shown to revise a proposal as a person asks: the files as they are now, the earlier proposal as a diff,
 * and the comment. The revision is a proposal of its own; the earlier one stays as it is.
 * @throws ReviewError when the comment is empty.
 */
export async function gatherRevision(
  sources: Pick<GatherSources, 'harness' | 'map' | 'unsaved' | 'module'>,
  id: string,
  comment: string,
  hunks: readonly number[] = [],
): Promise<ProposeInput> {
  if (comment.trim() === '') {
    throw new ReviewError('Nothing is asked for.', {
      code: 'comment-empty',
      nextStep: 'Say what should be different.',
    });
  }
  const { harness, map, unsaved, module } = sources;
  const stored = await openProposal(harness.root, id);
  const meant = stored.hunks.filter(({ number }) => hunks.includes(number));
  const places = meant.map((hunk) => `${hunk.file}, from line ${hunk.baseStart}`).join('; ');
  const { proposal } = stored;
  return {
    harness,
    map,
    unsaved,
    module,
    syntaxErrors,
    request: proposal.request,
    unitIds: proposal.decisions.flatMap((one) =>
      one.evidence.flatMap((ref) => (ref.kind === 'unit' ? [ref.unit] : [])),
    ),
    sites: stored.hunks.map((hunk) => ({
      file: hunk.file,
      symbol: '',
      start: hunk.baseStart,
      end: hunk.baseStart + Math.max(0, hunk.removed.length - 1),
    })),
    revision: {
      of: { proposal: id, hunks: meant.map(({ number }) => number), comment },
      diff: exportUnifiedDiff(stored),
      comment: places === '' ? comment : `${comment}\n(about ${places})`,
    },
  };
}
