import { syntaxErrors } from '../graph';
import { readEditable } from './editPaths';
import { runGates } from './gates';
import type { GateResult } from './model';
import { openProposal } from './proposalStore';
import { gateContext, type ProposeInput } from './propose';

/**
 * Runs the gates again on a stored proposal: on its edits as they are and on the files as they are now. Nothing is written.
 * @throws what `openProposal` throws.
 */
export async function recheckGates(
  harness: ProposeInput['harness'],
  id: string,
  options: Pick<ProposeInput, 'tasks'> = {},
): Promise<GateResult[]> {
  const { proposal, baseTexts } = await openProposal(harness.root, id);
  const currentTexts = new Map<string, string | null>();
  for (const file of baseTexts.keys()) {
    const read = await readEditable(harness.root, file);
    // What cannot be read as text any more has changed in any case.
    currentTexts.set(file, 'reason' in read ? null : read.text);
  }
  return runGates(gateContext(proposal, baseTexts, { ...options, harness, syntaxErrors, currentTexts }));
}
