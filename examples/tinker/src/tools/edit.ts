import { writeFile } from 'node:fs/promises';
import { insideWorkDir } from './paths.ts';
import { readText } from './read.ts';
import type { Tool } from './tool.ts';
import { ToolError } from './tool.ts';

export const editTool: Tool = {
  name: 'edit',
  description: 'Replace a text that occurs exactly once in a file.',
  parameters: {
    path: { type: 'string', required: true, description: 'the file' },
    old: { type: 'string', required: true, description: 'the text to replace' },
    new: { type: 'string', required: true, description: 'the text to put there' },
  },
  effect: 'changes',
  async run(args, { workDir }) {
    const path = String(args.path);
    const text = await readText(workDir, path);
    const parts = text.split(String(args.old));
    if (parts.length !== 2) throw new ToolError(`the old text occurs ${parts.length - 1} times in ${path}, not once`);
    await writeFile(insideWorkDir(workDir, path), parts.join(String(args.new)));
    return { output: `edited ${path}`, status: 'ok' };
  },
};
