import * as vscode from 'vscode';
import { DisposableStore } from '../disposable';
import { schemes } from '../ids';
import type { Services } from '../services';

/** Address of one side of a review. The path ends like the file, so the editor takes the right language. */
export function sideUri(scheme: string, proposal: string, file: string): vscode.Uri {
  return vscode.Uri.from({ scheme, authority: proposal, path: `/${file}` });
}

/** Proposal and file of an address made by `sideUri`. */
export function sideOf(uri: vscode.Uri): { proposal: string; file: string } {
  return { proposal: uri.authority, file: uri.path.replace(/^\//, '') };
}

/**
 * One side of a review as files. The left side is the text the proposal was made on. The right side can be edited:
 * what is saved there goes into the review and nowhere else.
 */
class ReviewFiles implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly known = new Map<string, { uri: vscode.Uri; text: string; mtime: number }>();

  constructor(
    private readonly services: Services,
    private readonly side: 'base' | 'proposed',
  ) {}

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, mtime } = await this.load(uri);
    const permissions = this.side === 'base' ? vscode.FilePermission.Readonly : undefined;
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text), permissions };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.load(uri)).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    if (this.side === 'base') throw vscode.FileSystemError.NoPermissions(uri);
    const { proposal, file } = sideOf(uri);
    const text = Buffer.from(content).toString('utf8');
    // Refused, the text stays unsaved in the editor instead of being lost in silence.
    if (!(await this.services.proposals.saveEdited(proposal, file, text))) {
      throw vscode.FileSystemError.NoPermissions(uri);
    }
    this.known.set(uri.toString(), { uri, text, mtime: Date.now() });
  }

  /** Reads all open files again after decisions or edits made elsewhere. */
  async refresh(): Promise<void> {
    for (const { uri, text } of [...this.known.values()]) {
      const now = await this.read(uri);
      if (now === text) continue;
      this.known.set(uri.toString(), { uri, text: now, mtime: Date.now() });
      this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    }
  }

  private async load(uri: vscode.Uri) {
    const known = this.known.get(uri.toString());
    if (known) return known;
    const entry = { uri, text: await this.read(uri), mtime: Date.now() };
    this.known.set(uri.toString(), entry);
    return entry;
  }

  /** A file that does not exist on a side is shown empty, so that the diff says "all added" or "all removed". */
  private async read(uri: vscode.Uri): Promise<string> {
    await this.services.proposals.ensure();
    const { proposal, file } = sideOf(uri);
    if (!this.services.proposals.proposal(proposal)) throw vscode.FileSystemError.FileNotFound(uri);
    const texts = await this.services.proposals.texts(proposal, file);
    return texts[this.side] ?? '';
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}

/** Registers both sides. */
export function registerReviewFiles(services: Services): DisposableStore {
  const store = new DisposableStore();
  for (const side of ['base', 'proposed'] as const) {
    const files = new ReviewFiles(services, side);
    const options = { isReadonly: side === 'base', isCaseSensitive: true };
    store.add(vscode.workspace.registerFileSystemProvider(schemes[side], files, options));
    store.add(
      services.proposals.onDidChange(() => {
        files.refresh().catch((error: unknown) => services.log.error('A review could not be refreshed', error));
      }),
    );
  }
  return store;
}
