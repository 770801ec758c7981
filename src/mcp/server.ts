import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { z } from 'zod';
import { version } from '../../package.json';
import { HarnessmithError, messageOf } from '../core/errors';
import { Session } from './session';
import type { Tool } from './tool';
import { handbookTool } from './tools/handbook';
import { locateTool } from './tools/locate';
import { runsTool } from './tools/runs';
import { stepTool, tracesTool } from './tools/traces';

const tools: readonly Tool[] = [handbookTool, locateTool, tracesTool, stepTool, runsTool];

/**
 * Serves the harness of a folder to a client of the Model Context Protocol until it goes or the signal is aborted. Everything
 * is read only: no tool writes a file of the harness, runs a program of it, or asks a model.
 */
export async function serve(
  folder: string,
  signal: AbortSignal,
  transport: Transport = new StdioServerTransport(),
): Promise<void> {
  const server = new McpServer({ name: 'harnessmith', version });
  const session = new Session(folder);
  for (const { name, title, description, input, answer } of tools) {
    // A shape alone would be built by another copy of zod, which does not survive bundling.
    const about = {
      title,
      description,
      inputSchema: z.object(input),
      annotations: { readOnlyHint: true, openWorldHint: false },
    };
    server.registerTool(name, about, async (given: Record<string, unknown>, extra) => {
      const all = AbortSignal.any([signal, extra.signal]);
      try {
        return { content: [{ type: 'text' as const, text: await answer(given as never, session, { signal: all }) }] };
      } catch (error) {
        return { isError: true, content: [{ type: 'text' as const, text: inWords(error) }] };
      }
    });
  }
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  await server.connect(transport);
  signal.addEventListener('abort', () => void server.close(), { once: true });
  // The transport over standard input does not notice its end by itself.
  if (transport instanceof StdioServerTransport) process.stdin.once('end', () => void server.close());
  await closed;
}

function inWords(error: unknown): string {
  return error instanceof HarnessmithError ? `${error.message}\n${error.nextStep}` : messageOf(error);
}
