import { basename, dirname, join } from 'node:path';
import { childOf, childrenOf } from '../reading/children';
import { argumentsOf, contentText, type Fields, fieldsOf, isFields, listOf, stringOf } from '../reading/fields';
import { namesIn } from '../reading/folder';
import type { ByteRange, TraceSource } from '../reading/source';
import { joined, messagesIn, textOf } from './anyMessages';
import { chatUsage } from './chatMessage';
import type { StepBody, StepHint, TraceFormat, TraceSink } from './format';
import { eventBody, RunWriter, textBody } from './runWriter';

const PLACE = /^episode-(\d+)$/;
const FILES = ['request.json', 'response.json', 'tool-results.json', 'debug.json', 'prompt.txt', 'response.txt'];

/**
 * Folders `episode-0`, `episode-1`, … with one file for each part of a turn: `prompt.txt` and `response.txt` of Terminus
 * (terminal-bench), or `request.json`, `response.json` and `tool-results.json`. Every request holds the whole prompt, so
 * only the first is shown. All files together are one run, found at the first of them.
 */
export const episodes: TraceFormat = {
  id: 'episodes',
  title: 'episode folders',
  looksFor: 'folders episode-N with request and response, or prompt and response',
  sniff: (head) =>
    PLACE.test(basename(dirname(head.file))) && FILES.includes(basename(head.file)) && head.container !== 'archive'
      ? 0.98
      : 0,
  async read(source, _head, sink) {
    const root = dirname(dirname(source.file));
    const folders = (await namesIn(root)).filter((name) => PLACE.test(name));
    const files: string[] = [];
    for (const folder of folders) {
      const names = await namesIn(join(root, folder));
      files.push(...FILES.filter((name) => names.includes(name)).map((name) => join(folder, name)));
    }
    const first = files.find((file) => file.endsWith('.json')) ?? files[0];
    if (first === undefined || join(root, first) !== source.file) {
      sink.nothing(`one part of the episodes in ${basename(dirname(root))}; it is shown with the first of them`);
      return;
    }
    sink.facts({ partFiles: files.map((file) => join(root, file)).filter((file) => file !== source.file) });
    const run = new EpisodeRun(source, sink);
    for (const file of files) await run.add(file);
    run.finish();
  },
  stepOf: (records, hint) => episodeBody(records[0], hint),
};

class EpisodeRun {
  private readonly writer: RunWriter;
  private prompted = false;
  private episode = 0;
  private readonly shown = new Set<string>();
  private open: string[] = [];

  constructor(
    private readonly source: TraceSource,
    sink: TraceSink,
  ) {
    this.writer = new RunWriter(sink, true);
  }

  async add(file: string): Promise<void> {
    const [folder = '', name = ''] = [dirname(file), basename(file)];
    this.episode = Number(PLACE.exec(folder)?.[1] ?? 0);
    const range = await this.source.whole(`../${file}`);
    if (range.length === 0) return;
    if (name === 'prompt.txt') this.prompt(range, await this.source.text(range));
    else if (name === 'response.txt') {
      if (!this.shown.has(folder)) this.answer(range, await this.source.text(range));
    } else {
      const value = (await this.source.value(range))?.value;
      if (value === undefined) this.writer.sink.warn(`${file} is no valid JSON; it was left out.`);
      else if (name === 'request.json' && !this.prompted) await this.request(range);
      else if (name === 'response.json') this.response(range, value, folder);
      else if (name === 'tool-results.json') this.results(range, value);
    }
  }

  /** The first prompt is the task; later ones are what the terminal shows after the last answer. */
  private prompt(range: ByteRange, text: string): void {
    const hint = this.prompted ? ['output', this.open[0] ?? ''] : ['prompt'];
    this.prompted = true;
    this.writer.add(episodeBody(text, hint), range, hint);
    this.open = [];
  }

  private answer(range: ByteRange, text: string): void {
    const hint = ['answer', `episode-${this.episode}`];
    const body = episodeBody(text, hint);
    this.open = body.calls.map((call) => call.id);
    this.writer.add(body, range, hint);
  }

