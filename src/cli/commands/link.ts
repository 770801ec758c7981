import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../core/errors';
import { type OpenedHarness, openedHarness } from '../../core/handbook';
import { type Harness, openHarness } from '../../core/harness';
import {
  buildLinkIndex,
  checkoutOf,
  Link,
  linkOneStep,
  linkRun,
  rootsOf,
  SiteTouches,
  siteTouches,
  TraceRoot,
} from '../../core/links';
import { loadCatalog, openTrace } from '../../core/traces';
import { chosenTrace } from '../chosenTrace';
import { type Answer, answerWith, type CommandContext, newCommand } from '../command';
import { harnessAtCommit } from '../harnessAtCommit';
import { positive } from '../options';
import { counted } from '../words';

export const LinkDocument = z.object({
  run: z.string(),
  links: z.array(Link),
  /** Where folders of the machine that made the trace lie in the harness; `traceRoots` of harness.json states them. */
  roots: z.array(TraceRoot),
});
export const SiteDocument = z.object({ file: z.string(), line: z.int(), touches: z.array(SiteTouches) });

const codeLinesShown = 12;

/** `harnessmith link <trace> [--step N]` and `link --site FILE:LINE`. */
export function linkCommand() {
  const command = newCommand('link', 'from a step to the harness code behind it, or back')
    .argument('[trace]', 'run id, trial name or file')
    .option('--step <number>', 'only this step, with its code')
    .option('--at-commit <revision>', 'resolve against this commit instead of the working tree; nothing is checked out')
    .option('--site <file:line>', 'the other way: which steps touched this place');
  answerWith(command, async (context, trace?: string): Promise<Answer> => {
    const { step, site, atCommit } = command.opts<{ step?: string; site?: string; atCommit?: string }>();
    const current = await openHarness(context.folder);
    const past = atCommit === undefined ? undefined : await harnessAtCommit(current, atCommit, context);
    const opened = past ?? (await openedHarness(context.folder, context));
    if (site !== undefined) return stepsBehindSite(opened, current.root, site, context);
    if (trace === undefined) {
      throw new InputError('No trace is named.', {
        code: 'usage',
        nextStep: 'Name a trace, or a place with --site FILE:LINE.',
      });
    }
    const run = await chosenTrace(current.root, trace, context);
    const checkout = await checkoutOf(opened.harness, opened.graph);
    const index = buildLinkIndex(opened.graph, opened.map, {
      ...opened.harness.config,
      checkout: past === undefined ? checkout : null,
    });
    const reader = await openTrace(run);
    try {
      const found =
        step === undefined
          ? await linkRun(index, reader, context)
          : await linkOneStep(index, reader, positive(step, '--step'));
      const links = past === undefined ? found : found.map((link) => ({ ...link, commit: past.commit }));
      const roots = await rootsOf(index, reader);
      const lines = links.map((link) => `step ${link.step}  ${describeLink(link)}`);
      if (step !== undefined && links.length > 0) lines.push('', await codeOf(opened.harness, links[0]));
      for (const root of roots)
        lines.push(
          `${root.prefix} is ${root.folder || 'the harness'} (${root.from === 'found' ? `found from ${counted(root.frames, 'frame')}` : 'stated in harness.json'})`,
        );
      const drift = links[0]?.drift;
      if (drift !== undefined) lines.push(drift);
      if (past !== undefined) lines.push(`Resolved against commit ${past.commit}.`);
      if (links.length === 0) lines.push('No link: nothing in the step is backed by harness code.');
      return {
        document: LinkDocument.parse({ run: run.id, links, roots }),
        text: lines.join('\n'),
        ok: links.length > 0,
      };
    } finally {
      await reader.close();
    }
  });
  return command;
}

function describeLink(link: Link): string {
  return `${link.file}:${link.start}-${link.end}  ${link.symbol}  [${link.kind}: ${link.reason}]`;
}

/** The first lines of the code, numbered. */
async function codeOf(harness: Harness, link: Link): Promise<string> {
  const lines = (await readFile(join(harness.root, link.file), 'utf8')).split('\n');
  const end = Math.min(link.end, link.start + codeLinesShown - 1);
  const shown = lines
    .slice(link.start - 1, end)
    .map((line, index) => `${String(link.start + index).padStart(5)} | ${line}`);
  if (end < link.end) shown.push(`      | (${link.end - end} more lines)`);
  return shown.join('\n');
}

/** Traces are those of the working tree, whatever commit the place is of. */
async function stepsBehindSite(
  { harness, graph, map }: OpenedHarness,
  root: string,
  site: string,
  context: CommandContext,
): Promise<Answer> {
  const match = /^(.*):(\d+)$/.exec(site);
  if (!match)
    throw new InputError(`${site} is no place.`, {
      code: 'usage',
      nextStep: 'Write it as FILE:LINE, for example src/agent.ts:41.',
    });
  const [file, line] = [match[1], Number(match[2])];
  const index = buildLinkIndex(graph, map, harness.config);
  const { runs } = await loadCatalog(root, context);
  const linked = [];
  for (const run of runs) {
    const reader = await openTrace(run);
    try {
      linked.push({ run, links: await linkRun(index, reader, context) });
    } finally {
      await reader.close();
    }
  }
  const touches = siteTouches(linked).filter(
    (touch) => touch.file === file && touch.start <= line && line <= touch.end,
  );
  const text = touches.flatMap((touch) => [
    `${touch.file}:${touch.start}-${touch.end}  ${touch.symbol}: ${counted(touch.failingRuns, 'failing run')}, ${touch.passingRuns} passing`,
    ...touch.steps.slice(0, 20).map((step) => `  step ${step.step} of ${step.run}${step.failing ? ' (failing)' : ''}`),
  ]);
  return {
    document: { file, line, touches },
    text: text.join('\n') || `No step of ${counted(runs.length, 'run')} touched ${site}.`,
    ok: touches.length > 0,
  };
}
