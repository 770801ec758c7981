import { readdir } from 'node:fs/promises';
import { messageOf } from '../errors';
import { isMissing, storePaths } from '../store';
import type { Proposal } from './model';
import { loadProposal } from './proposalStore';
import { reviewOf } from './review';

export interface ProposalList {
  /** Newest first. */
  proposals: Proposal[];
  /** Folders that could not be read, with the reason. */
  damaged: { id: string; message: string }[];
}

/** All stored proposals. One that cannot be read, or whose review cannot, is listed as damaged and hides no other. */
export async function listProposals(root: string): Promise<ProposalList> {
  const list: ProposalList = { proposals: [], damaged: [] };
  for (const id of await folderNames(storePaths(root).proposals)) {
    if (!id.startsWith('p-')) continue;
    try {
      const proposal = await loadProposal(root, id);
      await reviewOf(root, id);
      list.proposals.push(proposal);
    } catch (error) {
      list.damaged.push({ id, message: messageOf(error) });
    }
  }
  list.proposals.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || a.id.localeCompare(b.id));
  return list;
}

async function folderNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map((e) => e.name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
