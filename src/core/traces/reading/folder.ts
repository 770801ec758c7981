import { readdir } from 'node:fs/promises';

/** Compares names so that `episode-2` stands before `episode-10`. */
export function inNumberOrder(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}

/** Names in a folder in the order of their numbers; none when it cannot be read. */
export async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.sort(inNumberOrder);
}
