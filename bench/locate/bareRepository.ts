import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';

export interface TreeEntry {
  path: string;
  blob: string;
  bytes: number;
}

/** Reads trees and blobs of a bare repository; nothing is checked out. */
export class BareRepository {
  private readonly reader: ChildProcessWithoutNullStreams;
  private pending: Buffer = Buffer.alloc(0);
  private wake: (() => void) | undefined;

  constructor(readonly folder: string) {
    this.reader = spawn('git', ['cat-file', '--batch'], {
      cwd: folder,
      env: { ...process.env, GIT_NO_LAZY_FETCH: '1' },
    });
    this.reader.stdout.on('data', (chunk: Buffer) => {
      this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
      this.wake?.();
    });
  }

  /** Regular files of a commit. */
  tree(commit: string): TreeEntry[] {
    const entries: TreeEntry[] = [];
    for (const record of this.git('ls-tree', '-r', '-l', '-z', commit).split('\0')) {
      const match = /^(\d+) blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(record);
      if (match && match[1] !== '120000')
        entries.push({ path: match[4] ?? '', blob: match[2] ?? '', bytes: Number(match[3]) });
    }
    return entries;
  }

  /** The commit and its ancestors without merges. */
  ancestors(commit: string): Set<string> {
    return new Set(this.git('rev-list', '--no-merges', commit).split('\n'));
  }

  /** Text of a blob; undefined when the repository lacks it. One call at a time. */
  async text(blob: string): Promise<string | undefined> {
    this.reader.stdin.write(`${blob}\n`);
    const head = (await this.take((data) => data.indexOf(10) + 1)).toString().trim().split(' ');
    const bytes = Number(head[2]);
    if (head.length < 3) return undefined;
    const data = await this.take((pending) => (pending.length > bytes ? bytes + 1 : 0));
    return data.subarray(0, bytes).toString('utf8');
  }

  close(): void {
    this.reader.stdin.end();
  }

  private git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.folder, maxBuffer: 256 * 1024 * 1024, encoding: 'utf8' });
  }

  private async take(enough: (pending: Buffer) => number): Promise<Buffer> {
    for (;;) {
      const length = enough(this.pending);
      if (length > 0) {
        const taken = this.pending.subarray(0, length);
        this.pending = this.pending.subarray(length);
        return taken;
      }
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
}
