import { applyPatch, parsePatch, type StructuredPatch } from 'diff';
import { InputError, messageOf } from '../errors';
import { gitFacts } from '../harness';
import type { WorkOptions } from '../progress';
import { anchoredEdits } from './anchoredEdits';
import { contentHash } from './contentHash';
import { checkEditPath, readEditable } from './editPaths';
import { runGates } from './gates';
import type { Edit, Proposal } from './model';
import { newProposalId, saveProposal } from './proposalStore';
import { gateContext, type ProposeInput } from './propose';

export interface ImportOptions extends WorkOptions, Pick<ProposeInput, 'tasks' | 'syntaxErrors' | 'who'> {
  title: string;
  /** Where it comes from, kept as the request. */
  request?: string;
}

/**
 * Makes a proposal of a unified diff, one decision for all of it, and stores it. The diff must fit the files as they
 * are now, without fuzz. Parts that do not are listed in `refused`.
 * @throws InputError when the text is no diff or no part of it can be used.
 */
export async function importDiff(
  harness: ProposeInput['harness'],
  text: string,
  options: ImportOptions,
): Promise<Proposal> {
  const baseTexts = new Map<string, string | null>();
  const edits: Edit[] = [];
  const refused: Proposal['refused'] = [];
  for (const patch of parse(text)) {
    const path = pathOf(patch);
    const result = patch.isRename
      ? await editsOfRename(harness, patch, baseTexts)
      : await editsOf(harness, path, patch, baseTexts);
    if ('reason' in result) refused.push({ file: path, reason: result.reason });
    else edits.push(...result.edits);
  }
  if (edits.length === 0) throw nothingFits(refused);
  const files = [...baseTexts].map(([file, base]) => [file, base === null ? null : contentHash(base)] as const);
  const named = (action: Edit['action']) => [
    ...new Set(edits.filter((edit) => edit.action === action).map((edit) => edit.file)),
  ];
  const draft = {
    schemaVersion: 1 as const,
    id: newProposalId(),
    createdAt: new Date().toISOString(),
    title: options.title,
    request: options.request ?? 'Imported from a diff.',
    flaw: null,
    base: { commit: (await gitFacts(harness.root, options.signal)).head, files: Object.fromEntries(files) },
    decisions: [{ id: 'd1', title: options.title, rationale: 'Imported from a diff.', evidence: [], edits }],
    declares: { modify: named('replace'), add: named('create'), remove: named('delete') },
    prediction: { fixes: [], atRisk: [], note: '' },
    refused,
    model: { id: 'import', inputTokens: null, outputTokens: null, costUsd: null },
  };
  const gates = await runGates(gateContext(draft, baseTexts, { ...options, harness }));
  const proposal = { ...draft, gates };
  await saveProposal(harness.root, proposal, baseTexts, options.who);
  return proposal;
}

function parse(text: string): StructuredPatch[] {
  let patches: StructuredPatch[];
  try {
    patches = parsePatch(text).filter((patch) => pathOf(patch) !== '' || patch.hunks.length > 0);
  } catch (error) {
    throw noDiff(messageOf(error));
  }
  if (patches.length === 0) throw noDiff('it has no file headers');
  return patches;
}

function noDiff(reason: string): InputError {
  return new InputError(`The text is not a unified diff: ${reason}`, {
    code: 'diff-unreadable',
    nextStep: 'Give the output of git diff or diff -u.',
  });
}

function nothingFits(refused: Proposal['refused']): InputError {
  const why = refused.map(({ file, reason }) => `${file}: ${reason}`).join('; ');
  return new InputError(`No part of the diff can be used${why ? `: ${why}` : ''}.`, {
    code: 'diff-unusable',
    nextStep: 'Make the diff again from the files as they are now.',
  });
}

function pathOf(patch: StructuredPatch): string {
  const isNothing = (name: string | undefined) => name === undefined || name === '/dev/null';
  const name = isNothing(patch.newFileName) ? patch.oldFileName : patch.newFileName;
  if (name === undefined || name === '/dev/null') return '';
  return name.replace(/^[ab]\//, '');
}

async function editsOf(
  harness: ProposeInput['harness'],
  path: string,
  patch: StructuredPatch,
  baseTexts: Map<string, string | null>,
): Promise<{ edits: Edit[] } | { reason: string }> {
  if (patch.isCopy) return { reason: 'copies cannot be imported' };
  const checked = await checkEditPath(harness.root, path, harness.config.protected);
  if ('reason' in checked) return checked;
  const { file } = checked;
  if (baseTexts.has(file)) return { reason: 'the diff changes the file twice' };
  const read = await readEditable(harness.root, file);
  if ('reason' in read) return read;
  const base = read.text;
  const creates = patch.oldFileName === '/dev/null' || patch.isCreate === true;
  const deletes = patch.newFileName === '/dev/null';
  if (creates !== (base === null)) {
    return { reason: creates ? 'the file exists already' : 'the file does not exist' };
  }
  const text = applyPatch(base ?? '', patch, { fuzzFactor: 0, autoConvertLineEndings: true });
  if (text === false) return { reason: 'the diff does not fit the file as it is now' };
  if (deletes && text !== '') return { reason: 'the diff deletes the file but not all of its lines' };
  if (!deletes && text === base) return { reason: 'the diff changes nothing in it' };
  baseTexts.set(file, base);
  if (base === null) return { edits: [{ file, action: 'create', oldText: '', newText: text }] };
  if (base === '' && !deletes) return { reason: 'the file is empty; there is no text to anchor the change to' };
  if (deletes) return { edits: [{ file, action: 'delete', oldText: base, newText: '' }] };
  return { edits: anchoredEdits(file, base, text) };
}

/** A renamed file is one that is deleted and one that is made; both are hunks that can be decided. */
async function editsOfRename(
  harness: ProposeInput['harness'],
  patch: StructuredPatch,
  baseTexts: Map<string, string | null>,
): Promise<{ edits: Edit[] } | { reason: string }> {
  const sides: { file: string; text: string | null }[] = [];
  for (const name of [patch.oldFileName, patch.newFileName]) {
    const checked = await checkEditPath(harness.root, (name ?? '').replace(/^[ab]\//, ''), harness.config.protected);
    if ('reason' in checked) return checked;
    if (baseTexts.has(checked.file)) return { reason: 'the diff changes the file twice' };
    const read = await readEditable(harness.root, checked.file);
    if ('reason' in read) return read;
    sides.push({ file: checked.file, text: read.text });
  }
  const [from, to] = sides as [(typeof sides)[0], (typeof sides)[0]];
  if (from.text === null) return { reason: `${from.file} does not exist` };
  if (to.text !== null) return { reason: `${to.file} exists already` };
  const text =
    patch.hunks.length === 0
      ? from.text
      : applyPatch(from.text, patch, { fuzzFactor: 0, autoConvertLineEndings: true });
  if (text === false) return { reason: 'the diff does not fit the file as it is now' };
  baseTexts.set(from.file, from.text);
  baseTexts.set(to.file, null);
  return {
    edits: [
      { file: from.file, action: 'delete', oldText: from.text, newText: '' },
      { file: to.file, action: 'create', oldText: '', newText: text },
    ],
  };
}
