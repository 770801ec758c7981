import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { insideWorkDir } from './paths.ts';
import { readText } from './read.ts';
import type { Tool } from './tool.ts';

const maxHits = 50;

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

export const searchTool: Tool = {
  name: 'search',
  description: 'Find lines that contain a text, in all files.',
  parameters: {
    text: { type: 'string', required: true, description: 'the text, taken literally' },
    folder: { type: 'string', required: false, description: 'where to look' },
  },
  effect: 'looks',
  async run(args, { workDir }) {
    const hits: string[] = [];
    for (const file of await filesBelow(insideWorkDir(workDir, String(args.folder ?? '.')))) {
      const path = relative(workDir, file);
      const lines = (await readText(workDir, path)).split('\n');
      lines.forEach((line, index) => {
        if (line.includes(String(args.text))) hits.push(`${path}:${index + 1}: ${line}`);
      });
    }
    const shown = hits.slice(0, maxHits).join('\n');
    return { output: shown || '(nothing found)', status: `${hits.length} hits` };
  },
};
