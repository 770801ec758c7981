import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { HarnessmithError } from '../../core/errors';
import { openHarness } from '../../core/harness';
import { followTrace, importTraces, openTrace, type TraceReader, type TraceRun } from '../../core/traces';
import { chosenTrace } from '../chosenTrace';
import { type Answer, answerWith, type CommandContext, newCommand } from '../command';
import { counted } from '../words';

export const TailDocument = z.object({ run: z.string(), steps: z.int() });

const pollMilliseconds = 500;
/** Smaller files are read again when they grew: that takes a moment and shows their last record at once. */
const followedFrom = 8 * 1024 * 1024;

/** `harnessmith traces tail <file>`: prints steps as the file grows, until Ctrl-C. */
export function tailCommand() {
  const command = newCommand('tail', 'follow a growing trace until Ctrl-C')
    .argument('<file>', 'trace file')
    .option('--once', 'print what is there and stop');
  answerWith(command, async (context, file: string): Promise<Answer<z.infer<typeof TailDocument>>> => {
    const harness = await openHarness(context.folder);
    const run = await chosenTrace(harness.root, file, context);
    const tail = new Tail(run, context);
    try {
      for (;;) {
        await tail.look();
        if (command.opts().once || context.signal.aborted) break;
        await setTimeout(pollMilliseconds, undefined, { signal: context.signal }).catch(() => undefined);
      }
    } finally {
      await tail.close();
    }
    return { document: { run: run.id, steps: tail.shown }, text: counted(tail.shown, 'step') };
  });
  return command;
}

/** Prints what is new in a file: large files of one record a line are read on where they grew, others again. */
class Tail {
  shown = 0;
  private stamp = '';
  private followed: Awaited<ReturnType<typeof followTrace>> | null = null;

  constructor(
    private run: TraceRun,
    private readonly context: CommandContext,
  ) {}

  async look(): Promise<void> {
    const { size, mtimeMs } = await stat(this.run.file);
    if (`${size} ${mtimeMs}` === this.stamp) return;
    const first = this.stamp === '';
    this.stamp = `${size} ${mtimeMs}`;
    if (this.followed !== null) {
      if ((await this.followed.grow()) !== 'rewritten') return this.print(this.followed);
      await this.close();
    }
    if (!first && size >= followedFrom) await this.follow();
    if (this.followed !== null) await this.print(this.followed);
    else await this.again();
  }

  private async follow(): Promise<void> {
    try {
      const followed = await followTrace(this.run, this.context);
      // One turn may still be open; a format that gives its steps late has fewer.
      if (followed.stepCount + 2 >= this.shown) this.followed = followed;
      else await followed.close();
    } catch (error) {
      if (!(error instanceof HarnessmithError) || error.code !== 'trace-not-followed') throw error;
    }
  }

  private async again(): Promise<void> {
    const { runs } = await importTraces([this.run.file], this.context);
    this.run = runs.find((found) => found.id === this.run.id) ?? this.run;
    const reader = await openTrace(this.run, this.context);
    try {
      await this.print(reader);
    } finally {
      await reader.close();
    }
  }

  private async print(reader: TraceReader): Promise<void> {
    for (const row of await reader.summaries(this.shown + 1, reader.stepCount)) {
      const calls = row.calls.map((call) => `> ${call.name} ${call.preview}`).join('  ');
      if (!this.context.json) process.stdout.write(`${row.n}  ${row.kind}  ${row.preview.split('\n')[0]}  ${calls}\n`);
    }
    this.shown = Math.max(this.shown, reader.stepCount);
  }

  async close(): Promise<void> {
    await this.followed?.close();
    this.followed = null;
  }
}
