import { readdir } from 'node:fs/promises';

/** Made once: comparing with a locale each time takes most of sorting a folder of thousands. */
const { compare } = new Intl.Collator('en', { numeric: true });

/** Compares names so that `episode-2` stands before `episode-10`. */
export function inNumberOrder(left: string, right: string): number {
  return compare(left, right);
}

/** Names in a folder in the order of their numbers; none when it cannot be read. */
export async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.sort(inNumberOrder);
}
