import { userInfo } from 'node:os';
import { appendJsonLine, type JsonLines, readJsonLines } from './jsonLines';
import { LedgerEntry } from './ledgerModel';
import { ensureStore, storePaths } from './paths';

/** The append-only record of proposals, decisions, runs and verdicts of one harness. */
export class Ledger {
  private constructor(private readonly file: string) {}

  static async open(root: string): Promise<Ledger> {
    await ensureStore(root);
    return new Ledger(storePaths(root).ledger);
  }

  /** Returns when the entry is on disk. */
  append(entry: LedgerEntry): Promise<void> {
    return appendJsonLine(this.file, LedgerEntry.parse(entry));
  }

  read(): Promise<JsonLines<LedgerEntry>> {
    return readJsonLines(this.file, LedgerEntry);
  }
}

/** Who decides, for the ledger: the name of the operating system account. */
export function currentPerson(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown'; // accounts without a passwd entry, common in containers
  }
}
