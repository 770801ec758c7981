import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ReceivedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  /** All that was said in the request, in one text. */
  said: string;
  body: { model?: string; stream?: boolean; max_tokens?: number };
}

/** What the server does with one request. */
export type Reply =
  | { text: string; finish?: 'length' }
  | { status: number; body: string; headers?: Record<string, string> }
  | { json: unknown }
  | 'hang'
  | { cutAfter: string }
  /** Sends the text and then nothing, with the connection open. */
  | { stallAfter: string };

export interface ModelServer {
  baseUrl: string;
  requests: ReceivedRequest[];
  /** Resolves when the client closed the connection of a request that hangs. */
  closed: Promise<void>;
}

/**
 * A server that speaks both protocols and replies in the order given; the last reply is repeated. A reply may be made from
 * the request.
 */
export async function startModelServer(
  ...replies: (Reply | ((request: ReceivedRequest) => Reply))[]
): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  let wasClosed = () => {};
  const closed = new Promise<void>((done) => {
    wasClosed = done;
  });
  const server = createServer(async (request, response) => {
    let raw = '';
    for await (const chunk of request) raw += chunk;
    const reply = replies[Math.min(requests.length, replies.length - 1)]!;
    const received = { path: request.url ?? '', headers: request.headers, said: raw, body: JSON.parse(raw) };
    requests.push(received);
    response.on('close', wasClosed);
    send(response, typeof reply === 'function' ? reply(received) : reply, request.url!.includes('messages'));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, closed };
}

function send(response: ServerResponse, reply: Reply, isAnthropic: boolean): void {
  if (reply === 'hang') return;
  if ('json' in reply) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply.json));
  } else if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body);
  } else {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = 'text' in reply ? reply.text : 'cutAfter' in reply ? reply.cutAfter : reply.stallAfter;
    const events = isAnthropic ? anthropicEvents(text, reply) : openaiEvents(text, reply);
    for (const event of 'text' in reply ? events : events.slice(0, -2)) response.write(event);
    if ('text' in reply) response.end();
    // Time for the text to arrive before the connection breaks under it.
    else if ('cutAfter' in reply) setTimeout(() => response.destroy(), 50);
  }
}

function openaiEvents(text: string, reply: object): string[] {
  const chunk = (delta: object, finish: string | null, usage?: object) =>
    `data: ${JSON.stringify({
      id: 'c1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'test',
      choices: [{ index: 0, delta, finish_reason: finish }],
      usage,
    })}\n\n`;
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...pieces(text).map((content) => chunk({ content }, null)),
    chunk({}, 'finish' in reply ? 'length' : 'stop', { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }),
    'data: [DONE]\n\n',
  ];
}

function anthropicEvents(text: string, reply: object): string[] {
  const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  return [
    event('message_start', {
      message: {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        model: 'test',
        content: [],
        stop_reason: null,
        usage: { input_tokens: 11, output_tokens: 1 },
      },
    }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...pieces(text).map((piece) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } }),
    ),
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: 'finish' in reply ? 'max_tokens' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 7 },
    }),
    event('message_stop', {}),
  ];
}

function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,7}/g) ?? [];
}
