import * as vscode from 'vscode';
import type { EvidenceRef } from '../../core/proposals/model';
import { commandLink } from '../commandLink';
import { setting, settingScope } from '../commands';
import { DisposableStore } from '../disposable';
import { type CommandId, schemes } from '../ids';
import type { Services } from '../services';
import type { HunkView, ProposalView } from '../work/methods';
import { plainMarkdown } from './plainMarkdown';
import { stateWords } from './proposalTree';
import { sideOf } from './reviewFiles';
import { proposedRange } from './reviewOrder';

/** A thread with the hunk it is about; the accept and reject buttons of the thread get it as their argument. */
interface HunkThread extends vscode.CommentThread {
  target: { kind: 'hunk'; proposal: string; decision: string; file: string; hunk: number };
}

/** One comment thread a hunk on the right side: why, evidence, and the buttons to decide. */
export function registerReviewComments(services: Services): DisposableStore {
  const store = new DisposableStore();
  const controller = store.add(vscode.comments.createCommentController('harnessmith.review', 'Harnessmith review'));
  controller.options = { placeHolder: 'Say what should be different', prompt: 'Ask the model for a change' };
  const threads = new Map<string, HunkThread>();
  const update = () => {
    const wanted = new Set<string>();
    if (setting('review.comments', settingScope(services.harness))) {
      for (const editor of vscode.window.visibleTextEditors) {
        if (editor.document.uri.scheme !== schemes.proposed) continue;
        const { proposal, file } = sideOf(editor.document.uri);
        const view = services.proposals.proposal(proposal);
        for (const hunk of view?.hunks.filter((one) => one.file === file) ?? []) {
          wanted.add(show(controller, threads, view!, hunk, editor.document.uri));
        }
      }
    }
    for (const [key, thread] of threads) {
      if (wanted.has(key)) continue;
      thread.dispose();
      threads.delete(key);
    }
  };
  store.add(vscode.window.onDidChangeVisibleTextEditors(update));
  store.add(services.proposals.onDidChange(update));
  store.add({
    dispose: () => {
      for (const thread of threads.values()) thread.dispose();
    },
  });
  return store;
}

function show(
  controller: vscode.CommentController,
  threads: Map<string, HunkThread>,
  view: ProposalView,
  hunk: HunkView,
  uri: vscode.Uri,
): string {
  const key = `${view.proposal.id}/${hunk.number}`;
  let thread = threads.get(key);
  if (!thread) {
    const { start, end } = proposedRange(hunk, view.hunks);
    const range = new vscode.Range(start - 1, 0, end - 1, 0);
    thread = controller.createCommentThread(uri, range, [commentOf(view, hunk)]) as HunkThread;
    thread.canReply = vscode.workspace.isTrusted;
    const { id: proposal } = view.proposal;
    thread.target = { kind: 'hunk', proposal, decision: hunk.decision, file: hunk.file, hunk: hunk.number };
    threads.set(key, thread);
  }
  const position = view.hunks.indexOf(hunk) + 1;
  thread.label = `Hunk ${position} of ${view.hunks.length}: ${stateWords[hunk.state]}`;
  thread.contextValue = hunk.state;
  thread.collapsibleState = stateOf(hunk);
  return key;
}

/** What is decided is folded away, and can be unfolded. */
function stateOf(hunk: HunkView): vscode.CommentThreadCollapsibleState {
  const { Expanded, Collapsed } = vscode.CommentThreadCollapsibleState;
  return hunk.state === 'open' ? Expanded : Collapsed;
}

/** The rationale is the model's text: it is escaped, so that it cannot bring links or commands of its own. */
function commentOf(view: ProposalView, hunk: HunkView): vscode.Comment {
  const decision = view.proposal.decisions.find((one) => one.id === hunk.decision);
  const body = new vscode.MarkdownString();
  const allowed: CommandId[] = ['harnessmith.openTrace', 'harnessmith.openSite', 'harnessmith.openUnitPage'];
  body.isTrusted = { enabledCommands: allowed };
  body.appendMarkdown(plainMarkdown(decision ? `${decision.title}\n${decision.rationale}` : 'No reason was given.'));
  const evidence = decision?.evidence ?? [];
  body.appendMarkdown(evidence.length ? '\n\nEvidence: ' : '\n\nUnverified: no evidence was given.');
  evidence.forEach((item, index) => {
    if (index > 0) body.appendMarkdown(', ');
    appendEvidence(body, item);
  });
  return { author: { name: 'Harnessmith' }, body, mode: vscode.CommentMode.Preview };
}

function appendEvidence(body: vscode.MarkdownString, evidence: EvidenceRef): void {
  const link = (words: string, command: CommandId, ...args: unknown[]) =>
    body.appendMarkdown(`[${words}](${commandLink(command, ...args)})`);
  switch (evidence.kind) {
    case 'step':
      return void link(`step ${evidence.step}`, 'harnessmith.openTrace', { run: evidence.run, step: evidence.step });
    case 'unit':
      return void link('handbook unit', 'harnessmith.openUnitPage', evidence.unit);
    case 'site':
      return void link(placeWords(evidence), 'harnessmith.openSite', {
        file: evidence.file,
        start: evidence.start,
        end: evidence.end,
      });
    case 'flaw':
      return void body.appendMarkdown(plainMarkdown(`flaw ${evidence.flaw}`));
  }
}

function placeWords({ file, start, end }: { file: string; start: number; end: number }): string {
  return plainMarkdown(`${file}, ${start === end ? `line ${start}` : `lines ${start} to ${end}`}`);
}
