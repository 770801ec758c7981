import { basename } from 'node:path';
import { throwIfCancelled } from '../../errors';
import type { WorkOptions } from '../../progress';
import { childrenOf } from '../reading/children';
import { type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import type { TraceHead } from '../reading/head';
import { memberOf } from '../reading/jsonDocument';
import type { ByteRange, TraceSource } from '../reading/source';
import { checkDocumentEnd } from './elements';
import type { FileSink, StepBody, TraceFormat, TraceSink } from './format';
import {
  includesCached,
  messageBody,
  modelBody,
  otherBody,
  outcomeOf,
  scoreValues,
  toolBody,
  usageOf,
} from './inspectBodies';
import { attachmentKeys, chunked, monolith, type SamplePlaces, withAttachments } from './inspectSample';
import { eventBody, RunWriter } from './runWriter';

/**
 * Logs of Inspect AI, one run for each sample: `.eval` archives (deflate or Zstandard, chunked samples, killed before
 * the header was written) and `.json` documents. Steps come from the events of a sample, or from its messages.
 */
export const inspect: TraceFormat = {
  id: 'inspect',
  title: 'Inspect log',
  looksFor:
    'an archive with header.json or _journal/start.json and samples, or an object with eval, status and samples',
  sniff(head) {
    if (head.container === 'archive') {
      const samples = head.entries.some((name) => name.startsWith('samples/'));
      return head.entries.includes('_journal/start.json') || (head.entries.includes('header.json') && samples) ? 1 : 0;
    }
    const keys = new Set(head.document?.members.map((member) => member.key));
    return keys.has('eval') && keys.has('status') && (keys.has('samples') || keys.has('plan')) ? 0.97 : 0;
  },
  async read(source, head, sink, work) {
    if (head.container === 'archive') await readArchive(source, sink, work);
    else await readDocument(source, head, sink, work);
  },
  stepOf(records, hint) {
    const [meaning, ...keys] = Array.isArray(hint) ? hint.map(String) : [''];
    const texts = new Map(keys.map((key, index) => [key, records[index + 1]]));
    return bodyOf(fieldsOf(withAttachments(records[0], texts)), meaning ?? '');
  },
};

async function readDocument(source: TraceSource, head: TraceHead, sink: FileSink, work: WorkOptions): Promise<void> {
  const samples = head.document === null ? [] : (memberOf(head.document, 'samples')?.elements ?? []);
  for (const [index, range] of samples.entries()) {
    throwIfCancelled(work.signal, 'Reading the trace');
    if (sink.skip(String(index))) continue;
    await readSample(source, await monolith(source, range), fieldsOf(head.members.eval), sink.run(String(index)));
  }
  checkDocumentEnd(head, sink);
  if (samples.length === 0)
    sink.nothing('an Inspect log without samples; they were not logged, or the file is a header only');
}

async function readArchive(source: TraceSource, sink: FileSink, work: WorkOptions): Promise<void> {
  const archive = await source.archive();
  const names = archive.names;
  if (archive.refused.length > 0)
    sink.warn(`${archive.refused.length} members have names that lead out of the archive; they were not read.`);
  const headed = archive.has('header.json');
  const start = headed ? 'header.json' : '_journal/start.json';
  const header = fieldsOf(archive.has(start) ? (await source.value(await source.whole(start)))?.value : null);
  if (!headed)
    sink.warn('It has no header.json: the evaluation was killed. What its journal and samples hold was read.');
  let found = 0;
  for (const name of names) {
    throwIfCancelled(work.signal, 'Reading the trace');
    const prefix = /^samples\/(.+)\/sample\.json$/.exec(name)?.[0].slice(0, -'/sample.json'.length);
    if (prefix === undefined && !/^samples\/[^/]+\.json$/.test(name)) continue;
    found += 1;
    if (sink.skip(name)) continue;
    try {
      const places =
        prefix === undefined ? await monolith(source, await source.whole(name)) : await chunked(source, prefix, names);
      await readSample(source, places, fieldsOf(header.eval), sink.run(name));
    } catch (error) {
      throwIfCancelled(work.signal, 'Reading the trace');
      sink.warn(error instanceof Error ? error.message : String(error));
    }
  }
  const told = numberOf(fieldsOf(header.results).total_samples);
  if (told !== null && told !== found) sink.warn(`Its header tells of ${told} samples, ${found} are in the archive.`);
  if (found === 0) sink.nothing('an Inspect log without samples');
}

async function readSample(
  source: TraceSource,
  places: SamplePlaces,
  evaluation: Fields,
  sink: TraceSink,
): Promise<void> {
  const { facts } = places;
  const id = String(facts.id ?? '');
  const epoch = String(facts.epoch ?? 1);
  const usage = Object.values(fieldsOf(facts.model_usage)).map(fieldsOf);
  const writer = new RunWriter(sink, usage.every(includesCached));
  const scores = scoreValues(facts.scores);
  const error = stringOf(fieldsOf(facts.error).message);
  const limit = stringOf(fieldsOf(facts.limit).type);
  sink.facts({
    sessionId: `${id}/${epoch}`,
    task: id,
    trial: epoch,
    agent: stringOf(evaluation.solver),
    scores,
    exitStatus: limit === null ? null : `limit: ${limit}`,
    outcome: outcomeOf(scores, error, basename(source.file)),
  });
  writer.setModel(stringOf(evaluation.model));
  const reader = new EventReader(source, places, writer);
  const answered = await reader.events();
  if (!answered) await reader.messages();
  for (const one of usage) writer.addUsage(usageOf(one));
  if (scores !== null && limit === null) writer.close();
  if (!places.complete) sink.warn('The sample ends in the middle; what came before was read.');
  writer.finish(!places.complete);
}

class EventReader {
  private readonly seen = new Set<string>();
  /** Spans in which scorers work; their model calls are no turns of the agent. */
  private readonly scoring = new Set<string>();
  private scoringStep = false;

  constructor(
    private readonly source: TraceSource,
    private readonly places: SamplePlaces,
    private readonly writer: RunWriter,
  ) {}

  /** Reads the events; false when there is no answer of a model among them. */
  async events(): Promise<boolean> {
    let turns = 0;
    const waiting: { event: Fields; range: ByteRange }[] = [];
    for (const range of this.places.events) {
      const event = fieldsOf((await this.source.value(range))?.value);
      this.writer.sink.time(stringOf(event.timestamp));
      this.follow(event);
      if (event.event === 'model' || event.event === 'tool' || event.event === 'compaction') turns += 1;
      // Samples without model events show their messages; scores and errors come after them then.
      if (turns === 0) waiting.push({ event, range });
      else {
        for (const held of waiting.splice(0)) await this.event(held.event, held.range);
        await this.event(event, range);
      }
    }
    if (turns === 0) for (const held of waiting) await this.event(held.event, held.range);
    return turns > 0;
  }

  async messages(): Promise<void> {
    for (const range of this.places.messages) {
      await this.add(fieldsOf((await this.source.value(range))?.value), range, 'message');
    }
  }

  private follow(event: Fields): void {
    const scorer = event.type === 'scorer' || event.type === 'scorers';
    if (event.event === 'span_begin' && (scorer || this.scoring.has(String(event.parent_id))))
      this.scoring.add(String(event.id));
    if (event.event === 'step' && scorer) this.scoringStep = event.action === 'begin';
  }

  private async event(event: Fields, range: ByteRange): Promise<void> {
    if (event.pending === true) return;
    if (event.event === 'model') {
      const grader = this.scoringStep || this.scoring.has(String(event.span_id));
      if (!grader) await this.prompt(event, range);
      await this.add(event, range, grader ? 'grader' : 'model');
    } else if (event.event === 'tool') await this.add(event, range, 'tool');
    else if (otherBody(event) !== null) await this.add(event, range, 'other');
  }

  /** Messages of the prompt that no step has shown: the system prompt, the task, and what was said since. */
  private async prompt(event: Fields, range: ByteRange): Promise<void> {
    const places: ByteRange[] = [];
    for (const reference of listOf(event.input_refs)) {
      const [from, to] = listOf(reference).map(Number);
      places.push(...this.places.pool.slice(from ?? 0, to ?? 0));
    }
    const fresh = listOf(event.input).some((message) => this.isNew(fieldsOf(message), false));
    if (fresh) {
      const input = (await childrenOf(this.source, range)).findLast((child) => child.key === 'input');
      if (input !== undefined) places.push(...(await childrenOf(this.source, input)));
    }
    for (const place of places) {
      const key = `${place.part ?? ''}:${place.offset}`;
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      const message = fieldsOf((await this.source.value(place))?.value);
      if (this.isNew(message, true)) await this.add(message, place, 'message');
    }
  }

  private isNew(message: Fields, remember: boolean): boolean {
    if (message.role !== 'system' && message.role !== 'user') return false;
    const content = JSON.stringify(message.content ?? '');
    const key = stringOf(message.id) ?? `${message.role} ${content.length} ${content.slice(0, 2000)}`;
    const known = this.seen.has(key);
    if (remember) this.seen.add(key);
    return !known;
  }

  private async add(record: Fields, range: ByteRange, meaning: string): Promise<void> {
    const texts = new Map<string, unknown>();
    const ranges: ByteRange[] = [range];
    for (const key of attachmentKeys(meaning === 'model' ? { output: record.output } : record)) {
      const place = this.places.attachments.get(key);
      if (place === undefined) continue;
      texts.set(key, (await this.source.value(place))?.value);
      ranges.push(place);
    }
    const body = bodyOf(fieldsOf(withAttachments(record, texts)), meaning);
    const more = body.startsRun === undefined ? {} : { subagentRuns: 1 };
    const counts = body.kind === 'agent' ? { modelTurn: true } : body.kind === 'user' ? { userMessage: true } : {};
    const compaction = body.event === 'compaction' ? { compaction: true } : {};
    this.writer.add(body, ranges, [meaning, ...texts.keys()], { ...counts, ...more, ...compaction });
  }
}

function bodyOf(record: Fields, meaning: string): StepBody {
  if (meaning === 'model' || meaning === 'grader') return modelBody(record, meaning === 'grader');
  if (meaning === 'tool') return toolBody(record);
  if (meaning === 'message') return messageBody(record);
  return otherBody(record) ?? eventBody('note', '');
}
