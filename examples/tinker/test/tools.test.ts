import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ToolRegistry } from '../src/tools/registry.ts';
import type { ToolArguments } from '../src/tools/tool.ts';
import { folderWith, shippedConfig } from './support.ts';

const config = shippedConfig();
const registry = new ToolRegistry(config.tools);

async function use(workDir: string, name: string, args: ToolArguments) {
  return registry.run(name, args, { workDir, config });
}

describe('ToolRegistry', () => {
  it('describes every tool with its arguments', () => {
    const lines = registry.describe().split('\n');
    expect(lines).toHaveLength(config.tools.length);
    expect(lines.find((line) => line.startsWith('- edit:'))).toContain('old (the text to replace)');
    expect(lines.find((line) => line.startsWith('- submit:'))).toContain('No arguments.');
  });

  it('gives definitions with the required arguments', () => {
    expect(registry.definitions()).toContainEqual(
      expect.objectContaining({
        function: expect.objectContaining({
          name: 'read',
          parameters: expect.objectContaining({ required: ['path'] }),
        }),
      }),
    );
  });

  it('refuses a configuration with an unknown tool', () => {
    expect(() => new ToolRegistry(['shell', 'browse'])).toThrow('"browse"');
  });

  it('knows only the tools of the configuration', () => {
    expect(new ToolRegistry(['read']).get('shell')).toBeUndefined();
  });
});

describe('tools', () => {
  it('shell shows output, exit code, and relative paths', async () => {
    const workDir = await folderWith();
    expect(await use(workDir, 'shell', { command: 'pwd; exit 3' })).toEqual({ output: '.', status: 'exit code 3' });
    expect(await use(workDir, 'shell', { command: 'true' })).toEqual({ output: '(no output)', status: 'exit code 0' });
  });

  it('shell ends a command and its children after the timeout', async () => {
    const workDir = await folderWith();
    const quick = { ...config, shell: { timeoutSeconds: 0.2 } };
    const command = '(sleep 1; echo late > late.txt) & sleep 30';
    const result = await registry.run('shell', { command }, { workDir, config: quick });
    expect(result.status).toBe('stopped after 0.2 seconds');
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(existsSync(join(workDir, 'late.txt'))).toBe(false);
  });

  it('read shows a range of lines', async () => {
    const workDir = await folderWith({ 'a.txt': '1\n2\n3\n4\n' });
    expect((await use(workDir, 'read', { path: 'a.txt', offset: 2, limit: 2 })).output).toBe('2\n3');
    expect((await use(workDir, 'read', { path: 'b.txt' })).status).toBe('error');
  });

  it('write creates folders and ends the file with a line break', async () => {
    const workDir = await folderWith();
    await use(workDir, 'write', { path: 'deep/a.txt', content: 'x' });
    expect(readFileSync(join(workDir, 'deep/a.txt'), 'utf8')).toBe('x\n');
  });

  it('edit replaces a text that occurs once and refuses others', async () => {
    const workDir = await folderWith({ 'a.txt': 'one two two' });
    expect((await use(workDir, 'edit', { path: 'a.txt', old: 'one', new: '$&' })).status).toBe('ok');
    expect((await use(workDir, 'edit', { path: 'a.txt', old: 'two', new: 'x' })).output).toContain('2 times');
    expect((await use(workDir, 'edit', { path: 'a.txt', old: 'six', new: 'x' })).output).toContain('0 times');
    expect(readFileSync(join(workDir, 'a.txt'), 'utf8')).toBe('$& two two');
  });

  it('search finds lines in sub-folders', async () => {
    const workDir = await folderWith({ 'a.txt': 'x\nneedle', 'b/c.txt': 'needle' });
    expect((await use(workDir, 'search', { text: 'needle' })).output).toBe('a.txt:2: needle\nb/c.txt:1: needle');
  });

  it('keeps inside the working folder', async () => {
    const workDir = await folderWith({ 'a.txt': 'x' });
    const outside = await folderWith({ 'secret.txt': 'secret' });
    symlinkSync(outside, join(workDir, 'link'));
    for (const path of ['../secret.txt', join(outside, 'secret.txt'), 'link/secret.txt']) {
      expect((await use(workDir, 'read', { path })).output).toContain('outside');
      expect((await use(workDir, 'write', { path, content: 'x' })).output).toContain('outside');
    }
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
  });
});
