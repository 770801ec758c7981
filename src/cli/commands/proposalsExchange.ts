import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../core/errors';
import { syntaxErrors } from '../../core/graph';
import { type Harness, openHarness } from '../../core/harness';
import {
  applyAccepted,
  exportChangeManifest,
  exportRepairPlan,
  exportUnifiedDiff,
  importBranch,
  importDiff,
  isRevision,
  openProposal,
  type Proposal,
  revisionDiff,
} from '../../core/proposals';
import { writeFileAtomic } from '../../core/store';
import { taskTexts } from '../../core/validation';
import { type Answer, answerWith, type CommandContext, newCommand } from '../command';
import { documentOf, type ProposalDocument } from '../proposalDocument';
import { proposalText } from '../proposalTexts';

export const ExportDocument = z.object({ file: z.string().nullable(), text: z.string() });
export const DifferenceDocument = z.object({ text: z.string() });

const formats = 'diff, change_manifest, plan or branch';

/** `proposals export`: a unified diff, the manifest of AHE, a plan as HarnessFix reads it, or a git branch. */
export function exportCommand() {
  const command = newCommand('export', 'write a proposal in a form other tools read')
    .argument('<proposal>', 'proposal id')
    .option('--format <name>', formats, 'diff')
    .option('--out <file>', 'write to this file instead of standard output');
  answerWith(command, async (context, id: string): Promise<Answer<z.infer<typeof ExportDocument>>> => {
    const harness = await openHarness(context.folder);
    const { format, out } = command.opts<{ format: string; out?: string }>();
    const text = await exported(harness, id, format, context);
    if (out === undefined) return { document: { file: null, text }, text, file: true };
    const file = resolve(out);
    await writeFileAtomic(file, text);
    return { document: { file, text }, text: `Wrote ${file}.` };
  });
  return command;
}

async function exported(harness: Harness, id: string, format: string, context: CommandContext): Promise<string> {
  const stored = await openProposal(harness.root, id);
  if (format === 'diff') return exportUnifiedDiff(stored);
  if (format === 'change_manifest') return json(exportChangeManifest(stored.proposal));
  if (format === 'plan') return json(exportRepairPlan(stored, harness.config.protected));
  if (format === 'branch') {
    const { branch } = await applyAccepted(harness.root, id, 'branch', { signal: context.signal });
    return `${branch}\n`;
  }
  throw new InputError(`--format ${format} is not known.`, { code: 'usage', nextStep: `Give ${formats}.` });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** `proposals import FILE.diff|BRANCH`: any agent's work comes under the same review and validation. */
export function importCommand() {
  const command = newCommand('import', 'review a patch or branch that was made elsewhere')
    .argument('<file or branch>', 'unified diff, or a branch or commit of this repository')
    .option('--title <text>', 'what it changes');
  answerWith(command, async (context, source: string): Promise<Answer<ProposalDocument>> => {
    const harness = await openHarness(context.folder);
    const { title } = command.opts<{ title?: string }>();
    const tasks = await taskTexts(harness);
    const options = { title, syntaxErrors, tasks, signal: context.signal };
    const text = await readFile(resolve(source), 'utf8').catch((error: unknown) => error);
    let proposal: Proposal;
    if (typeof text === 'string') {
      const request = `Imported from ${source}.`;
      proposal = await importDiff(harness, text, { ...options, title: title ?? basename(source), request });
    } else if (await isRevision(harness.root, source)) proposal = await importBranch(harness, source, options);
    else {
      throw new InputError(`${source} is neither a file that can be read nor a branch.`, {
        code: 'diff-unreadable',
        nextStep: 'Check the path, or the name of the branch.',
        cause: text,
      });
    }
    const document = await documentOf(harness.root, proposal.id);
    return { document, text: proposalText(proposal, document.hunks) };
  });
  return command;
}

/** `proposals diff A B`: what a revision changes of the proposal before it. */
export function differenceCommand() {
  const command = newCommand('diff', 'how the proposed files of two proposals differ')
    .argument('<proposal>', 'the earlier one')
    .argument('<revision>', 'the later one');
  answerWith(command, async (context, a: string, b: string): Promise<Answer<z.infer<typeof DifferenceDocument>>> => {
    const { root } = await openHarness(context.folder);
    const text = revisionDiff(await openProposal(root, a), await openProposal(root, b));
    return { document: { text }, text: text || 'They propose the same texts.' };
  });
  return command;
}
