import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import type { Config } from '../src/config.ts';
import { loadConfig } from '../src/config.ts';
import type { ChatMessage } from '../src/model.ts';

export const home = resolve(dirname(fileURLToPath(import.meta.url)), '..');
export const tasksDir = join(home, 'tasks');
export const promptsDir = join(home, 'prompts');

export function shippedConfig(): Config {
  return loadConfig(join(home, 'config.json'));
}

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A folder with the given files that is removed after the test. */
export async function folderWith(files: Record<string, string> = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tinker-test-')));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

export interface ScriptedModel {
  baseUrl: string;
  /** The messages of each request that was answered. */
  requests: ChatMessage[][];
}

/** A chat-completions server that gives these replies in order and then the last one again; a number is an HTTP status. */
export async function scriptedModel(replies: (string | number)[]): Promise<ScriptedModel> {
  const requests: ChatMessage[][] = [];
  let served = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const reply = replies[Math.min(served, replies.length - 1)] ?? '';
      served += 1;
      if (typeof reply === 'number') {
        response.writeHead(reply).end('not now');
        return;
      }
      requests.push((JSON.parse(body) as { messages: ChatMessage[] }).messages);
      const usage = { prompt_tokens: 10, completion_tokens: 2 };
      response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: reply } }], usage }));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}

/** A reply with one action, as the system prompt asks for it. */
export function action(tool: string, args: Record<string, unknown> = {}): string {
  return `I go on.\n\n\`\`\`action\n${JSON.stringify({ tool, args })}\n\`\`\``;
}
