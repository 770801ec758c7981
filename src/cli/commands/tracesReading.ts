import { z } from 'zod';
import { openHarness } from '../../core/harness';
import { digestTrace, openTrace } from '../../core/traces';
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
