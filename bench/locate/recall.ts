import type { SearchIndex } from '../../src/core/locate/ranking';
import type { Item } from './items';

/** A quick look; the benchmark's own scorer has the word. */
export interface Recall {
  file1: number;
  file5: number;
  symbol10: number;
}

/** Shares of the gold files and symbols among the first answers; a symbol is right when it lies where the gold one starts. */
export function recallOf(
  item: Item,
  files: readonly string[],
  symbols: readonly { file: string; name: string; start: number }[],
): Recall | undefined {
  if (item.gold_files.length === 0 || item.gold_symbols.length === 0) return undefined;
  const share = <T>(gold: readonly T[], right: (one: T) => boolean): number => gold.filter(right).length / gold.length;
  const first = symbols.slice(0, 10);
  return {
    file1: share(item.gold_files, (file) => files[0] === file),
    file5: share(item.gold_files, (file) => files.slice(0, 5).includes(file)),
    symbol10: share(item.gold_symbols, (gold) => first.some((symbol) => isSame(gold, symbol))),
  };
}

/** Whether an answer is a gold symbol; ranges of parsers differ by decorators and comments. */
export function isSame(
  gold: { file: string; name: string; start: number; end: number },
  symbol: { file: string; name: string; start: number },
): boolean {
  if (gold.file !== symbol.file) return false;
  const last = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
  return Math.abs(gold.start - symbol.start) <= 3 && last(gold.name) === last(symbol.name);
}

/** Means over all items and by kind, and what indexing and ranking took. */
export class Summary {
  private readonly groups = new Map<string, Recall[]>();
  private readonly indexing: number[] = [];
  private readonly ranking: number[] = [];
  private mostRows = 0;
  private reachable = 0;
  private gold = 0;

  add(item: Item, recall: Recall | undefined, index: SearchIndex, [indexing = 0, ranking = 0]: number[]): void {
    this.indexing.push(indexing);
    this.ranking.push(ranking);
    this.mostRows = Math.max(this.mostRows, index.rows.length);
    if (!recall) return;
    for (const group of ['all', ...item.kind, item.lang]) {
      const list = this.groups.get(group) ?? [];
      list.push(recall);
      this.groups.set(group, list);
    }
    for (const gold of item.gold_symbols) {
      this.gold += 1;
      const file = index.files[index.fileOfPath.get(gold.file) ?? -1];
      const rows = file ? index.rows.slice(file.from, file.to) : [];
      this.reachable += rows.some(({ name, start }) => isSame(gold, { file: gold.file, name, start })) ? 1 : 0;
    }
  }

  print(): void {
    for (const [group, list] of [...this.groups].sort()) {
      const mean = (of: (recall: Recall) => number): string =>
        (list.reduce((sum, recall) => sum + of(recall), 0) / list.length).toFixed(3);
      console.log(
        `${group.padEnd(12)} n=${String(list.length).padEnd(5)} F@1 ${mean((one) => one.file1)}  F@5 ${mean((one) => one.file5)}  S@10 ${mean((one) => one.symbol10)}`,
      );
    }
    if (this.gold > 0) console.log(`gold symbols that are in the index: ${this.reachable} of ${this.gold}`);
    console.log(`largest tree: ${this.mostRows} definitions`);
    for (const [name, times] of [
      ['index a tree', this.indexing],
      ['rank', this.ranking],
    ] as const) {
      const sorted = [...times].sort((a, b) => a - b);
      const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
      console.log(`${name}: median ${at(0.5)} ms, p95 ${at(0.95)} ms`);
    }
  }
}
