import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../../src/mcp';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'harnessmith-mcp-')));
const stop = new AbortController();
let client: Client;
let served: Promise<void>;

beforeAll(async () => {
  cpSync(resolve('examples/tinker'), folder, { recursive: true });
  const [here, there] = InMemoryTransport.createLinkedPair();
  served = serve(folder, stop.signal, there);
  client = new Client({ name: 'test', version: '1' });
  await client.connect(here);
});

afterAll(async () => {
  stop.abort();
  await served;
  rmSync(folder, { recursive: true, force: true });
});

async function ask(name: string, given: Record<string, unknown> = {}): Promise<{ text: string; isError: boolean }> {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [first] = content as { text: string }[];
  return { text: first?.text ?? '', isError: isError === true };
}

describe('the server', () => {
  it('offers its questions as read only, each with a description', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['handbook', 'locate', 'runs', 'step', 'traces']);
    for (const tool of tools) {
      expect(tool.annotations?.readOnlyHint).toBe(true);
      expect(tool.description?.length).toBeGreaterThan(50);
    }
  });

  it('gives the overview, and from there a page by the path that it links', async () => {
    const { text } = await ask('handbook');
    expect(text).toContain('src/agent.ts');
    const path = /\]\((units\/[^)#]+|stages\/[^)#]+)/.exec(text)?.[1] ?? 'none';
    const page = await ask('handbook', { page: path });
    expect(page.isError).toBe(false);
    expect(page.text).not.toBe(text);
  });

  it('says which pages are near when there is none of the name', async () => {
    const { text, isError } = await ask('handbook', { page: 'no such page' });
    expect(isError).toBe(true);
    expect(text).toContain('There is no page "no such page".');
  });

  it('finds the place behind words, as the file is now', async () => {
    const { text } = await ask('locate', { request: 'truncate long tool output', limit: 3 });
    const { sites } = JSON.parse(text);
    expect(sites.length).toBeLessThanOrEqual(3);
    expect(sites.map(({ file }: { file: string }) => file)).toContain('src/truncation.ts');
  });

  it('leads from the runs to a step and the code behind it', async () => {
    const { text } = await ask('traces', { tokens: 2000 });
    expect(text.length).toBeLessThan(2000 * 6);
    const trial = readdirSync(join(folder, 'traces'), { recursive: true, withFileTypes: true }).find(
      (entry) => entry.isDirectory() && entry.name.includes('__'),
    )?.name;
    const run = await ask('traces', { run: trial });
    expect(run.isError).toBe(false);
    const step = await ask('step', { run: trial, step: 2 });
    expect(step.text).toContain('Code behind it:');
    expect(step.text).toContain('src/');
  });

  it('tells a wrong run, a wrong number and missing runs in words', async () => {
    expect(await ask('step', { run: 'none', step: 1 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('There is no run "none".'),
    });
    expect((await ask('step', { run: 'none', step: 0 })).isError).toBe(true);
    expect(JSON.parse((await ask('runs')).text)).toEqual({ runs: [], unreadable: [] });
    expect((await ask('runs', { run: '../../etc' })).text).toContain('There is no run');
  });
});