  private async request(range: ByteRange): Promise<void> {
    this.prompted = true;
    const children = await childrenOf(this.source, range);
    for (const key of ['system', 'messages', 'input']) {
      const child = childOf(children, key);
      if (child === undefined) continue;
      const value = (await this.source.value(child))?.value;
      for (const [index, body] of requestBodies(value, key).entries())
        this.writer.add(body, child, ['request', key, index]);
    }
  }

  private response(range: ByteRange, value: unknown, folder: string): void {
    this.shown.add(folder);
    const told = chatUsage(fieldsOf(fieldsOf(value).usage));
    if (told !== null) this.writer.addUsage(told.usage);
    this.writer.setModel(stringOf(fieldsOf(value).model));
    const body = episodeBody(value, ['response']);
    this.open = body.calls.map((call) => call.id);
    this.writer.add(body, range, ['response']);
  }

  private results(range: ByteRange, value: unknown): void {
    const hint = ['results', ...this.open];
    const body = episodeBody(value, hint);
    if (body.results.length > 0) this.writer.add(body, range, hint);
  }

  finish(): void {
    this.writer.finish(false, true);
  }
}

function requestBodies(value: unknown, key: string): StepBody[] {
  if (key === 'system') return [textBody('system', textOf(value))];
  return messagesIn(value, 'user').filter((body) => body.kind !== 'agent');
}

function episodeBody(record: unknown, hint: StepHint): StepBody {
  const [what, detail, index] = Array.isArray(hint) ? hint : [hint];
  const text = typeof record === 'string' ? record : '';
  if (what === 'prompt') return textBody('user', asText(record));
  if (what === 'output') {
    const callId = detail === '' ? null : String(detail);
    return { kind: 'tool', text: '', calls: [], results: [{ callId, text: asText(record), isError: false }] };
  }
  if (what === 'answer') return terminusAnswer(record, text, String(detail));
  if (what === 'request') return requestBodies(record, String(detail))[Number(index)] ?? eventBody('note', '');
  if (what === 'response') return joined(messagesIn(record, 'assistant').filter((body) => body.kind === 'agent'));
  const ids = Array.isArray(hint) ? hint.slice(1).map(String) : [];
  return { kind: 'tool', text: '', calls: [], results: resultsOf(record, ids) };
}

function asText(record: unknown): string {
  return typeof record === 'string' ? record : JSON.stringify(record ?? '');
}

/** Terminus answers in JSON: what it thinks, and keystrokes for the terminal. */
function terminusAnswer(record: unknown, text: string, id: string): StepBody {
  const json = isFields(record) ? record : fieldsOf(argumentsOf(/\{[\s\S]*\}/.exec(text)?.[0] ?? ''));
  const commands = listOf(json.commands);
  const said = ['state_analysis', 'analysis', 'explanation', 'plan']
    .map((key) => stringOf(json[key]))
    .filter((one) => one !== null);
  const call = {
    id,
    name: json.task_complete === true || json.is_task_complete === true ? 'mark_task_complete' : 'terminal',
    args: { commands },
  };
  const ends = call.name !== 'terminal';
  return {
    kind: 'agent',
    text: said.length > 0 ? said.join('\n') : asText(record),
    calls: commands.length > 0 || ends ? [call] : [],
    results: [],
  };
}

/** Results by the id they name, else in the order of the calls. */
function resultsOf(record: unknown, ids: readonly string[]) {
  const list = Array.isArray(record) ? record : listOf(fieldsOf(record).results ?? fieldsOf(record).tool_results);
  return list.map((value, index) => {
    const result: Fields = fieldsOf(value);
    const named =
      stringOf(result.tool_use_id) ?? stringOf(result.tool_call_id) ?? stringOf(result.call_id) ?? stringOf(result.id);
    const said = result.content ?? result.output ?? result.result ?? result.text;
    const text = typeof said === 'string' || Array.isArray(said) ? contentText(said) : textOf(said ?? value);
    return { callId: named ?? ids[index] ?? null, text, isError: result.is_error === true || result.isError === true };
  });
}
