import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { insideWorkDir } from './paths.ts';
import type { Tool } from './tool.ts';

export const writeTool: Tool = {
  name: 'write',
  description: 'Create or replace a file.',
  parameters: {
    path: { type: 'string', required: true, description: 'the file' },
    content: { type: 'string', required: true, description: 'its whole text' },
  },
  effect: 'changes',
  async run(args, { workDir }) {
    const file = insideWorkDir(workDir, String(args.path));
    const content = String(args.content);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content.endsWith('\n') ? content : `${content}\n`);
    return { output: `wrote ${args.path}`, status: 'ok' };
  },
};
