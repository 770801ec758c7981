import { basename } from 'node:path';
import { verdictOf } from '../outcome/readers';
import { childOf, childrenOf, childValue } from '../reading/children';
import { contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import { memberOf } from '../reading/jsonDocument';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange, TraceSource } from '../reading/source';
import { chatUsage, messageBody } from './chatMessage';
import { checkDocumentEnd, documentRange, tellLeftOut } from './elements';
import type { StepBody, TraceFormat, TraceSink } from './format';
import { RunWriter } from './runWriter';

/**
 * Results of tau-bench (`traj` with `reward`, a list of runs or one) and tau2 (`simulations`, or one simulation a file).
 * The user is a simulation too; in tau2 it also calls tools. Call ids repeat inside one run.
 */
export const tau: TraceFormat = {
  id: 'tau-bench',
  title: 'tau-bench or tau2 results',
  looksFor:
    'objects with traj, reward and task_id, or with simulations, or with messages, reward_info and termination_reason',
  sniff(head) {
    const first = fieldsOf(head.records[0]);
    const keys = new Set(
      head.document?.root === 'object' ? head.document.members.map(({ key }) => key) : Object.keys(first),
    );
    if (keys.has('traj') && (keys.has('reward') || keys.has('task_id'))) return 0.96;
    if (keys.has('simulations') && (keys.has('tasks') || keys.has('info'))) return 0.96;
    if (keys.has('reward_info') && keys.has('termination_reason')) return 0.96;
    const index =
      keys.has('info') && keys.has('tasks') && keys.has('timestamp') && 'num_trials' in fieldsOf(first.info);
    return index ? 0.9 : 0;
  },
  async read(source, head, sink, work) {
    const places: ByteRange[] = [];
    if (head.container === 'lines') {
      const notes = notesTo(sink);
      let strays = 0;
      for await (const { value, range } of jsonRecords(source, notes, work)) {
        if (['traj', 'messages', 'reward_info'].some((key) => key in fieldsOf(value))) places.push(range);
        else strays += 1;
      }
      tellLeftOut(strays, sink);
    } else if (head.document !== null) {
      const list = memberOf(head.document, head.document.root === 'list' ? '' : 'simulations');
      const single = ['traj', 'reward_info'].some((key) => head.document && memberOf(head.document, key) !== undefined);
      if (list?.elements) places.push(...list.elements);
      else if (single) places.push(documentRange(head, source));
    }
    for (const [index, place] of places.entries()) {
      if (!sink.skip(String(index))) await readRun(source, place, sink.run(String(index)));
    }
    checkDocumentEnd(head, sink);
    if (places.length === 0)
      sink.nothing('an index of tau2 results: its simulations are in other files, none is in this one');
  },
  stepOf: (records) => bodyOf(fieldsOf(records[0])),
};

async function readRun(source: TraceSource, place: ByteRange, sink: TraceSink): Promise<void> {
  const children = await childrenOf(source, place);
  const value = (key: string) => childValue(source, children, key);
  const [task, trial] = [scalar(await value('task_id')), scalar(await value('trial'))];
  const judged = fieldsOf(await value('reward_info'));
  const reward = numberOf(await value('reward')) ?? numberOf(judged.reward);
  const writer = new RunWriter(sink, true);
  sink.facts({
    sessionId: stringOf(await value('id')) ?? [task, trial].filter((one) => one !== null).join('/'),
    task,
    trial,
    exitStatus: stringOf(await value('termination_reason')),
    outcome: reward === null ? null : { ...verdictOf(reward), source: basename(source.file) },
  });
  writer.addCost(numberOf(await value('agent_cost')));
  sink.time(stringOf(await value('start_time')));
  sink.time(stringOf(await value('end_time')));
  const list = childOf(children, 'traj') ?? childOf(children, 'messages');
  if (list === undefined && childOf(children, 'ticks') !== undefined)
    sink.warn('A voice simulation: its ticks are not shown as steps.');
  for (const place of list === undefined ? [] : await childrenOf(source, list)) {
    const message = fieldsOf((await source.value(place))?.value);
    const body = bodyOf(message);
    const told = body.kind === 'agent' ? chatUsage(fieldsOf(message.usage)) : null;
    if (told !== null) writer.addUsage(told.usage);
    writer.add(body, place);
  }
  // The conversation ends when the simulated user stops, whatever was said last.
  writer.close();
  writer.finish(
    children.some((child) => !child.complete),
    true,
  );
}

function scalar(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : stringOf(value);
}

function bodyOf(message: Fields): StepBody {
  const answers = listOf(message.tool_messages).map(fieldsOf);
  if (message.role === 'tool' && (answers.length > 0 || message.tool_call_id === undefined)) {
    const results = (answers.length > 0 ? answers : [message]).map((one) => ({
      callId: stringOf(one.id) ?? stringOf(one.tool_call_id),
      text: contentText(one.content),
      isError: one.error === true,
    }));
    return { kind: 'tool', text: '', calls: [], results };
  }
  return messageBody(message);
}
