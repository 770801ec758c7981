import { readFile } from 'node:fs/promises';
import { insideWorkDir } from './paths.ts';
import type { Tool } from './tool.ts';
import { ToolError } from './tool.ts';

/** Reads a text file for a tool. Throws ToolError when it is missing or a folder. */
export async function readText(workDir: string, path: string): Promise<string> {
  try {
    return await readFile(insideWorkDir(workDir, path), 'utf8');
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError(`cannot read ${path}: there is no such file`);
  }
}

export const readTool: Tool = {
  name: 'read',
  description: 'Show a file.',
  parameters: {
    path: { type: 'string', required: true, description: 'the file' },
    offset: { type: 'number', required: false, description: 'first line, from 1' },
    limit: { type: 'number', required: false, description: 'number of lines' },
  },
  effect: 'looks',
  async run(args, { workDir }) {
    const lines = (await readText(workDir, String(args.path))).split('\n');
    const start = Math.max(1, Number(args.offset ?? 1)) - 1;
    const end = args.limit === undefined ? lines.length : start + Number(args.limit);
    return { output: lines.slice(start, end).join('\n').trimEnd(), status: `${lines.length} lines` };
  },
};
