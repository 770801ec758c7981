import { z } from 'zod';
import { InputError, messageOf } from '../../core/errors';
import { openHarness } from '../../core/harness';
import {
  applyAccepted,
  decideHunks,
  type Hunk,
  hunkStates,
  listProposals,
  openProposal,
  Proposal,
  partGates,
  undoApplied,
} from '../../core/proposals';
import { currentPerson } from '../../core/store';
import { taskTexts } from '../../core/validation';
import { type Answer, answerWith, commandGroup, newCommand } from '../command';
import { numberList } from '../options';
import { documentOf, type ProposalDocument } from '../proposalDocument';
import { proposalText } from '../proposalTexts';
import { counted } from '../words';
import { checkCommand, gateLines } from './proposalsCheck';
import { differenceCommand, exportCommand, importCommand } from './proposalsExchange';
import { reviseCommand } from './propose';

export const ProposalsDocument = z.object({
  proposals: z.array(Proposal),
  damaged: z.array(z.object({ id: z.string(), message: z.string() })),
});
export const ApplyDocument = z.object({
  target: z.string(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  files: z.array(z.string()),
  hunks: z.array(z.int()),
  left: z.array(z.object({ number: z.int(), file: z.string(), reason: z.string() })),
});
export const UndoDocument = z.object({ files: z.array(z.string()) });

/** `harnessmith proposals list|show|accept|reject|reopen|apply|undo|revise|diff|export|import|check`. */
export function proposalsCommand() {
  return commandGroup('proposals', 'review, apply and exchange proposals', [
    listCommand(),
    showCommand(),
    decideCommand('accept', 'accepted', 'accept hunks; nothing is written to your files'),
    decideCommand('reject', 'rejected', 'reject hunks'),
    decideCommand('reopen', 'open', 'take a decision back'),
    applyCommand(),
    undoCommand(),
    reviseCommand(),
    differenceCommand(),
    exportCommand(),
    importCommand(),
    checkCommand(),
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
    const harness = await openHarness(context.folder);
    const { root } = harness;
    const options = command.opts<{ hunks?: string; decision?: string; reason?: string }>();
    const { hunks } = await openProposal(root, id);
    const numbers = chosenHunks(hunks, options);
    await decideHunks(root, id, numbers, state, currentPerson(), options.reason);
    const document = await documentOf(root, id);
    const open = document.hunks.filter((hunk) => hunk.state === 'open').length;
    const part = state === 'open' ? null : await partGates(harness, id, { tasks: await taskTexts(harness) });
    const objects = (part ?? []).filter((gate) => !gate.passed).flatMap(gateLines);
    const text = `${state}: ${counted(numbers.length, 'hunk')} of ${id}; ${open} undecided.`;
    return { document, text: objects.length > 0 ? [text, 'On what is accepted so far:', ...objects].join('\n') : text };
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
