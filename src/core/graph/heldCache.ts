import { statSync } from 'node:fs';
import { storePaths } from '../store';
import { IndexCache } from './indexCache';

/** The cache of a harness, which may stay open from one use to the next; one in memory always does. */
export class HeldCache {
  private held: { cache: IndexCache; inode: number | undefined } | undefined;
  private closing: NodeJS.Timeout | undefined;

  constructor(private readonly root: string) {}

  /** Opens it, or gives the one that is still open, unless its file was replaced or removed meanwhile. */
  async open(): Promise<IndexCache> {
    clearTimeout(this.closing);
    if (this.held && !this.held.cache.isInMemory && this.held.inode !== this.inode()) this.close();
    this.held ??= { cache: await IndexCache.open(this.root), inode: this.inode() };
    return this.held.cache;
  }

  /** @param keepMs milliseconds for which it stays open; 0 closes it now */
  leave(keepMs: number): void {
    if (this.held?.cache.isInMemory) return;
    if (keepMs === 0) this.close();
    else this.closing = setTimeout(() => this.close(), keepMs).unref();
  }

  private close(): void {
    const { held } = this;
    this.held = undefined;
    held?.cache.close();
  }

  private inode(): number | undefined {
    return statSync(storePaths(this.root).indexDatabase, { throwIfNoEntry: false })?.ino;
  }
}
