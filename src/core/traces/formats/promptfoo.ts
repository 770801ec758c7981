import { basename } from 'node:path';
import { childOf, childrenOf } from '../reading/children';
import { type Fields, fieldsOf, isoOfSeconds, numberOf, stringOf } from '../reading/fields';
import { memberOf } from '../reading/jsonDocument';
import { messagesIn, textOf } from './anyMessages';
import { checkDocumentEnd } from './elements';
import type { StepBody, TraceFormat, TraceSink } from './format';
import { eventBody, RunWriter, textBody, usageTokens } from './runWriter';

/** Output of promptfoo: each result row is a run of one prompt on one test. Which repeat it was is not recorded. */
export const promptfoo: TraceFormat = {
  id: 'promptfoo',
  title: 'promptfoo output',
  looksFor: 'an object with evalId and results that hold results with gradingResult or testCase',
  sniff(head) {
    const keys = new Set(head.document?.members.map(({ key }) => key));
    return keys.has('results') && (keys.has('evalId') || (keys.has('config') && keys.has('shareableUrl'))) ? 0.95 : 0;
  },
  async read(source, head, sink) {
    const outer = head.document === null ? undefined : memberOf(head.document, 'results');
    const list = outer === undefined ? undefined : childOf(await childrenOf(source, outer), 'results');
    const rows = list === undefined ? [] : await childrenOf(source, list);
    for (const [index, place] of rows.entries()) {
      if (sink.skip(String(index))) continue;
      const row = fieldsOf((await source.value(place))?.value);
      const run = sink.run(String(index));
      rowFacts(row, basename(source.file), stringOf(head.members.evalId), index, run);
      const writer = new RunWriter(run, true);
      const { usage } = usageOf(row);
      writer.addUsage(usage);
      writer.addCost(numberOf(row.cost));
      writer.setModel(stringOf(fieldsOf(row.provider).id) ?? stringOf(row.provider));
      for (const [what, body] of stepsOf(row).entries()) writer.add(body, place, what);
      writer.finish();
    }
    checkDocumentEnd(head, sink);
    if (rows.length === 0) sink.nothing('promptfoo output without result rows');
    else
      sink
        .run('0')
        .warn('Which repeat a row is, is not recorded; rows of one prompt and test stand beside each other.');
  },
  stepOf: (records, hint) => stepsOf(fieldsOf(records[0]))[Number(hint)] ?? eventBody('note', ''),
};

function rowFacts(row: Fields, file: string, evaluation: string | null, index: number, run: TraceSink): void {
  const graded = fieldsOf(row.gradingResult);
  const test = fieldsOf(row.testCase);
  const passed = typeof row.success === 'boolean' ? row.success : graded.pass === true;
  const error = stringOf(row.error);
  // failureReason 2 is an error of the provider: no verdict on the answer.
  const errored = row.failureReason === 2;
  run.facts({
    sessionId: stringOf(row.id) ?? [evaluation, index].filter((part) => part !== null).join('/'),
    task: stringOf(test.description) ?? `test ${numberOf(row.testIdx) ?? index}`,
    agent: stringOf(fieldsOf(row.provider).label) || null,
    exitStatus: error,
    scores: Object.keys(fieldsOf(row.namedScores)).length > 0 ? { ...fieldsOf(row.namedScores) } : null,
    outcome: {
      verdict: errored ? 'missing' : passed ? 'pass' : 'fail',
      reward: errored ? null : (numberOf(row.score) ?? Number(passed)),
      exception: errored ? 'provider error' : null,
      source: file,
    },
  });
}

function stepsOf(row: Fields): StepBody[] {
  const response = fieldsOf(row.response);
  const prompt = messagesIn(fieldsOf(row.prompt).raw ?? row.prompt, 'user');
  const { usage, any } = usageOf(row);
  const milliseconds = numberOf(row.latencyMs);
  const time = isoOfSeconds((numberOf(row.timestamp) ?? 0) / 1000);
  const answer: StepBody = {
    ...textBody('agent', textOf(response.output) || (stringOf(row.error) ?? '')),
    ...(milliseconds === null ? {} : { seconds: milliseconds / 1000 }),
    ...(any ? { tokens: usageTokens(usage, true) } : {}),
    ...(time === null ? {} : { time }),
  };
  const graded = fieldsOf(row.gradingResult);
  const said = [graded.pass === true ? 'passed' : 'failed', stringOf(graded.reason)].filter((one) => one !== null);
  return [...prompt, answer, ...('pass' in graded ? [eventBody('score', said.join(': '))] : [])];
}

function usageOf(row: Fields) {
  const told = fieldsOf(fieldsOf(row.response).tokenUsage);
  const usage = { input: numberOf(told.prompt), output: numberOf(told.completion), cached: numberOf(told.cached) };
  return { usage, any: usage.input !== null || usage.output !== null };
}
