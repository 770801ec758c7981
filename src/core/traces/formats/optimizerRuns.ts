import { basename } from 'node:path';
import { verdictOf } from '../outcome/readers';
import { type Fields, fieldsOf, numberOf, stringOf } from '../reading/fields';
import { mostFit } from '../reading/head';
import { jsonRecords, notesTo } from '../reading/jsonLines';
import type { ByteRange } from '../reading/source';
import { messagesIn, textOf } from './anyMessages';
import { checkDocumentEnd, documentRange, tellLeftOut } from './elements';
import type { StepBody, TraceFormat, TraceSink } from './format';
import { eventBody, RunWriter, textBody } from './runWriter';

/** A rollout of cap-evolve: input, output and score of one candidate on one task, with the trial in its file name. */
export const capEvolve: TraceFormat = {
  id: 'cap-evolve',
  title: 'cap-evolve rollout',
  looksFor: 'an object with input, rollout and score with task_id and reward',
  sniff(head) {
    const score = fieldsOf(head.members.score);
    return 'rollout' in head.members && 'task_id' in score && 'reward' in score ? 0.97 : 0;
  },
  async read(source, head, sink) {
    const score = fieldsOf(head.members.score);
    // The candidate and the trial are told by nothing but the documented file name.
    const [, candidate, trial] = /__(.+)__t(\d+)\.json$/.exec(basename(source.file)) ?? [];
    const reward = numberOf(score.reward);
    const error = stringOf(fieldsOf(head.members.rollout).error);
    sink.facts({
      task: stringOf(score.task_id),
      sessionId: basename(source.file).replace(/\.json$/, ''),
      candidate: candidate ?? null,
      trial: trial ?? null,
      outcome: { ...verdictOf(reward), exception: error, source: basename(source.file) },
    });
    const writer = new RunWriter(sink, true);
    for (const [what, body] of rolloutSteps(head.members).entries())
      writer.add(body, documentRange(head, source), what);
    checkDocumentEnd(head, sink);
    writer.finish(false, true);
  },
  stepOf: (records, hint) => rolloutSteps(fieldsOf(records[0]))[Number(hint)] ?? eventBody('note', ''),
};

function rolloutSteps(rollout: Fields): StepBody[] {
  const told = fieldsOf(rollout.rollout);
  const seconds = numberOf(told.seconds);
  const answers = messagesIn(told.output, 'assistant');
  const error = stringOf(told.error);
  const feedback = stringOf(fieldsOf(rollout.score).feedback);
  return [
    textBody('user', typeof rollout.input === 'string' ? rollout.input : textOf(rollout.input)),
    ...(answers.length > 0 ? answers : [textBody('agent', '')]).map((body) => ({
      ...body,
      ...(seconds === null ? {} : { seconds }),
    })),
    ...(error === null ? [] : [eventBody('exception', error)]),
    ...(feedback === null ? [] : [eventBody('score', feedback)]),
  ];
}

/** Observations of a-evolve: one line for each task that was tried, with its conversation and feedback. */
export const aEvolve: TraceFormat = {
  id: 'a-evolve',
  title: 'a-evolve observations',
  looksFor: 'JSON lines with task_id, task_input or task, agent_output or trajectory, and score or feedback',
  sniff(head) {
    const records = head.container === 'lines' ? head.records : head.records.slice(0, 1);
    return mostFit(records, 0.6, isObservation) ? 0.93 : 0;
  },
  async read(source, head, sink, work) {
    const add = (record: Fields, range: ByteRange, run: TraceSink) => {
      const task = stringOf(record.task_id) ?? stringOf(fieldsOf(record.task).id);
      const score = numberOf(record.score) ?? numberOf(fieldsOf(record.feedback).score);
      const success = record.success ?? fieldsOf(record.feedback).success;
      const told = score === null && typeof success !== 'boolean' ? null : (score ?? Number(success === true));
      const { verdict } = verdictOf(typeof success === 'boolean' ? Number(success) : told);
      const batch = typeof record.batch === 'number' ? String(record.batch) : stringOf(record.batch);
      run.facts({
        task,
        sessionId: [task, batch].filter((part) => part !== null).join('/'),
        trial: batch,
        outcome: { verdict, reward: told, exception: null, source: basename(source.file) },
      });
      run.time(stringOf(record.timestamp));
      const writer = new RunWriter(run, true);
      for (const [what, body] of observationSteps(record).entries()) writer.add(body, range, what);
      writer.finish(false, true);
    };
    if (head.container !== 'lines') {
      add(head.members, documentRange(head, source), sink);
      checkDocumentEnd(head, sink);
      return;
    }
    const notes = notesTo(sink);
    let strays = 0;
    for await (const { value, range } of jsonRecords(source, notes, work)) {
      if (isObservation(fieldsOf(value))) add(fieldsOf(value), range, sink.run(String(range.offset)));
      else strays += 1;
    }
    tellLeftOut(strays, sink);
  },
  stepOf: (records, hint) => observationSteps(fieldsOf(records[0]))[Number(hint)] ?? eventBody('note', ''),
};

function isObservation(record: Fields): boolean {
  return (
    ('task_id' in record || 'task' in record) &&
    ('agent_output' in record || 'trajectory' in record) &&
    ('feedback' in record || 'score' in record)
  );
}

function observationSteps(record: Fields): StepBody[] {
  const task = fieldsOf(record.task);
  const trajectory = fieldsOf(record.trajectory);
  const conversation = messagesIn(record.conversation ?? trajectory.steps ?? record.steps, 'assistant');
  const input = textOf(record.task_input ?? task.input);
  const output = textOf(record.agent_output ?? trajectory.output);
  const talked = conversation.some((body) => body.kind === 'user');
  const detail = stringOf(record.feedback_detail) ?? stringOf(fieldsOf(record.feedback).detail);
  return [
    ...(talked || input === '' ? [] : [textBody('user', input)]),
    ...conversation,
    ...(output === '' || conversation.some((body) => body.text === output) ? [] : [textBody('agent', output)]),
    ...(detail === null ? [] : [eventBody('score', detail)]),
  ];
}
