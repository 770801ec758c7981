import { join } from 'node:path';
import * as vscode from 'vscode';
import { registerCommand, setting } from '../commands';
import { DisposableStore } from '../disposable';
import { relativeTo } from '../harness/harnessChoice';
import type { HostContribution, Services } from '../services';
import { failingByFile, type GutterMark, gutterMarks } from './gutterMarks';
import { pickStep } from './pickStep';
import { outcomeWords, runName } from './words';

/** Steps that a hover names; the lens lists them all. */
const stepsShown = 8;

/** Marks beside harness code that steps lead to, badges of its files, and the way from the cursor back to the steps. */
export const stepMarksContribution: HostContribution = {
  name: 'step marks',
  activate(services: Services) {
    const store = new DisposableStore();
    const failing = store.add(decoration(services, 'stepFailing', 'editorOverviewRuler.errorForeground'));
    const passing = store.add(decoration(services, 'stepPassing', null));
    const draw = (editor: vscode.TextEditor) => {
      const marks = marksOf(services, editor.document);
      // Marks move with the text while it is edited; they are placed anew once it is saved and indexed.
      if (marks === null) return;
      editor.setDecorations(
        failing,
        options(
          services,
          marks.filter((mark) => mark.failing),
        ),
      );
      editor.setDecorations(
        passing,
        options(
          services,
          marks.filter((mark) => !mark.failing),
        ),
      );
    };
    const drawAll = () => vscode.window.visibleTextEditors.forEach(draw);
    store.add(vscode.window.onDidChangeVisibleTextEditors(drawAll));
    store.add(vscode.workspace.onDidSaveTextDocument(drawAll));
    const badges = store.add(new FileBadges(services));
    store.add(vscode.window.registerFileDecorationProvider(badges));
    store.add(
      services.traces.onDidChange(() => {
        drawAll();
        badges.refresh();
      }),
    );
    store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('harnessmith.codeLens')) drawAll();
      }),
    );
    store.add(registerCommand('harnessmith.showStepsHere', services.log, () => showStepsHere(services)));
    return store;
  },
};

function decoration(services: Services, icon: string, ruler: string | null): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    gutterIconPath: vscode.Uri.joinPath(services.context.extensionUri, 'media', `${icon}.svg`),
    gutterIconSize: 'contain',
    overviewRulerColor: ruler ? new vscode.ThemeColor(ruler) : undefined,
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
}

/** Null for a document that is no harness file or is ahead of the index. */
function marksOf({ harness, traces }: Services, document: vscode.TextDocument): GutterMark[] | null {
  if (document.uri.scheme !== 'file' || document.isDirty || !harness.root) return null;
  const file = relativeTo(harness.root, document.uri.fsPath);
  if (file === null) return null;
  return setting('codeLens.enabled', document.uri) ? gutterMarks(file, traces.diagnosis.touches) : [];
}

function options(services: Services, marks: readonly GutterMark[]): vscode.DecorationOptions[] {
  return marks.map((mark) => ({
    range: new vscode.Range(mark.line - 1, 0, mark.line - 1, 0),
    hoverMessage: hoverOf(services, mark),
  }));
}

/** Names of runs come from traces, so they are put in as text; the links are ours alone. */
function hoverOf(services: Services, mark: GutterMark): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.isTrusted = { enabledCommands: ['harnessmith.openTrace'] };
  text.appendText(mark.words);
  for (const { run, step, task } of mark.steps.slice(0, stepsShown)) {
    const known = services.traces.run(run);
    const target = encodeURIComponent(JSON.stringify([{ run, step }]));
    text.appendMarkdown(`\n\n[step ${step}](command:harnessmith.openTrace?${target}) `);
    text.appendText(
      [task, known && runName(known), known && outcomeWords(known.outcome).words].filter(Boolean).join(', '),
    );
  }
  if (mark.steps.length > stepsShown) text.appendMarkdown(`\n\nand ${mark.steps.length - stepsShown} more`);
  return text;
}

/** The number of failing steps behind a file, in the explorer and on tabs. */
class FileBadges implements vscode.FileDecorationProvider {
  private readonly changes = new vscode.EventEmitter<vscode.Uri[] | undefined>();
  readonly onDidChangeFileDecorations = this.changes.event;
  private counts = new Map<string, number>();

  constructor(private readonly services: Services) {}

  refresh(): void {
    const { root } = this.services.harness;
    const files = failingByFile(this.services.traces.diagnosis.touches);
    this.counts = new Map([...files].map(([file, count]) => [root ? join(root, ...file.split('/')) : file, count]));
    this.changes.fire(undefined);
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const failing = uri.scheme === 'file' ? this.counts.get(uri.fsPath) : undefined;
    if (!failing) return undefined;
    const badge = failing > 99 ? '++' : String(failing);
    return new vscode.FileDecoration(badge, `${failing} failing steps of traces lead here`);
  }

  dispose(): void {
    this.changes.dispose();
  }
}

/** The steps of the mark at or nearest above the cursor. */
async function showStepsHere(services: Services): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const line = (editor?.selection.active.line ?? 0) + 1;
  const marks = editor ? (marksOf(services, editor.document) ?? []) : [];
  const mark = marks.findLast((one) => one.line <= line);
  await pickStep(
    services,
    mark?.steps ?? [],
    mark ? `Steps behind line ${mark.line}: ${mark.words}` : 'No step leads here',
  );
}
