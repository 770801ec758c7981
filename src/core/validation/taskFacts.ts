import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Harness, realInside } from '../harness';

/** Larger files are data; nobody copies them into a harness. */
const largestFile = 64 * 1024;
const mostFiles = 2_000;

/** Names of the files that a task brings along, and values that its verifier looks for. */
export async function factsOfTask(
  harness: Pick<Harness, 'root'>,
  folder: string,
): Promise<{ files: string[]; answers: string[] }> {
  const real = await realInside(harness.root, folder);
  const entries = await readdir(real, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).slice(0, mostFiles);
  const answers: string[] = [];
  const names: string[] = [];
  for (const entry of files) {
    const path = join(entry.parentPath, entry.name);
    const judges = /^(?:verify|verifier|grader|expected|answer|solution|reference)\b/i.test(entry.name);
    const below = path.slice(real.length + 1);
    if (judges || /(?:^|[\\/])(?:tests?|solution|verifier)[\\/]/.test(below)) answers.push(...(await answersIn(path)));
    else if (entry.name !== 'instruction.md') names.push(basename(entry.name));
  }
  return { files: [...new Set(names)], answers: [...new Set(answers)] };
}

/** Quoted values that nobody writes by chance: with a digit and a letter, or several words. */
async function answersIn(path: string): Promise<string[]> {
  const bytes = await readFile(path);
  if (bytes.length > largestFile || bytes.includes(0)) return [];
  const text = bytes.toString('utf8');
  const quoted = [...text.matchAll(/(["'`])((?:(?!\1)[^\\\n]){6,200})\1/g)].map(([, , value]) => value!);
  // A file of expected output is one answer a line.
  const lines = /\.(?:txt|csv|out|md)$/i.test(path) ? text.split('\n').map((line) => line.trim()) : [];
  return [...quoted, ...lines.filter((line) => line.length >= 8)].filter(
    (value) =>
      (/\d/.test(value) && /[a-z]/i.test(value) && !/^[\w@./-]*:[\w/]+$/.test(value)) || /\w+ \w+ \w+/.test(value),
  );
}
