import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { realInside, type SuiteConfig } from '../../harness';

/** A larger task is not hashed: reading it for every trial would cost more than it tells. */
const mostFiles = 2_000;
const mostBytes = 64 * 1024 * 1024;

/**
 * 16 hex digits over names and contents of what a task is made of in a worktree; undefined where tasks are only names, where
 * the files are missing, or where they are very many. Different digests in the arms mean that different tasks were tried.
 */
export async function taskDigest(
  root: string,
  suite: Pick<SuiteConfig, 'tasks'>,
  task: string,
): Promise<string | undefined> {
  const { tasks } = suite;
  if (Array.isArray(tasks) || 'dataset' in tasks) return undefined;
  const hash = createHash('sha256');
  const left = { files: mostFiles, bytes: mostBytes };
  const visit = async (full: string, name: string): Promise<boolean> => {
    const found = await stat(full);
    if (found.isDirectory()) {
      for (const entry of (await readdir(full)).sort()) {
        if (!(await visit(join(full, entry), `${name}/${entry}`))) return false;
      }
      return true;
    }
    left.files--;
    left.bytes -= found.size;
    if (!found.isFile() || left.files < 0 || left.bytes < 0) return false;
    hash.update(`${name}\n${found.size}\n`).update(await readFile(full));
    return true;
  };
  try {
    const place = 'folder' in tasks ? join(tasks.folder, task) : task;
    return (await visit(await realInside(root, place), '')) ? hash.digest('hex').slice(0, 16) : undefined;
  } catch {
    return undefined; // a missing task fails by itself, in the trial
  }
}
