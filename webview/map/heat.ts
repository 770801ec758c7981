import type { MapNode, MapView } from '../shared/mapProtocol';

export const heatKinds = ['failing', 'tokens', 'cost', 'none'] as const;
export type HeatKind = (typeof heatKinds)[number];

export const heatTitles: Record<HeatKind, string> = {
  failing: 'Failing steps',
  tokens: 'Tokens',
  cost: 'Cost in US dollars',
  none: 'No heat',
};

/** The measure of a node; null where it is unknown. */
export function heatOf(node: MapNode, kind: HeatKind): number | null {
  if (kind === 'none') return null;
  if (kind === 'failing') return node.failing;
  return kind === 'tokens' ? node.tokens : node.costUsd;
}

/** The measure in words with its unit; empty where there is none or nothing. */
export function heatWords(node: MapNode, kind: HeatKind): string {
  const value = heatOf(node, kind);
  if (value === null || value === 0) return '';
  if (kind === 'failing') return `${value.toLocaleString('en-US')} failing`;
  if (kind === 'tokens') return `${short(value)} tokens`;
  return value < 0.01 ? 'under $0.01' : `$${value.toFixed(2)}`;
}

/** `950`, `12.3k`, `4.5M`. */
function short(value: number): string {
  if (value < 1000) return String(Math.round(value));
  return value < 999_950 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1e6).toFixed(1)}M`;
}

/** The largest measure of any unit that is drawn, and the title of that unit; null when nothing is measured. */
export function hottest(view: MapView, kind: HeatKind): { value: number; node: MapNode } | null {
  let top: { value: number; node: MapNode } | null = null;
  for (const node of view.nodes) {
    if (node.kind !== 'unit') continue;
    const value = heatOf(node, kind) ?? 0;
    if (value > (top?.value ?? 0)) top = { value, node };
  }
  return top;
}

/** Share of the hottest unit, 0 to 1; a fold may stand for more than one unit and is cut at 1. */
export function heatShare(node: MapNode, kind: HeatKind, top: number): number {
  const value = heatOf(node, kind) ?? 0;
  return top > 0 ? Math.min(1, value / top) : 0;
}

/** Step on the scale, 0 (nothing) to 4 (most); equal steps of the share. */
export function heatLevel(share: number): 0 | 1 | 2 | 3 | 4 {
  return share <= 0 ? 0 : share <= 0.25 ? 1 : share <= 0.5 ? 2 : share <= 0.75 ? 3 : 4;
}
