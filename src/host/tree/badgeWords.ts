import { count } from '../traces/words';
import type { TreeNode } from './treeNode';

type Badge = NonNullable<TreeNode['badge']>;

/** The badge as a path, so that the editor keeps one drawing for all rows with the same badge; null for none. */
export function badgeAddress({ failing, state }: Badge): string | null {
  return failing === 0 && state === null ? null : `/${failing}/${state ?? 'fresh'}`;
}

/** Text of at most two characters, as the editor demands, with what it means; null for an address that is not ours. */
export function badgeOf(path: string): { text: string; tooltip: string; color: string | null } | null {
  const parts = /^\/(\d+)\/(fresh|moved|stale)$/.exec(path);
  if (!parts) return null;
  const failing = Number(parts[1]);
  const changed = parts[2] === 'fresh' ? '' : `${parts[2] === 'stale' ? 'changed' : 'moved'} since it was indexed`;
  const tooltip = [failing ? count(failing, 'failing step') : '', changed].filter(Boolean).join(', ');
  if (failing > 0) return { text: failing > 99 ? '++' : String(failing), tooltip, color: 'list.errorForeground' };
  return { text: parts[2] === 'stale' ? '!' : '~', tooltip, color: 'list.warningForeground' };
}
