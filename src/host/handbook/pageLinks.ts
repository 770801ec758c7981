import { posix } from 'node:path';

/**
 * A page whose links to the source start at `base` instead of leading up and out of the folder of the pages. Links to
 * other pages stay as they are. Text of the repository cannot pose as a link: pages escape brackets.
 */
export function withSourceLinks(markdown: string, path: string, folder: string, base: string): string {
  const out = posix.join(posix.relative(posix.dirname(path), '.') || '.', posix.relative(folder, '.'));
  return markdown.replaceAll(`](${out}/`, `](${base}/`);
}

/**
 * What leads from the first workspace folder to the harness, as the start of a link. The Markdown preview takes a link
 * that begins with a slash from the first folder when the page itself lies in none, as a virtual page does.
 */
export function sourceBase(firstFolder: string, root: string): string {
  const slashed = (path: string) => path.replaceAll('\\', '/').replace(/\/+$/, '');
  const relative = posix.relative(slashed(firstFolder), slashed(root));
  return relative === '' ? '' : `/${relative.split('/').map(encodeURIComponent).join('/')}`;
}

/** Address of a page for the editor; the name of the harness comes first so that tabs of two windows differ. */
export function pageAddress(harness: string, page: string): string {
  return `/${harness.replace(/[^\w.-]+/g, '-') || 'harness'}/${page}`;
}

/** The page an address stands for; null for one that is not ours. */
export function pageOfAddress(path: string): string | null {
  return /^\/[^/]+\/((?:(?:units|stages)\/)?[\w.-]+\.md)$/.exec(path)?.[1] ?? null;
}
