import { messageOf } from '../../../core/errors';
import { openHarness } from '../../../core/harness';
import {
  applyAccepted,
  composeFile,
  decideHunks,
  hunkStates,
  listProposals,
  openProposal,
  partGates,
  planForEditor,
  recordEditorApply,
  reviewOf,
  setEdited,
  type UnsavedTexts,
  undoApplied,
} from '../../../core/proposals';
import type { ProposalView } from '../methods';
import { unsavedTexts } from '../unsavedTexts';
import type { Handlers } from '../workServer';

type ProposalMethods =
  | 'listProposals'
  | 'proposalTexts'
  | 'saveEdited'
  | 'decideHunks'
  | 'applyProposal'
  | 'planApply'
  | 'recordApply'
  | 'undoProposal';

/** Reading, deciding and applying proposals. */
export function proposalHandlers(): Pick<Handlers, ProposalMethods> {
  return {
    listProposals: async ({ root, unsaved }) => {
      const texts = await unsavedTexts(root, unsaved);
      const { proposals } = await listProposals(root);
      return Promise.all(proposals.map((proposal) => viewOf(root, proposal, texts)));
    },
    proposalTexts: async ({ root, proposal, file }) => {
      const stored = await openProposal(root, proposal);
      const base = stored.baseTexts.get(file) ?? null;
      const { edited } = await reviewOf(root, proposal);
      const hunks = stored.hunks.filter((hunk) => hunk.file === file);
      const all = hunks.map((hunk) => hunk.number);
      return { base, proposed: edited[file] ?? composeFile(base, hunks, all) };
    },
    saveEdited: async ({ root, proposal, file, text }) => {
      await setEdited(root, proposal, file, text);
      return null;
    },
    decideHunks: async ({ root, proposal, hunks, state, by, reason }) => {
      await decideHunks(root, proposal, hunks, state, by, reason);
      return null;
    },
    applyProposal: async ({ root, proposal, target, by }, { signal, progress }) => {
      const applied = await applyAccepted(root, proposal, target, { who: by, signal, progress });
      return { target: applied.branch ?? 'your working tree', files: applied.files, left: applied.left };
    },
    planApply: async ({ root, proposal, unsaved }) => planForEditor(root, proposal, await unsavedTexts(root, unsaved)),
    recordApply: async ({ root, proposal, hunks, files, by }) => {
      await recordEditorApply(root, proposal, hunks, files, by);
      return null;
    },
    undoProposal: ({ root, proposal, by }) => undoApplied(root, proposal, by),
  };
}

/** Gates must not keep a proposal from being shown: a configuration that cannot be read is told elsewhere. */
async function gatesOfPart(root: string, id: string) {
  try {
    return await partGates(await openHarness(root), id);
  } catch {
    return null;
  }
}

/** A proposal whose files are damaged is still listed, with the reason. */
async function viewOf(root: string, proposal: ProposalView['proposal'], unsaved: UnsavedTexts): Promise<ProposalView> {
  const review = await reviewOf(root, proposal.id);
  try {
    const states = await hunkStates(root, proposal.id, unsaved);
    const hunks = states.map((status) => ({
      ...status.hunk,
      state: status.state,
      line: status.line,
      edited: status.edited,
      conflict: status.conflict,
      reason: status.reason ?? review.hunks[String(status.hunk.number)]?.reason,
    }));
    return { proposal, review, hunks, problem: null, partGates: await gatesOfPart(root, proposal.id) };
  } catch (error) {
    return { proposal, review, hunks: [], problem: messageOf(error) };
  }
}
