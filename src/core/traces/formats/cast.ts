import { basename } from 'node:path';
import { argumentsOf, type Fields, fieldsOf, isoOfSeconds, listOf, numberOf, stringOf } from '../reading/fields';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange } from '../reading/source';
import type { StepBody, TraceFormat } from './format';
import { eventBody, RunWriter } from './runWriter';

/** Lines of output that become one step at most: a long build would be one step of megabytes else. */
const MOST_LINES = 400;

/**
 * Terminal recordings (asciinema 2 and 3), as terminal-bench keeps them: a header, then `[time, kind, text]` with output,
 * input and markers; Terminus puts its answers into markers. Output in a row is one step.
 */
export const cast: TraceFormat = {
  id: 'asciinema',
  title: 'terminal recording',
  looksFor: 'a first line {"version": 2, "width": …} and lines [time, "o", text]',
  sniff(head) {
    const first = fieldsOf(head.records[0]);
    const header = (first.version === 2 && 'width' in first) || (first.version === 3 && 'term' in first);
    const single =
      head.document !== null && head.members.version === 2 && 'width' in head.members && 'height' in head.members;
    return (head.container === 'lines' && header) || single ? 0.97 : 0;
  },
  async read(source, _head, sink, work) {
    if (basename(source.file) === 'tests.cast') {
      sink.nothing('a recording of the tests of a terminal-bench trial, not of its agent');
      return;
    }
    const notes = notesTo(sink);
    const writer = new RunWriter(sink, true);
    let open: { kind: string; records: unknown[]; ranges: ByteRange[] } = { kind: '', records: [], ranges: [] };
    let began: number | null = null;
    let events = 0;
    let lastCall = '';
    const flush = () => {
      if (open.records.length > 0) {
        const hint = [lastCall, `input-${open.ranges[0]?.offset ?? 0}`];
        const body = castBody(open.records, hint);
        lastCall = body.calls[0]?.id ?? (body.results.length > 0 ? '' : lastCall);
        writer.add(body, open.ranges, hint);
      }
      open = { kind: '', records: [], ranges: [] };
    };
    for await (const { value, range } of jsonRecords(source, notes, work)) {
      if (!Array.isArray(value)) {
        const header: Fields = fieldsOf(value);
        began = numberOf(header.timestamp);
        sink.facts({ title: stringOf(header.title) ?? stringOf(header.command) });
        sink.time(isoOfSeconds(began));
        continue;
      }
      const kind = String(value[1]);
      if (!['o', 'i', 'm'].includes(kind)) continue;
      events += 1;
      if (kind !== open.kind || kind === 'm' || open.records.length >= MOST_LINES) flush();
      open.kind = kind;
      open.records.push(value);
      open.ranges.push(range);
      if (began !== null) sink.time(isoOfSeconds(began + (numberOf(value[0]) ?? 0)));
    }
    flush();
    if (events === 0) {
      sink.nothing('a terminal recording without output: the agent ran elsewhere');
      return;
    }
    writer.finish(notes.cut, true);
  },
  stepOf: (records, hint) => castBody(records, Array.isArray(hint) ? hint.map(String) : []),
};

function castBody(records: readonly unknown[], hint: readonly string[]): StepBody {
  const events = records.map(listOf);
  const text = plain(events.map((event) => String(event[2] ?? '')).join(''));
  const kind = String(events[0]?.[1]);
  if (kind === 'i')
    return {
      kind: 'agent',
      text: '',
      calls: [{ id: hint[1] ?? 'input', name: 'keystrokes', args: { keys: text } }],
      results: [],
    };
  if (kind === 'm') {
    const said = fieldsOf(argumentsOf(text));
    const shown = ['state_analysis', 'analysis', 'explanation']
      .map((key) => stringOf(said[key]))
      .find((one) => one !== null);
    return { kind: 'agent', text: shown ?? text, calls: [], results: [] };
  }
  if (kind !== 'o') return eventBody('note', text);
  const callId = hint[0] === undefined || hint[0] === '' ? null : hint[0];
  if (callId === null) return eventBody('output', text);
  return { kind: 'tool', text: '', calls: [], results: [{ callId, text, isError: false }] };
}

/** Without the sequences that move the cursor and colour the text. */
function plain(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is removed
      .replace(/\u001b(\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(\u0007|\u001b\\)|[()][A-Z0-9]|[=>78])/g, '')
      .replace(/\r\n/g, '\n')
  );
}
