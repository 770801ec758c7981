import type { Command } from 'commander';
import { z } from 'zod';
import { InputError } from '../../core/errors';
import { type OpenedHarness, openedHarness } from '../../core/handbook';
import {
  type GatherSubject,
  gatherProposal,
  gatherRevision,
  Hunk,
  HunkState,
  hunkStates,
  Proposal,
  type ProposeInput,
} from '../../core/proposals';
import { loadCatalog } from '../../core/traces';
import { taskTexts, withheldTasks } from '../../core/validation';
import { type Answer, answerWith, type CommandContext, newCommand } from '../command';
import { diagnosed, skippedLines } from '../diagnosed';
import { numberList } from '../options';
import { proposalText } from '../proposalTexts';
import { type SendOptions, sent } from '../sentContext';

export const ProposeDocument = z.object({
  proposals: z.array(z.object({ proposal: Proposal, hunks: z.array(z.object({ hunk: Hunk, state: HunkState })) })),
  /** Why the model proposes no change, where it said so. */
  noChange: z.string().nullable().default(null),
  /** Why there are fewer than were asked for. */
  missing: z.array(z.string()).default([]),
  /** What is sent, with --dry-run; null when it was sent. */
  context: z.string().nullable().default(null),
});
type ProposeDocument = z.infer<typeof ProposeDocument>;

interface Options extends SendOptions {
  flaw?: string;
  request?: string;
  unit?: string;
  at?: string;
  module?: string;
}

/** `harnessmith propose (--flaw ID | --request TEXT [--unit ID | --at FILE:LINE]) [-k N] [--module M]`. */
export function proposeCommand() {
  const command = newCommand('propose', 'ask the model for a change; nothing but .harnessmith is written')
    .option('--flaw <id>', 'a flaw record of `harnessmith diagnose`')
    .option('--request <text>', 'what should change, in words')
    .option('--unit <id>', 'the handbook unit the request is about')
    .option('--at <file:line>', 'the lines the request is about, such as src/agent.ts:40-52')
    .option('--module <path>', 'only files below this path may change');
  sendOptions(command.option('-k <number>', 'how many different proposals', '1'));
  answerWith(command, async (context): Promise<Answer<ProposeDocument>> => {
    const options = command.opts<Options>();
    const opened = await openedHarness(context.folder, context);
    return answerOf(opened, await inputOf(opened, options, context), options, context);
  });
  return command;
}

/** `harnessmith proposals revise ID --comment TEXT [--hunks 1,3]`: a person's wish about an earlier proposal. */
export function reviseCommand() {
  const command = newCommand('revise', 'ask the model to change a proposal; the earlier one stays')
    .argument('<proposal>', 'proposal id')
    .requiredOption('--comment <text>', 'what should be different')
    .option('--hunks <numbers>', 'the hunks it is about, such as 1,3-4')
    .option('--module <path>', 'only files below this path may change');
  sendOptions(command);
  answerWith(command, async (context, id: string): Promise<Answer<ProposeDocument>> => {
    const options = command.opts<SendOptions & { comment: string; hunks?: string; module?: string }>();
    const opened = await openedHarness(context.folder, context);
    const hunks = options.hunks === undefined ? [] : numberList(options.hunks, '--hunks');
    const input = await gatherRevision({ ...opened, module: options.module }, id, options.comment, hunks);
    const tasks = await taskTexts(opened.harness);
    return answerOf(opened, { ...input, tasks }, options, context);
  });
  return command;
}

function sendOptions(command: Command): Command {
  return command
    .option('--yes', 'send without asking')
    .option('--dry-run', 'print what would be sent, and send nothing')
    .option('--budget <usd>', 'most that the requests may cost together, in US dollars')
    .option('--budget-tokens <number>', 'most tokens the requests may use together');
}

async function answerOf(
  { harness }: OpenedHarness,
  input: ProposeInput,
  options: SendOptions,
  context: CommandContext,
): Promise<Answer<ProposeDocument>> {
  const { set, shown } = await sent(harness, input, options, context);
  const made = await Promise.all(
    (set?.proposals ?? []).map(async (proposal) => ({ proposal, hunks: await hunkStates(harness.root, proposal.id) })),
  );
  const texts = made.map(({ proposal, hunks }) => proposalText(proposal, hunks));
  if (set?.noChange !== null && set?.noChange !== undefined) {
    texts.push(`The model proposes no ${made.length > 0 ? 'further ' : ''}change: ${set.noChange}`);
  }
  texts.push(...(set?.missing ?? []));
  const document = {
    proposals: made,
    noChange: set?.noChange ?? null,
    missing: set?.missing ?? [],
    context: options.dryRun ? shown : null,
  };
  return {
    document,
    text: options.dryRun ? shown : texts.join('\n\n') || 'Nothing was sent.',
    ok: set !== null || options.dryRun === true,
  };
}

async function inputOf(opened: OpenedHarness, options: Options, context: CommandContext): Promise<ProposeInput> {
  const { runs } = await loadCatalog(opened.harness.root, context);
  const withheld = await withheldTasks(opened.harness);
  const sources = { ...opened, runs, module: options.module, withheldTasks: withheld };
  const input = await gatherProposal(sources, await subjectOf(opened, options, context), context);
  return { ...input, tasks: await taskTexts(opened.harness) };
}

async function subjectOf(
  opened: OpenedHarness,
  { flaw: id, request, unit, at }: Options,
  context: CommandContext,
): Promise<GatherSubject> {
  if (id === undefined && request !== undefined && request.trim() !== '') {
    return { request, unit, selection: at === undefined ? undefined : placeOf(at) };
  }
  if (id === undefined) {
    throw new InputError('Nothing is asked for.', { code: 'usage', nextStep: 'Give --flaw ID or --request TEXT.' });
  }
  const { runs } = await loadCatalog(opened.harness.root, context);
  const { flaws, findings, skipped } = await diagnosed(opened, runs, context);
  for (const line of skippedLines(skipped)) context.note(line);
  const flaw = flaws.find((one) => one.id === id);
  if (flaw) return { flaw, findings, request };
  throw new InputError(`There is no flaw ${id}.`, {
    code: 'flaw-unknown',
    nextStep: `Known flaws: ${
      flaws
        .slice(0, 8)
        .map((one) => one.id)
        .join(', ') || 'none; import traces first'
    }.`,
  });
}

function placeOf(at: string): { file: string; start: number; end: number } {
  const [, file, from, to] = /^(.+):(\d+)(?:-(\d+))?$/.exec(at) ?? [];
  if (file !== undefined && Number(from) > 0) {
    return { file, start: Number(from), end: Math.max(Number(from), Number(to ?? from)) };
  }
  throw new InputError(`--at ${at} is no place.`, { code: 'usage', nextStep: 'Write --at src/agent.ts:40-52.' });
}
