import { createWriteStream } from 'node:fs';

/** Text that looks like a listing; no two steps have the same. */
function listing(step: number, length: number): string {
  const lines: string[] = [`result of step ${step}`];
  for (let size = 0; size < length; ) {
    const line = `src/module_${(step * 7 + size) % 997}/file_${(step * 13 + size) % 313}.py:${size}: def function_${(step + size) % 1777}(value, "quoted") -> None:`;
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join('\n').slice(0, length);
}

function when(step: number): string {
  return new Date(Date.UTC(2026, 0, 1) + step * 1000).toISOString();
}

/** One step in five is five times as long as the shortest. */
function lengthOf(step: number, average: number): number {
  return Math.round((average * ((step % 5) + 1)) / 3);
}

function* sessionLines(steps: number, bytes: number): Generator<string> {
  for (let n = 0; n < steps; n += 1) {
    const common = { uuid: `u${n}`, parentUuid: n === 0 ? null : `u${n - 1}`, sessionId: 's', timestamp: when(n) };
    const call = `t${n - (n % 2 === 0 ? 1 : 0)}`;
    const content =
      n === 0
        ? 'Fix it.'
        : n % 2 === 1
          ? [
              { type: 'text', text: `I look at ${n}` },
              { type: 'tool_use', id: call, name: 'Bash', input: { command: `cat src/file_${n}.py` } },
            ]
          : [{ type: 'tool_result', tool_use_id: call, content: listing(n, lengthOf(n, (bytes / steps) * 1.9)) }];
    const message =
      n % 2 === 1
        ? {
            id: `m${n}`,
            role: 'assistant',
            model: 'claude-sonnet-4-5',
            usage: { input_tokens: 100, output_tokens: 20 },
            content,
          }
        : { role: 'user', content };
    yield `${JSON.stringify({ type: n % 2 === 1 ? 'assistant' : 'user', ...common, message })}\n`;
  }
}

function* trajectory(steps: number, bytes: number): Generator<string> {
  yield '{"schema_version":"ATIF-v1.6","session_id":"s","agent":{"name":"a","version":"1","model_name":"m"},"steps":[\n';
  for (let n = 1; n <= steps; n += 1) {
    const observation = {
      results: [{ source_call_id: `t${n}`, content: listing(n, lengthOf(n, (bytes / steps) * 0.93)) }],
    };
    const calls = [{ tool_call_id: `t${n}`, function_name: 'bash', arguments: { command: `cat src/file_${n}.py` } }];
    const common = { step_id: n, timestamp: when(n) };
    const step =
      n === 1
        ? { ...common, source: 'user', message: 'Fix it.' }
        : { ...common, source: 'agent', message: `I look at ${n}`, tool_calls: calls, observation };
    yield `${n === 1 ? '' : ',\n'}${JSON.stringify(step)}`;
  }
  yield ']}\n';
}

/** Writes a trace of about that many bytes: a session of one record a line, or one JSON document. */
export async function writeSynthetic(file: string, kind: 'lines' | 'document', steps: number, bytes: number) {
  const stream = createWriteStream(file);
  for (const piece of kind === 'lines' ? sessionLines(steps, bytes) : trajectory(steps, bytes)) {
    if (!stream.write(piece)) await new Promise<void>((resolve) => stream.once('drain', () => resolve()));
  }
  await new Promise<void>((resolve, reject) => {
    stream.once('error', reject);
    stream.end(() => resolve());
  });
}
