import { realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { ToolError } from './tool.ts';

function nearestExisting(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return nearestExisting(dirname(path));
  }
}

/** Absolute path of a path that the model gave. Throws ToolError when it leads out of the work folder, also by a link. */
export function insideWorkDir(workDir: string, path: string): string {
  const target = resolve(workDir, path);
  for (const place of [target, nearestExisting(target)]) {
    const way = relative(workDir, place);
    if (way === '..' || way.startsWith(`..${sep}`)) throw new ToolError(`${path} is outside the working folder`);
  }
  return target;
}
