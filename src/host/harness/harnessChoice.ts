/** A workspace folder, and whether it has a `.harnessmith/harness.json`. */
export interface FolderFact {
  root: string;
  name: string;
  configured: boolean;
}

export type HarnessChoice =
  | { kind: 'chosen'; folder: FolderFact }
  | { kind: 'noFolder' }
  /** Several folders and nothing that tells which: the person must say. */
  | { kind: 'ambiguous'; folders: FolderFact[] };

/**
 * Which folder is the harness: the remembered one, else the only configured one, else the only one.
 * It never guesses among several.
 */
export function chooseHarness(folders: readonly FolderFact[], remembered: string | undefined): HarnessChoice {
  const known = folders.find((folder) => folder.root === remembered);
  if (known) return { kind: 'chosen', folder: known };
  const configured = folders.filter((folder) => folder.configured);
  if (configured.length === 1) return { kind: 'chosen', folder: configured[0]! };
  if (folders.length === 1) return { kind: 'chosen', folder: folders[0]! };
  if (folders.length === 0) return { kind: 'noFolder' };
  return { kind: 'ambiguous', folders: configured.length > 1 ? configured : [...folders] };
}

/** The path inside the root with `/`, or null when the file lies elsewhere. */
export function relativeTo(root: string, file: string): string | null {
  const slashed = (path: string) => path.replaceAll('\\', '/').replace(/\/+$/, '');
  const base = slashed(root);
  const path = slashed(file);
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : null;
}
