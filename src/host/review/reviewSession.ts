import * as vscode from 'vscode';
import { setContext } from '../commands';
import { DisposableStore } from '../disposable';
import { type FromTree, schemes } from '../ids';
import type { Services } from '../services';
import type { TreeNode } from '../tree/treeNode';
import type { HunkView, ProposalView } from '../work/methods';
import { sideOf, sideUri } from './reviewFiles';
import { hunkAtLine, nextUndecided, proposedRange, reviewStatus } from './reviewOrder';

/** The review in the native diff editor: which hunk is looked at, and moving between hunks. */
export class ReviewSession extends DisposableStore {
  private current: { proposal: string; hunk: number } | null = null;
  private readonly status = this.add(
    vscode.window.createStatusBarItem('harnessmith.review', vscode.StatusBarAlignment.Left, 9),
  );

  constructor(
    private readonly services: Services,
    private readonly selectedNode: () => TreeNode | undefined,
  ) {
    super();
    this.status.name = 'Harnessmith review';
    this.status.command = 'harnessmith.nextUndecided';
    this.add(vscode.window.onDidChangeVisibleTextEditors(() => this.update()));
    this.add(vscode.window.onDidChangeActiveTextEditor(() => this.update()));
    this.add(vscode.window.onDidChangeTextEditorSelection((event) => this.followCursor(event.textEditor)));
    this.add(services.proposals.onDidChange(() => this.update()));
    this.update();
  }

  /** Opens the diff at a hunk; the same preview tab is used for all hunks of a file. */
  async open(view: ProposalView, hunk: HunkView): Promise<void> {
    this.current = { proposal: view.proposal.id, hunk: hunk.number };
    const left = sideUri(schemes.base, view.proposal.id, hunk.file);
    const right = sideUri(schemes.proposed, view.proposal.id, hunk.file);
    const { start, end } = proposedRange(hunk, view.hunks);
    const selection = new vscode.Range(start - 1, 0, start - 1, 0);
    await vscode.commands.executeCommand('vscode.diff', left, right, `${hunk.file} (${view.proposal.title})`, {
      preview: true,
      selection,
    });
    const editor = vscode.window.visibleTextEditors.find((one) => one.document.uri.toString() === right.toString());
    if (editor) {
      editor.selection = new vscode.Selection(selection.start, selection.start);
      editor.revealRange(
        new vscode.Range(start - 1, 0, end - 1, 0),
        vscode.TextEditorRevealType.InCenterIfOutsideViewport,
      );
    }
    this.current = { proposal: view.proposal.id, hunk: hunk.number };
    this.update();
  }

  /** Opens the next undecided hunk. False when all are decided. */
  async move(direction: 1 | -1): Promise<boolean> {
    const view = this.proposal(undefined);
    const next = view && nextUndecided(view.hunks, this.current?.hunk ?? null, direction);
    if (!view || !next) return false;
    await this.open(view, next);
    return true;
  }

  /** The proposal a command is about: of the node, of the open review, of the selected row, or the only one. */
  proposal(node: FromTree): ProposalView | undefined {
    const target = this.targetOf(node);
    if (target && 'proposal' in target) return this.services.proposals.proposal(target.proposal);
    const all = this.services.proposals.proposals ?? [];
    const open = all.filter((view) => !view.review.appliedAt);
    return open.length === 1 ? open[0] : undefined;
  }

  /** The hunk a command is about. */
  hunk(node: FromTree): { view: ProposalView; hunk: HunkView } | undefined {
    const target = this.targetOf(node);
    if (target?.kind !== 'hunk') return undefined;
    const view = this.services.proposals.proposal(target.proposal);
    const hunk = view?.hunks.find((one) => one.number === target.hunk);
    return view && hunk && { view, hunk };
  }

  /** Hunks of the decision a command is about. */
  decision(node: FromTree): { view: ProposalView; hunks: HunkView[] } | undefined {
    const target = this.targetOf(node);
    if (target?.kind !== 'hunk' && target?.kind !== 'decision') return undefined;
    const view = this.services.proposals.proposal(target.proposal);
    return view && { view, hunks: view.hunks.filter((hunk) => hunk.decision === target.decision) };
  }

  private targetOf(node: FromTree) {
    if (node?.target) return node.target;
    const open = this.openHunk();
    if (open) return open;
    return this.selectedNode()?.target;
  }

  private openHunk() {
    if (!this.current || !this.reviewEditor()) return undefined;
    const { proposal, hunk: number } = this.current;
    const hunk = this.services.proposals.hunk({ proposal, hunk: number });
    return hunk && { kind: 'hunk' as const, proposal, decision: hunk.decision, file: hunk.file, hunk: number };
  }

  private reviewEditor(): vscode.TextEditor | undefined {
    const isReview = (editor: vscode.TextEditor) => editor.document.uri.scheme === schemes.proposed;
    const { activeTextEditor: active, visibleTextEditors: visible } = vscode.window;
    return active && isReview(active) ? active : visible.find(isReview);
  }

  private followCursor(editor: vscode.TextEditor): void {
    if (editor.document.uri.scheme !== schemes.proposed) return;
    const { proposal, file } = sideOf(editor.document.uri);
    const view = this.services.proposals.proposal(proposal);
    const hunk = view && hunkAtLine(view.hunks, file, editor.selection.active.line + 1);
    if (!hunk) return;
    this.current = { proposal, hunk: hunk.number };
    this.update();
  }

  private update(): void {
    const editor = this.reviewEditor();
    setContext('harnessmith.reviewing', editor !== undefined);
    const view = editor && this.services.proposals.proposal(sideOf(editor.document.uri).proposal);
    if (!view) {
      setContext('harnessmith.undecided', 0);
      this.status.hide();
      return;
    }
    const words = reviewStatus(view, this.current?.proposal === view.proposal.id ? this.current.hunk : null);
    setContext('harnessmith.undecided', view.hunks.filter((hunk) => hunk.state === 'open').length);
    this.status.text = `$(diff) ${words}`;
    this.status.tooltip = `${view.proposal.title}: ${words}. Click for the next undecided hunk.`;
    this.status.show();
  }
}
