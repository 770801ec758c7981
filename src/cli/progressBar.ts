import type { WriteStream } from 'node:tty';
import type { Progress } from '../core/progress';

const width = 24;
const framesPerSecond = 10;

/** A one-line bar; silent where the stream is no terminal, so logs and pipes stay clean. */
export function progressBar(stream: WriteStream): { report: Progress; clear(): void } {
  if (!stream.isTTY) return { report: () => undefined, clear: () => undefined };
  let shown = false;
  let last = 0;
  return {
    report: ({ message, done, total }) => {
      const now = Date.now();
      if (now - last < 1000 / framesPerSecond) return;
      last = now;
      shown = true;
      stream.write(`\r\u001b[K${barText(message, done, total).slice(0, (stream.columns ?? 80) - 1)}`);
    },
    clear: () => {
      if (shown) stream.write('\r\u001b[K');
      shown = false;
    },
  };
}

/** For example `[######------------------] 25 of 100  Parsing`. */
export function barText(message: string, done?: number, total?: number): string {
  if (done === undefined) return message;
  if (total === undefined || total <= 0) return `${done}  ${message}`;
  const filled = Math.round((Math.min(done, total) / total) * width);
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${done} of ${total}  ${message}`;
}
