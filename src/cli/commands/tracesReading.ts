import { z } from 'zod';
import { openHarness } from '../../core/harness';
import { compareTraces, digestTrace, openTrace, type TraceComparison } from '../../core/traces';
import { chosenTrace } from '../chosenTrace';
import { type Answer, answerWith, newCommand } from '../command';

export const DigestDocument = z.object({ run: z.string(), markdown: z.string() });

/** `harnessmith traces digest`. */
export function digestCommand() {
  const command = newCommand('digest', 'a short Markdown account of a run').argument(
    '<trace>',
    'run id, trial name or file',
  );
  answerWith(command, async (context, name: string): Promise<Answer<z.infer<typeof DigestDocument>>> => {
    const harness = await openHarness(context.folder);
    const reader = await openTrace(await chosenTrace(harness.root, name, context));
    try {
      const markdown = await digestTrace(reader);
      return { document: { run: reader.run.id, markdown }, text: markdown };
    } finally {
      await reader.close();
    }
  });
  return command;
}

/** `harnessmith traces compare`. */
export function compareTracesCommand() {
  const command = newCommand('compare', 'align two runs and find where they part').argument('<a>').argument('<b>');
  answerWith(command, async (context, a: string, b: string): Promise<Answer<TraceComparison>> => {
    const harness = await openHarness(context.folder);
    const first = await openTrace(await chosenTrace(harness.root, a, context));
    try {
      const second = await openTrace(await chosenTrace(harness.root, b, context));
      try {
        const comparison = await compareTraces(first, second);
        return { document: comparison, text: comparison.sentence };
      } finally {
        await second.close();
      }
    } finally {
      await first.close();
    }
  });
  return command;
}
