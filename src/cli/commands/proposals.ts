import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { InputError, messageOf } from '../../core/errors';
import { syntaxErrors } from '../../core/graph';
import { openHarness } from '../../core/harness';
import {
  applyAccepted,
  decideHunks,
  exportChangeManifest,
  exportUnifiedDiff,
  Hunk,
  HunkState,
  hunkStates,
  importDiff,
  listProposals,
  openProposal,
  Proposal,
  reviewOf,
  undoApplied,
} from '../../core/proposals';
import { currentPerson, writeFileAtomic } from '../../core/store';
import { taskTexts } from '../../core/validation';
import { type Answer, answerWith, type CommandContext, commandGroup, newCommand } from '../command';
import { numberList } from '../options';
import { type HunkWithState, proposalText } from '../proposalTexts';
import { counted } from '../words';

export const ProposalsDocument = z.object({
  proposals: z.array(Proposal),
  damaged: z.array(z.object({ id: z.string(), message: z.string() })),
});
export const ProposalDocument = z.object({
  proposal: Proposal,
  hunks: z.array(z.object({ hunk: Hunk, state: HunkState, line: z.int().nullable(), reason: z.string().optional() })),
});
type ProposalDocument = z.infer<typeof ProposalDocument>;
export const ApplyDocument = z.object({
  target: z.string(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  files: z.array(z.string()),
  hunks: z.array(z.int()),
  left: z.array(z.object({ number: z.int(), file: z.string(), reason: z.string() })),
});
export const UndoDocument = z.object({ files: z.array(z.string()) });
export const ExportDocument = z.object({ file: z.string().nullable(), text: z.string() });

/** `harnessmith proposals list|show|accept|reject|reopen|apply|undo|export|import`. */
export function proposalsCommand() {
  return commandGroup('proposals', 'review, apply and exchange proposals', [
    listCommand(),
    showCommand(),
    decideCommand('accept', 'accepted', 'accept hunks; nothing is written to your files'),
    decideCommand('reject', 'rejected', 'reject hunks'),
    decideCommand('reopen', 'open', 'take a decision back'),
    applyCommand(),
    undoCommand(),
    exportCommand(),
    importCommand(),
  ]);
}

function listCommand() {
  const command = newCommand('list', 'list the proposals, newest first');
  answerWith(command, async (context): Promise<Answer<z.infer<typeof ProposalsDocument>>> => {
    const { root } = await openHarness(context.folder);
    const found = await listProposals(root);
    const lines: string[] = [];
    for (const proposal of found.proposals) {
      const states = await hunkStates(root, proposal.id).catch((error: unknown) => messageOf(error));
      if (typeof states === 'string') {
        lines.push(`${proposal.id}  damaged: ${states}`);
        continue;
      }
      const accepted = states.filter(({ state }) => state === 'accepted' || state === 'applied').length;
      lines.push(`${proposal.id}  ${proposal.title}  ${accepted} of ${counted(states.length, 'hunk')} accepted`);
    }
    lines.push(...found.damaged.map(({ id, message }) => `${id}  damaged: ${message}`));
    return { document: found, text: lines.join('\n') || 'No proposals. Make one: harnessmith propose --flaw ID' };
  });
  return command;
}

async function documentOf(root: string, id: string): Promise<ProposalDocument> {
  const { proposal } = await openProposal(root, id);
  const { hunks: decided } = await reviewOf(root, id);
  const states: HunkWithState[] = await hunkStates(root, id);
  // Why a hunk does not fit any more counts more than why it was decided.
  const hunks = states.map((status) => {
    const reason = status.reason ?? decided[String(status.hunk.number)]?.reason;
    return reason === undefined ? status : { ...status, reason };
  });
  return { proposal, hunks };
}

function showCommand() {
  const command = newCommand('show', 'show decisions, hunks and gates').argument('<proposal>', 'proposal id');
  answerWith(command, async (context, id: string): Promise<Answer<ProposalDocument>> => {
    const { root } = await openHarness(context.folder);
    const document = await documentOf(root, id);
    return { document, text: proposalText(document.proposal, document.hunks) };
  });
  return command;
}

function decideCommand(name: string, state: 'accepted' | 'rejected' | 'open', description: string) {
  const command = newCommand(name, description)
    .argument('<proposal>', 'proposal id')
    .option('--hunks <numbers>', 'only these hunks, such as 1,3-4')
    .option('--decision <id>', 'all hunks of this decision, such as d1')
    .option('--reason <text>', 'why; kept in the ledger and told to the next proposer');
  answerWith(command, async (context, id: string): Promise<Answer<ProposalDocument>> => {
    const { root } = await openHarness(context.folder);
    const options = command.opts<{ hunks?: string; decision?: string; reason?: string }>();
    const { hunks } = await openProposal(root, id);
    const numbers = chosenHunks(hunks, options);
    await decideHunks(root, id, numbers, state, currentPerson(), options.reason);
    const document = await documentOf(root, id);
    const open = document.hunks.filter((hunk) => hunk.state === 'open').length;
    return { document, text: `${state}: ${counted(numbers.length, 'hunk')} of ${id}; ${open} undecided.` };
  });
  return command;
}

function chosenHunks(hunks: readonly Hunk[], options: { hunks?: string; decision?: string }): number[] {
  if (options.hunks !== undefined) return numberList(options.hunks, '--hunks');
  const chosen = hunks.filter((hunk) => options.decision === undefined || hunk.decision === options.decision);
  if (chosen.length > 0) return chosen.map((hunk) => hunk.number);
  throw new InputError(`There is no decision ${options.decision}.`, {
    code: 'usage',
    nextStep: `Decisions: ${[...new Set(hunks.map((hunk) => hunk.decision))].join(', ')}.`,
  });
}

function applyCommand() {
  const command = newCommand('apply', 'write the accepted hunks on a branch (your files stay) or into your files')
    .argument('<proposal>', 'proposal id')
    .option('--to <target>', 'branch or workingTree (default: review.applyTo of harness.json)');
  answerWith(command, async (context, id: string): Promise<Answer<z.infer<typeof ApplyDocument>>> => {
    const { root, config } = await openHarness(context.folder);
    const target = command.opts<{ to?: string }>().to ?? config.review.applyTo;
    if (target !== 'branch' && target !== 'workingTree') {
      throw new InputError(`--to ${target} is no target.`, { code: 'usage', nextStep: 'Give branch or workingTree.' });
    }
    const result = await applyAccepted(root, id, target, { signal: context.signal });
    const place = result.branch ? `branch ${result.branch}` : 'your files';
    const lines = [
      `Wrote ${counted(result.hunks.length, 'hunk')} in ${counted(result.files.length, 'file')} to ${place}.`,
    ];
    for (const { number, file, reason } of result.left) lines.push(`Hunk ${number} of ${file} was left out: ${reason}`);
    return { document: result, text: lines.join('\n'), ok: result.left.length === 0 };
  });
  return command;
}

function undoCommand() {
  const command = newCommand('undo', 'take the last apply back').argument('<proposal>', 'proposal id');
  answerWith(command, async (context, id: string): Promise<Answer<z.infer<typeof UndoDocument>>> => {
    const { root } = await openHarness(context.folder);
    const { files } = await undoApplied(root, id);
    return {
      document: { files },
      text: files.length > 0 ? `Restored ${files.join(', ')}.` : 'The branch was removed.',
    };
  });
  return command;
}

function exportCommand() {
  const command = newCommand('export', 'write a proposal in a form other tools read')
    .argument('<proposal>', 'proposal id')
    .option('--format <name>', 'diff or change_manifest', 'diff')
    .option('--out <file>', 'write to this file instead of standard output');
  answerWith(command, async (context, id: string): Promise<Answer<z.infer<typeof ExportDocument>>> => {
    const { root } = await openHarness(context.folder);
    const { format, out } = command.opts<{ format: string; out?: string }>();
    const text = await exported(root, id, format);
    if (out === undefined) return { document: { file: null, text }, text, file: true };
    const file = resolve(out);
    await writeFileAtomic(file, text);
    return { document: { file, text }, text: `Wrote ${file}.` };
  });
  return command;
}

async function exported(root: string, id: string, format: string): Promise<string> {
  const stored = await openProposal(root, id);
  if (format === 'diff') return exportUnifiedDiff(stored);
  if (format === 'change_manifest') return `${JSON.stringify(exportChangeManifest(stored.proposal), null, 2)}\n`;
  throw new InputError(`--format ${format} is not known.`, {
    code: 'usage',
    nextStep: 'Give diff or change_manifest.',
  });
}

function importCommand() {
  const command = newCommand('import', 'review a patch that was made elsewhere')
    .argument('<file>', 'unified diff')
    .option('--title <text>', 'what it changes');
  answerWith(command, async (context: CommandContext, file: string): Promise<Answer<ProposalDocument>> => {
    const harness = await openHarness(context.folder);
    const { title } = command.opts<{ title?: string }>();
    const text = await readFile(resolve(file), 'utf8').catch((error) => {
      throw new InputError(`${file} cannot be read.`, {
        code: 'diff-unreadable',
        nextStep: 'Check the path.',
        cause: error,
      });
    });
    const proposal = await importDiff(harness, text, {
      title: title ?? basename(file),
      request: `Imported from ${file}.`,
      syntaxErrors,
      tasks: await taskTexts(harness),
      signal: context.signal,
    });
    const document = await documentOf(harness.root, proposal.id);
    return { document, text: proposalText(document.proposal, document.hunks) };
  });
  return command;
}
