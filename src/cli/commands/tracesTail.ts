import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { openHarness } from '../../core/harness';
import { importTraces, openTrace } from '../../core/traces';
import { chosenTrace } from '../chosenTrace';
import { type Answer, answerWith, newCommand } from '../command';
import { counted } from '../words';

export const TailDocument = z.object({ run: z.string(), steps: z.int() });

const pollMilliseconds = 500;

/** `harnessmith traces tail <file>`: prints steps as the file grows, until Ctrl-C. */
export function tailCommand() {
  const command = newCommand('tail', 'follow a growing trace until Ctrl-C')
    .argument('<file>', 'trace file')
    .option('--once', 'print what is there and stop');
  answerWith(command, async (context, file: string): Promise<Answer<z.infer<typeof TailDocument>>> => {
    const harness = await openHarness(context.folder);
    let run = await chosenTrace(harness.root, file, context);
    let shown = 0;
    let size = -1;
    for (;;) {
      const now = (await stat(run.file)).size;
      if (now !== size) {
        size = now;
        run = (await importTraces([run.file], context)).runs.find((found) => found.id === run.id) ?? run;
        const reader = await openTrace(run);
        try {
          for (const row of await reader.summaries(shown + 1, reader.stepCount)) {
            const calls = row.calls.map((call) => `> ${call.name} ${call.preview}`).join('  ');
            if (!context.json) process.stdout.write(`${row.n}  ${row.kind}  ${row.preview.split('\n')[0]}  ${calls}\n`);
          }
          shown = Math.max(shown, reader.stepCount);
        } finally {
          await reader.close();
        }
      }
      if (command.opts().once || context.signal.aborted) break;
      await setTimeout(pollMilliseconds, undefined, { signal: context.signal }).catch(() => undefined);
    }
    return { document: { run: run.id, steps: shown }, text: counted(shown, 'step') };
  });
  return command;
}
