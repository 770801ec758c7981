import type { Outcome, ToolCall } from '../model';
import { verdictOf } from '../outcome/readers';
import { argumentsOf, contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import type { StepBody } from './format';
import { eventBody, textBody, tokensFact, type Usage } from './runWriter';

/** What is shown of a model event: its answer. The prompt is the steps before it. */
export function modelBody(event: Fields, grader: boolean): StepBody {
  const output = fieldsOf(event.output);
  const message = fieldsOf(fieldsOf(listOf(output.choices)[0]).message);
  const body = messageBody({ ...message, role: 'assistant' });
  const usage = usageOf(fieldsOf(output.usage));
  const failed = stringOf(event.error);
  const seconds = numberOf(event.working_time);
  const model = stringOf(event.model) ?? stringOf(output.model);
  const common = {
    ...timeOf(event),
    ...(model === null ? {} : { model }),
    ...(seconds === null ? {} : { seconds }),
    ...tokensFact(usage, includesCached(fieldsOf(output.usage))),
  };
  if (grader) return eventBody('grader', body.text, common);
  if (failed !== null && body.text === '' && body.calls.length === 0) return eventBody('exception', failed, common);
  return { ...body, ...common };
}

/** The answer of a tool, also where the event tells only that it failed. */
export function toolBody(event: Fields): StepBody {
  const error = fieldsOf(event.error);
  const said = stringOf(error.message);
  const result = contentText(event.result);
  const text = [result, said === null ? '' : said].filter((one) => one !== '').join('\n');
  const seconds = numberOf(event.working_time);
  const started = stringOf(event.agent_span_id);
  return {
    kind: 'tool',
    text: '',
    calls: [],
    results: [{ callId: stringOf(event.id), text, isError: said !== null || event.failed === true }],
    ...timeOf(event),
    ...(seconds === null ? {} : { seconds }),
    ...(started === null ? {} : { startsRun: started }),
  };
}

/** Other events that tell something of the run; null for those that only mirror the state. */
export function otherBody(event: Fields): StepBody | null {
  const time = timeOf(event);
  switch (event.event) {
    case 'score': {
      const score = fieldsOf(event.score);
      const said = [score.value, score.answer, score.explanation].map((one) =>
        one === undefined ? '' : contentText(one),
      );
      return eventBody('score', said.filter((one) => one !== '').join('\n'), time);
    }
    case 'error':
      return eventBody('exception', stringOf(fieldsOf(event.error).message) ?? '', time);
    case 'sample_limit':
      return eventBody(
        'limit',
        [stringOf(event.type), stringOf(event.message)].filter((one) => one !== null).join(': '),
        time,
      );
    case 'compaction':
      return eventBody(
        'compaction',
        JSON.stringify({ type: event.type, before: event.tokens_before, after: event.tokens_after }),
        time,
      );
    case 'info':
      return eventBody('note', typeof event.data === 'string' ? event.data : JSON.stringify(event.data ?? ''), time);
    case 'approval':
      return event.decision === 'approve'
        ? null
        : eventBody('approval', contentText(event.explanation ?? event.decision), time);
    default:
      return null;
  }
}

function timeOf(event: Fields): { time?: string } {
  const time = stringOf(event.timestamp);
  return time === null ? {} : { time };
}

/** A message of a conversation. */
export function messageBody(message: Fields): StepBody {
  const blocks = listOf(message.content).map(fieldsOf);
  const reasoning = blocks.map((block) => stringOf(block.reasoning) ?? '').join('');
  const text = contentText(
    blocks.length === 0 ? message.content : blocks.filter((block) => block.type !== 'reasoning'),
  );
  if (message.role === 'tool') {
    const error = stringOf(fieldsOf(message.error).message);
    const result = {
      callId: stringOf(message.tool_call_id),
      text: text === '' ? (error ?? '') : text,
      isError: error !== null,
    };
    return { kind: 'tool', text: '', calls: [], results: [result] };
  }
  if (message.role === 'user' || message.role === 'system') return textBody(message.role, text);
  return {
    kind: 'agent',
    text,
    calls: listOf(message.tool_calls).map((call) => callOf(fieldsOf(call))),
    results: [],
    ...(reasoning === '' ? {} : { reasoning }),
  };
}

function callOf(call: Fields): ToolCall {
  return {
    id: stringOf(call.id) ?? 'unnamed',
    name: stringOf(call.function) ?? 'unnamed',
    args: argumentsOf(call.arguments),
  };
}

/** Usage in Inspect's names. */
export function usageOf(usage: Fields): Usage {
  return {
    input: numberOf(usage.input_tokens),
    output: numberOf(usage.output_tokens),
    cached: numberOf(usage.input_tokens_cache_read),
    cacheWrite: numberOf(usage.input_tokens_cache_write),
  };
}

/** Providers differ; the total tells whether cached tokens are part of the input. */
export function includesCached(usage: Fields): boolean {
  const { input, output, cached, cacheWrite } = usageOf(usage);
  const apart = (cached ?? 0) + (cacheWrite ?? 0);
  return apart === 0 || numberOf(usage.total_tokens) === (input ?? 0) + (output ?? 0);
}

const LETTERS: Record<string, number> = { C: 1, I: 0, P: 0.5, N: 0 };

/** Scores by name with their values, as recorded. */
export function scoreValues(scores: unknown): Record<string, unknown> | null {
  const named = Object.entries(fieldsOf(scores)).map(([name, score]) => [name, fieldsOf(score).value ?? null]);
  return named.length === 0 ? null : Object.fromEntries(named);
}

/** The verdict of scores: C is correct and I incorrect; of several scores the lowest counts. Null without numbers. */
export function outcomeOf(
  values: Record<string, unknown> | null,
  error: string | null,
  source: string,
): Outcome | null {
  const numbers = Object.values(values ?? {}).flatMap(numberOfScore);
  if (numbers.length === 0 && error === null) return null;
  return { ...verdictOf(numbers.length === 0 ? null : Math.min(...numbers)), exception: error, source };
}

function numberOfScore(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value === 'boolean') return [value ? 1 : 0];
  const letter = typeof value === 'string' ? LETTERS[value] : undefined;
  return letter === undefined ? [] : [letter];
}
