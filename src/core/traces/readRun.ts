import type { WorkOptions } from '../progress';
import { recognise, traceFormats } from './formats';
import type { StepDraft, StepHint, TraceFormat } from './formats/format';
import type { TraceRun } from './model';
import { readHead, type TraceHead } from './reading/head';
import { type ByteRange, TraceSource } from './reading/source';
import { RunTally } from './tally';

/** Where a step's records lie and how to build it again; the body is not kept. */
export interface StepPlace {
  ranges: ByteRange[];
  hint: StepHint;
}

export type FileReading =
  | { format: TraceFormat; run: TraceRun; steps: StepPlace[] }
  | { format: null; reason: string; head: TraceHead };

/**
 * Reads one file: recognises its format by content and passes over all of its steps once. The outcome beside it is not
 * looked up here. Throws only when the file cannot be opened or the work is cancelled.
 */
export async function readTraceFile(file: string, work: WorkOptions = {}): Promise<FileReading> {
  const source = await TraceSource.open(file);
  try {
    const head = await readHead(source, work);
    const format = head.container === 'none' ? null : recognise(head);
    if (format === null) return { format, head, reason: head.reason === '' ? lookedFor() : head.reason };
    return { format, ...(await collect(source, head, format, work)) };
  } finally {
    await source.close();
  }
}

async function collect(source: TraceSource, head: TraceHead, format: TraceFormat, work: WorkOptions) {
  const tally = new RunTally();
  const steps: StepPlace[] = [];
  await format.read(
    source,
    head,
    {
      facts: (facts) => tally.facts(facts),
      time: (iso) => tally.time(iso),
      warn: (message) => tally.warn(message),
      step: (draft: StepDraft) => {
        tally.step(draft);
        steps.push({ ranges: draft.ranges, hint: draft.hint });
      },
    },
    work,
  );
  return { run: tally.run(source.file, format.id), steps };
}

function lookedFor(): string {
  return `JSON, but of no known trace format. Looked for: ${traceFormats.map((format) => format.looksFor).join('; ')}.`;
}
