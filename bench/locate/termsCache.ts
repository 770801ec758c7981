import { DatabaseSync } from 'node:sqlite';
import { deflateSync, inflateSync } from 'node:zlib';
import { type FileTerms, termsOfFile } from '../../src/core/locate/ranking';
import type { BareRepository, TreeEntry } from './bareRepository';

/** The words of files by content, shared by all trees of a repository and kept between runs. */
export class TermsCache {
  private readonly database: DatabaseSync;
  private readonly memory = new Map<string, FileTerms>();

  constructor(file: string) {
    this.database = new DatabaseSync(file);
    this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    this.database.exec('CREATE TABLE IF NOT EXISTS terms (key TEXT PRIMARY KEY, value BLOB)');
  }

  async of(repository: BareRepository, entry: TreeEntry): Promise<FileTerms | undefined> {
    // The ending decides the parser.
    const key = `${entry.blob}${/\.[^./]+$/.exec(entry.path)?.[0] ?? ''}`;
    const known = this.memory.get(key);
    if (known) return known;
    const row = this.database.prepare('SELECT value FROM terms WHERE key = ?').get(key);
    let terms: FileTerms | undefined;
    if (row?.value instanceof Uint8Array) terms = JSON.parse(inflateSync(row.value).toString()) as FileTerms;
    else {
      const text = await repository.text(entry.blob);
      if (text === undefined) return undefined;
      terms = await termsOfFile(entry.path, text);
      const value = deflateSync(JSON.stringify(terms), { level: 1 });
      this.database.prepare('INSERT OR REPLACE INTO terms VALUES (?, ?)').run(key, value);
    }
    this.memory.set(key, terms);
    return terms;
  }

  close(): void {
    this.database.close();
  }
}
