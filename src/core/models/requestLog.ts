import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { storePaths } from '../store';
import type { CallWatch, ModelCall } from './calls';
import { maskSecrets } from './secretMask';

/** Above this the log begins anew; one older part is kept. */
const maximumBytes = 8_000_000;

/** Where the requests to models are written down, newest last. */
export function requestLogFile(root: string): string {
  return join(storePaths(root).cache, 'model-requests.log');
}

/**
 * Writes every call into the log of a harness, as text for people: what was asked, what was answered, what it cost. What
 * looks like a key is masked. A log that cannot be written must not fail the work; `onError` is told once.
 */
export function requestLog(root: string, onError: (error: unknown) => void = () => undefined): CallWatch {
  const file = requestLogFile(root);
  let isBroken = false;
  return {
    after(call) {
      if (isBroken) return;
      try {
        mkdirSync(dirname(file), { recursive: true });
        if (sizeOf(file) > maximumBytes) renameSync(file, `${file}.1`);
        appendFileSync(file, callText(call), { mode: 0o600 });
      } catch (error) {
        isBroken = true;
        onError(error);
      }
    },
  };
}

/** One call as it stands in the log. */
export function callText(call: ModelCall): string {
  const { inputTokens, outputTokens } = call.usage;
  const cost = call.costUsd === null ? 'price not known' : `$${call.costUsd.toFixed(5)}`;
  const facts = `${call.seconds.toFixed(1)} s, ${inputTokens ?? '?'} tokens in, ${outputTokens ?? '?'} out, ${cost}`;
  const lines = [
    `==== ${call.at}  ${call.purpose}  ${call.model}  ${call.label}`,
    `---- ${call.error === null ? 'answered' : `failed: ${call.error}`}; ${facts}`,
    ...call.messages.flatMap(({ role, content }) => [`---- ${role}`, content]),
    `---- answer${call.error === null ? '' : ', as far as it came'}`,
    call.text,
  ];
  return `${maskSecrets(lines.join('\n')).text}\n\n`;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
