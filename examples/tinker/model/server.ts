import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { roll } from './noise.ts';
import type { Message } from './policy.ts';
import { reply } from './policy.ts';

const maxBodyBytes = 4_000_000;

/** Share of requests that are answered with 503 the first time they are seen, as a busy service does. */
const busyShare = 0.03;

export interface SimulatedModel {
  /** Address for chat-completions clients, ending in /v1. */
  baseUrl: string;
  close(): Promise<void>;
}

interface ChatRequest {
  model?: string;
  messages: Message[];
  seed?: number;
}

function readRequest(body: string): ChatRequest | null {
  try {
    const value = JSON.parse(body) as Partial<ChatRequest> | null;
    const messages = value?.messages;
    if (!Array.isArray(messages) || messages.length === 0) return null;
    if (!messages.every((item) => typeof item?.role === 'string' && typeof item.content === 'string')) return null;
    return { model: value?.model, messages, seed: typeof value?.seed === 'number' ? value.seed : 0 };
  } catch {
    return null;
  }
}

/** A rough count: four characters a token. */
const tokens = (text: string): number => Math.ceil(text.length / 4);

/** Starts the simulated model on the loopback interface. Port 0 takes a free one. */
export async function startSimulatedModel(port = 0): Promise<SimulatedModel> {
  const refusedOnce = new Set<string>();

  const answer = (body: string, response: ServerResponse): void => {
    const send = (status: number, document: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    };
    const request = readRequest(body);
    if (!request) {
      send(400, { error: { message: 'messages with role and content are needed' } });
      return;
    }
    const { messages, seed = 0 } = request;
    const key = createHash('sha256').update(body).digest('hex');
    if (roll(seed, key, 'busy') < busyShare && !refusedOnce.has(key)) {
      refusedOnce.add(key);
      send(503, { error: { message: 'busy, ask again' } });
      return;
    }
    const content = reply(messages, seed);
    const promptTokens = tokens(messages.map((message) => message.content).join(''));
    send(200, {
      id: `simulated-${key.slice(0, 12)}`,
      object: 'chat.completion',
      created: Math.floor(Date.now() / 1000),
      model: request.model ?? 'simulated-weak-model',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: tokens(content),
        total_tokens: promptTokens + tokens(content),
      },
    });
  };

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST' || !request.url?.endsWith('/chat/completions')) {
      response.writeHead(404).end();
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBodyBytes) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => answer(Buffer.concat(chunks).toString('utf8'), response));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${actual}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { baseUrl } = await startSimulatedModel(Number(process.argv[2] ?? 0));
  console.log(baseUrl);
}
