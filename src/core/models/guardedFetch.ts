import { errorOf } from './answer';
import { tryJson } from './httpFacts';
import { ModelAnswerError, ModelUnavailableError } from './modelErrors';

const maximumBytes = 64_000_000;
const maximumErrorBytes = 1_000_000;

/**
 * Some gateways answer a failed request with status 200 and an error as JSON, where a stream of events is expected.
 * No answer may fill the memory: the connection is closed behind the longest one.
 */
export function guardedFetch(label: string): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get('content-type') ?? '';
    const streams = response.ok && type.includes('event-stream');
    const body = response.body?.pipeThrough(byteLimit(label, streams ? maximumBytes : maximumErrorBytes));
    const limited = new Response(body, response);
    if (!response.ok || streams) return limited;
    const told = errorOf(tryJson(await limited.text()));
    throw new ModelUnavailableError(
      label,
      told === undefined
        ? `it does not stream its answers (content type "${type}")`
        : `it answered with an error: ${told}`,
      { retryable: told !== undefined && /rate|overload|capacity|try again/i.test(told) },
    );
  };
}

function byteLimit(label: string, limit: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > limit) controller.error(new ModelAnswerError(label, `it is longer than ${limit} bytes`, ''));
      else controller.enqueue(chunk);
    },
  });
}
