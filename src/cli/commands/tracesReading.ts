import { stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../core/errors';
import { openHarness } from '../../core/harness';
import { digestRuns, digestTrace, importTraces, loadCatalog, openTrace, type TraceRun } from '../../core/traces';
import { chosenTrace } from '../chosenTrace';
import { type Answer, answerWith, type CommandContext, newCommand } from '../command';
import { positive } from '../options';

export const DigestDocument = z.object({
  /** The one run, or null for a folder or all imported runs. */
  run: z.string().nullable(),
  runs: z.array(z.string()),
  audience: z.enum(['people', 'model']),
  markdown: z.string(),
});
type DigestDocument = z.infer<typeof DigestDocument>;

const Audience = z.enum(['people', 'model']);
const defaultTokens = { one: 1500, many: 8000 };
const charactersPerToken = 4;

/** `harnessmith traces digest`. */
export function digestCommand() {
  const command = newCommand('digest', 'a short Markdown account of a run, a folder, or all imported runs')
    .argument('[trace]', 'run id, trial name, file or folder; all imported runs without it')
    .option('--for <reader>', 'people or model', 'people')
    .option('--tokens <number>', 'size, in tokens of about four characters');
  answerWith(command, async (context, name?: string): Promise<Answer<DigestDocument>> => {
    const { for: reader, tokens: size } = command.opts<{ for: string; tokens?: string }>();
    const audience = Audience.safeParse(reader);
    if (!audience.success) {
      throw new InputError(`--for ${reader} is neither people nor model.`, {
        code: 'usage',
        nextStep: 'Write --for people or --for model.',
      });
    }
    const tokens = size === undefined ? undefined : positive(size, '--tokens');
    const harness = await openHarness(context.folder);
    const many = await runsOf(harness.root, name, context);
    const runs = many ?? [await chosenTrace(harness.root, name ?? '', context)];
    const markdown =
      many === null && audience.data === 'people'
        ? await ofOne(runs[0], (tokens ?? defaultTokens.one) * charactersPerToken, context)
        : await digestRuns(
            runs,
            { tokens: tokens ?? defaultTokens[many === null ? 'one' : 'many'], audience: audience.data },
            context,
          );
    const run = many === null ? (runs[0]?.id ?? null) : null;
    const document = { run, runs: runs.map(({ id }) => id), audience: audience.data, markdown };
    return { document, text: markdown, ok: runs.length > 0 };
  });
  return command;
}

/** The runs of a folder or of the catalog; null when one trace is named. */
async function runsOf(root: string, name: string | undefined, context: CommandContext): Promise<TraceRun[] | null> {
  if (name === undefined) return (await loadCatalog(root, context)).runs;
  const path = resolve(name);
  if (!(await stat(path).catch(() => null))?.isDirectory()) return null;
  const known = (await loadCatalog(root, context)).runs.filter((run) => run.file.startsWith(path + sep));
  return known.length > 0 ? known : (await importTraces([path], context)).runs;
}

async function ofOne(run: TraceRun, characters: number, context: CommandContext): Promise<string> {
  const reader = await openTrace(run, context);
  try {
    return await digestTrace(reader, characters, context);
  } finally {
    await reader.close();
  }
}
