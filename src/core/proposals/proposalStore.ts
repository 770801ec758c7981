import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { InputError } from '../errors';
import {
  currentPerson,
  Ledger,
  readJsonFile,
  readTextIfPresent,
  storePaths,
  writeFileAtomic,
  writeJsonFile,
} from '../store';
import { composeFile } from './compose';
import { contentHash } from './contentHash';
import { normalizeEditPath } from './editPaths';
import { type BaseTexts, hunksOf } from './hunks';
import { type Hunk, Proposal } from './model';
import { ProposalDamagedError } from './proposalErrors';

/** A proposal with the texts it was made from, as stored. */
export interface StoredProposal {
  proposal: Proposal;
  baseTexts: BaseTexts;
  hunks: Hunk[];
}

/** A new id: `p-` and 8 hex digits. */
export function newProposalId(): string {
  return `p-${randomBytes(4).toString('hex')}`;
}

/** Folder of a proposal. @throws InputError for anything that is no proposal id, so that ids cannot be paths. */
export function proposalFolder(root: string, id: string): string {
  if (!/^p-[0-9a-f]{8}$/.test(id)) {
    throw new InputError(`"${id}" is no proposal id.`, {
      code: 'proposal-id-invalid',
      nextStep: 'Ids look like p-1a2b3c4d; list the proposals to see them.',
    });
  }
  return storePaths(root).proposal(id);
}

/** Stores a proposal with its base and proposed texts and enters it in the ledger. */
export async function saveProposal(
  root: string,
  proposal: Proposal,
  baseTexts: BaseTexts,
  who = currentPerson(),
): Promise<StoredProposal> {
  const folder = proposalFolder(root, proposal.id);
  const hunks = hunksOf(proposal, baseTexts);
  for (const [file, base] of baseTexts) {
    const own = hunks.filter((hunk) => hunk.file === file);
    const proposed = composeFile(
      base,
      own,
      own.map((hunk) => hunk.number),
    );
    if (base !== null) await writeFileAtomic(join(folder, 'base', file), base);
    if (proposed !== null) await writeFileAtomic(join(folder, 'proposed', file), proposed);
  }
  // Written last: a folder with this file is complete.
  await writeJsonFile(join(folder, 'proposal.json'), proposal);
  const ledger = await Ledger.open(root);
  await ledger.append({
    kind: 'proposal',
    at: proposal.createdAt,
    by: who,
    proposal: proposal.id,
    title: proposal.title,
  });
  return { proposal, baseTexts, hunks };
}

/** @throws InputError naming the file when it is missing or not of the schema. */
export async function loadProposal(root: string, id: string): Promise<Proposal> {
  const file = join(proposalFolder(root, id), 'proposal.json');
  const proposal = await readJsonFile(file, Proposal);
  if (proposal.id !== id) throw new ProposalDamagedError(id, file, `it says that it is ${proposal.id}`);
  // The file may come from anywhere, and its paths are used to read and to write.
  for (const path of touchedFiles(proposal)) {
    const checked = normalizeEditPath(path);
    if ('reason' in checked || checked.file !== path) {
      throw new ProposalDamagedError(id, path, 'reason' in checked ? checked.reason : 'the path is not normalized');
    }
  }
  return proposal;
}

/** A proposal with its base texts and hunks. @throws InputError when a text is missing or was changed. */
export async function openProposal(root: string, id: string): Promise<StoredProposal> {
  const proposal = await loadProposal(root, id);
  const folder = proposalFolder(root, id);
  const baseTexts = new Map<string, string | null>();
  for (const file of touchedFiles(proposal)) {
    const hash = proposal.base.files[file];
    if (hash === undefined) throw new ProposalDamagedError(id, file, 'its base is not recorded');
    const text = hash === null ? null : ((await readTextIfPresent(join(folder, 'base', file))) ?? null);
    if (hash !== null && (text === null || contentHash(text) !== hash)) {
      throw new ProposalDamagedError(id, file, 'its base text is missing or was changed');
    }
    baseTexts.set(file, text);
  }
  return { proposal, baseTexts, hunks: hunksOf(proposal, baseTexts) };
}

/** Files the edits of a proposal touch, in the order of the decisions. */
export function touchedFiles(proposal: Pick<Proposal, 'decisions'>): string[] {
  return [...new Set(proposal.decisions.flatMap((decision) => decision.edits.map((edit) => edit.file)))];
}
