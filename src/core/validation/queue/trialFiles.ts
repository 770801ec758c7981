import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** What one trial may send back, before packing. Larger files stay on the machine that made it. */
const maximumBytes = 32 * 1024 * 1024;

/** Names what was too large to be sent. */
const leftOut = 'left-out.txt';

/** Packs the files of a folder, small ones first, as far as there is room. Links are not followed. */
export async function packFiles(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        return { path, bytes: (await stat(path)).size };
      }),
  );
  files.sort((one, other) => one.bytes - other.bytes || one.path.localeCompare(other.path));
  const packed: Record<string, string> = {};
  const large: string[] = [];
  let room = maximumBytes;
  for (const { path, bytes } of files) {
    const name = relative(folder, path).split(sep).join('/');
    if (bytes > room) large.push(`${name} (${bytes} bytes)`);
    else {
      room -= bytes;
      packed[name] = await packed64(await readFile(path));
    }
  }
  if (large.length > 0) packed[leftOut] = await packed64(Buffer.from(`Too large to be sent:\n${large.join('\n')}\n`));
  return packed;
}

async function packed64(content: Buffer): Promise<string> {
  return (await promisify(gzip)(content)).toString('base64');
}

/**
 * Writes packed files into a folder. Paths that lead out of it and files that unpack to more than may be sent are passed over;
 * their names are returned.
 */
export async function unpackFiles(files: Record<string, string>, folder: string): Promise<string[]> {
  const refused: string[] = [];
  let room = maximumBytes + 64 * 1024;
  for (const [path, packed] of Object.entries(files)) {
    const name = normalize(path);
    const leads = name.startsWith('..') || name.startsWith(sep) || /^[A-Za-z]:/.test(name) || name.includes('\0');
    const content = leads
      ? undefined
      : await promisify(gunzip)(Buffer.from(packed, 'base64'), { maxOutputLength: Math.max(1, room) }).catch(
          () => undefined,
        );
    if (content === undefined) {
      refused.push(path);
      continue;
    }
    room -= content.length;
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return refused;
}
