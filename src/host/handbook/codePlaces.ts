import * as vscode from 'vscode';
import { resolveInside } from '../../core/harness';
import type { DisposableLike } from '../disposable';
import type { SitePlace } from '../tree/treeNode';

export interface ShowOptions {
  /** True moves the cursor into the code; false leaves the focus where it is. */
  focus: boolean;
  /** Column of a previous showing that should be used again. */
  column?: vscode.ViewColumn;
}

/** Shows places of the harness in real editors and marks them; one preview editor is used again and again. */
export class CodePlaces implements DisposableLike {
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.focusedStackFrameHighlightBackground'),
    borderColor: new vscode.ThemeColor('contrastActiveBorder'),
    borderStyle: 'dotted',
    borderWidth: '0 0 0 2px',
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.infoForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });
  private marked: vscode.TextEditor | null = null;

  /**
   * Opens the file of the place and highlights its lines. Throws what the editor throws when the file is gone, and
   * `InputError` for a place outside the harness, which a proposal from elsewhere may name.
   */
  async show(root: string, place: SitePlace, options: ShowOptions): Promise<vscode.TextEditor> {
    const uri = vscode.Uri.file(resolveInside(root, place.file));
    const document = await vscode.workspace.openTextDocument(uri);
    const last = Math.max(0, document.lineCount - 1);
    const start = Math.min(Math.max(0, place.start - 1), last);
    const end = Math.min(Math.max(start, place.end - 1), last);
    const range = new vscode.Range(start, 0, end, document.lineAt(end).text.length);
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn: options.column,
      preserveFocus: !options.focus,
      preview: true,
      selection: new vscode.Range(range.start, range.start),
    });
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    if (this.marked && this.marked !== editor) this.marked.setDecorations(this.mark, []);
    editor.setDecorations(this.mark, [range]);
    this.marked = editor;
    return editor;
  }

  /** Takes the mark away: what is on the screen now is not what it stood for. */
  clear(): void {
    this.marked?.setDecorations(this.mark, []);
    this.marked = null;
  }

  dispose(): void {
    this.mark.dispose();
  }
}
