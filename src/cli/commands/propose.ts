import { z } from 'zod';
import { InputError } from '../../core/errors';
import {
  type GatherSubject,
  gatherProposal,
  Hunk,
  HunkState,
  hunkStates,
  Proposal,
  type ProposeInput,
  propose,
} from '../../core/proposals';
import { loadCatalog } from '../../core/traces';
import { taskTexts } from '../../core/validation';
import { type Answer, answerWith, type CommandContext, newCommand } from '../command';
import { configuredModel } from '../configuredModel';
import { diagnosed, skippedLines } from '../diagnosed';
import { type OpenedHarness, openedHarness } from '../openedHarness';
import { positive } from '../options';
import { proposalText } from '../proposalTexts';

export const ProposeDocument = z.object({
  proposals: z.array(z.object({ proposal: Proposal, hunks: z.array(z.object({ hunk: Hunk, state: HunkState })) })),
});
type ProposeDocument = z.infer<typeof ProposeDocument>;

interface Options {
  flaw?: string;
  request?: string;
  k: string;
  module?: string;
}

/** `harnessmith propose (--flaw ID | --request TEXT) [-k N] [--module M]`. */
export function proposeCommand() {
  const command = newCommand('propose', 'ask the model for a change; nothing but .harnessmith is written')
    .option('--flaw <id>', 'a flaw record of `harnessmith diagnose`')
    .option('--request <text>', 'what should change, in words')
    .option('-k <number>', 'how many different proposals', '1')
    .option('--module <path>', 'only files below this path may change');
  answerWith(command, async (context): Promise<Answer<ProposeDocument>> => {
    const options = command.opts<Options>();
    const opened = await openedHarness(context.folder, context);
    const client = await configuredModel(opened.harness);
    const input = await inputOf(opened, options, context);
    const made: ProposeDocument['proposals'] = [];
    for (let count = positive(options.k, '-k'); count > 0; count--) {
      const earlier = made.map(({ proposal }) => ({
        title: proposal.title,
        reason: 'proposed already; find another way',
      }));
      const proposal = await propose({ ...input, rejected: [...(input.rejected ?? []), ...earlier] }, client, context);
      made.push({ proposal, hunks: await hunkStates(opened.harness.root, proposal.id) });
    }
    const text = await Promise.all(
      made.map(async ({ proposal }) => proposalText(proposal, await hunkStates(opened.harness.root, proposal.id))),
    );
    return { document: { proposals: made }, text: text.join('\n\n') };
  });
  return command;
}

async function inputOf(opened: OpenedHarness, options: Options, context: CommandContext): Promise<ProposeInput> {
  const { runs } = await loadCatalog(opened.harness.root, context);
  const input = await gatherProposal({ ...opened, runs }, await subjectOf(opened, options, context), context);
  const protectedPatterns = [...input.harness.config.protected, ...allBut(options.module)];
  return {
    ...input,
    harness: { ...opened.harness, config: { protected: protectedPatterns } },
    tasks: await taskTexts(opened.harness),
  };
}

async function subjectOf(
  opened: OpenedHarness,
  { flaw: id, request }: Options,
  context: CommandContext,
): Promise<GatherSubject> {
  if (id === undefined && request !== undefined && request.trim() !== '') return { request };
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

/** Patterns that protect everything outside a path. */
function allBut(module: string | undefined): string[] {
  if (module === undefined) return [];
  const parts = module.split('/').filter((part) => part !== '' && part !== '.');
  const parents = parts.map((_, index) => `!/${parts.slice(0, index + 1).join('/')}`);
  return ['*', ...parents, `!/${parts.join('/')}/**`];
}
