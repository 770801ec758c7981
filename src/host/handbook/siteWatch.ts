import * as vscode from 'vscode';
import { type DisposableLike, Emitter } from '../disposable';
import { relativeTo } from '../harness/harnessChoice';
import type { HarnessService } from '../harness/harnessService';
import type { Log } from '../log';
import type { Work } from '../work/workClient';
import { UnitFinder } from './anchors';
import { type SiteStates, siteStatesOf } from './siteStates';

/** Pause after a change of a file; a checkout changes many at once. */
const pauseMs = 600;
/** More files than this at once say that the tree was switched; the badges then wait for a refresh. */
const filesAtOnce = 200;

/** Follows changes of indexed files that the index did not see yet, and tells which sites they made old. */
export class SiteWatch implements DisposableLike {
  private found: SiteStates = new Map();
  private watched: { root: string; watcher: vscode.FileSystemWatcher } | null = null;
  private readonly changed = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  private readonly changes: Emitter<void>;
  readonly onDidChange: Emitter<void>['event'];

  constructor(
    private readonly work: Work,
    private readonly harness: HarnessService,
    private readonly log: Log,
  ) {
    this.changes = new Emitter((error) => log.error('A view could not follow changed files', error));
    this.onDidChange = this.changes.event;
    harness.onDidChange((state) => state.status === 'ready' && this.restart());
  }

  get states(): SiteStates {
    return this.found;
  }

  /** A new map knows the files as they are; from now on changes count from here. */
  private restart(): void {
    clearTimeout(this.timer);
    this.changed.clear();
    this.found = new Map();
    const { root } = this.harness;
    if (!root || this.watched?.root === root) return;
    this.watched?.watcher.dispose();
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(root), '**/*'));
    const note = (uri: vscode.Uri) => this.note(uri);
    watcher.onDidChange(note);
    watcher.onDidCreate(note);
    watcher.onDidDelete(note);
    this.watched = { root, watcher };
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.watched?.watcher.dispose();
  }

  private note(uri: vscode.Uri): void {
    const { root, map } = this.harness;
    const file = root && relativeTo(root, uri.fsPath);
    if (!map || !file || !UnitFinder.of(map).owns(file)) return;
    this.changed.add(file);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.check(), pauseMs);
  }

  private async check(): Promise<void> {
    const { harness, work, log } = this;
    const { root, map } = harness;
    // While the index runs it will see these changes itself.
    if (!root || !map || harness.get().status !== 'ready' || this.changed.size > filesAtOnce) return;
    try {
      const found = siteStatesOf(await work.call('siteStates', { root, files: [...this.changed] }));
      if (harness.map !== map) return;
      this.found = found;
      this.changes.fire();
    } catch (error) {
      log.error('Changed files could not be compared with the handbook', error);
    }
  }
}
