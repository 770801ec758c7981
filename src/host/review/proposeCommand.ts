import * as vscode from 'vscode';
import { InputError } from '../../core/errors';
import { registerCommand, runCommand, trusted, withProgress } from '../commands';
import { DisposableStore } from '../disposable';
import { UnitFinder } from '../handbook/anchors';
import { mapOf } from '../handbook/mapOf';
import { unitOf } from '../handbook/unitPick';
import { relativeTo } from '../harness/harnessChoice';
import type { FromTree } from '../ids';
import { modelInForce } from '../models/modelKeys';
import type { Services } from '../services';
import { count } from '../traces/words';
import type { NodeTree } from '../tree/nodeTree';
import type { NodeTarget } from '../tree/treeNode';
import type { ProposalSubject, Result } from '../work/methods';
import { ContextDocument } from './contextDocument';
import { unsavedFiles } from './unsavedFiles';

/** Asks the configured model for a change: for a flaw, a unit, selected lines, in the person's own words, or a revision. */
export function registerProposeCommands(services: Services, tree: NodeTree): DisposableStore {
  const store = new DisposableStore();
  const shown = store.add(new ContextDocument());
  const make = async (subject: ProposalSubject | undefined, howMany = 1) => {
    if (!subject) return;
    const made = await ask(services, shown, subject, howMany);
    if (made) await report(services, tree, made);
  };
  store.add(
    registerCommand('harnessmith.propose', services.log, async (node) => {
      if (trusted('Proposing a change')) await make(await subjectOf(services, node));
    }),
  );
  store.add(
    registerCommand('harnessmith.proposeSeveral', services.log, async (node) => {
      if (!trusted('Proposing a change')) return;
      const subject = await subjectOf(services, node);
      const picked =
        subject && (await vscode.window.showQuickPick(['2', '3', '5'], { title: 'How many different ones?' }));
      if (picked) await make(subject, Number(picked));
    }),
  );
  store.add(
    registerCommand('harnessmith.askForChange', services.log, async () => {
      if (trusted('Proposing a change')) await make(await selectionSubject(services));
    }),
  );
  store.add(
    registerCommand('harnessmith.proposeFromChat', services.log, async (subject) => {
      if (trusted('Proposing a change')) await make(subject);
    }),
  );
  store.add(
    registerCommand('harnessmith.reviseHunk', services.log, async (node) => {
      if (!trusted('Revising a proposal')) return;
      const given = commentOf(node);
      const target = targetOf(node);
      if (target?.kind !== 'hunk' && target?.kind !== 'proposal') {
        throw new InputError('It is not clear which hunk is meant.', {
          code: 'nothing-chosen',
          nextStep: 'Use the comment under a hunk, or its row in the Proposals view.',
        });
      }
      const comment = given ?? (await askWords('Ask for a change of this proposal', 'What should be different?'));
      const hunks = target.kind === 'hunk' ? [target.hunk] : [];
      if (comment?.trim()) await make({ kind: 'revision', proposal: target.proposal, hunks, comment });
    }),
  );
  return store;
}

/** Shows what is sent, asks once, and sends it. Answers from a file are not asked about: nothing leaves the machine. */
async function ask(
  services: Services,
  shown: ContextDocument,
  subject: ProposalSubject,
  howMany: number,
): Promise<Result<'propose'> | undefined> {
  const root = services.harness.root;
  if (!root) return undefined;
  const model = await modelInForce(services);
  const params = { root, subject, model, count: howMany, unsaved: unsavedFiles(root) };
  const context = await withProgress('Collecting what the model needs', (progress, signal) =>
    services.work.call('proposalContext', params, { progress, signal }),
  );
  if (!context.sendsNothing && !(await shown.confirm(context))) return undefined;
  return withProgress('Proposing a change', (progress, signal) =>
    services.work.call('propose', params, { progress, signal }),
  );
}

async function report(services: Services, tree: NodeTree, made: Result<'propose'>): Promise<void> {
  await services.proposals.refresh();
  services.log.info(`Proposing used ${made.spent}`);
  const [first] = made.proposals;
  if (!first) {
    void vscode.window.showInformationMessage(`The model proposes no change: ${made.noChange ?? ''} (${made.spent})`);
    return;
  }
  if (tree.view.visible) await tree.reveal([`proposal:${first.id}`]);
  const hunks = services.proposals.proposal(first.id)?.hunks.length ?? 0;
  const facts = `${first.title}: ${count(first.decisions.length, 'decision')}, ${count(hunks, 'hunk')}`;
  const more = made.proposals.length > 1 ? ` And ${count(made.proposals.length - 1, 'further proposal')}.` : '';
  const words = `${facts}. ${made.spent}.${more}`;
  const chosen = await vscode.window.showInformationMessage(words, 'Review');
  if (chosen) await runCommand('harnessmith.reviewProposal', { target: { kind: 'proposal', proposal: first.id } });
}

async function subjectOf(services: Services, node: FromTree): Promise<ProposalSubject | undefined> {
  const map = await mapOf(services);
  const target = node?.target;
  if (target?.kind === 'flaw') return { kind: 'flaw', flaw: target.flaw };
  const id = unitOf(node);
  const unit = id === undefined ? undefined : UnitFinder.of(map).unit(id);
  const title = unit ? `Propose a change of ${unit.title}` : 'Propose a change';
  const request = (await askWords(title, 'What should the harness do differently?'))?.trim();
  if (!request) return undefined;
  return unit ? { kind: 'unit', unit: unit.id, request } : { kind: 'request', request };
}

async function selectionSubject(services: Services): Promise<ProposalSubject | undefined> {
  await mapOf(services);
  const editor = vscode.window.activeTextEditor;
  const root = services.harness.root;
  const file = editor && root && editor.document.uri.scheme === 'file' && relativeTo(root, editor.document.uri.fsPath);
  if (!editor || !file) {
    throw new InputError('No file of the harness is open.', {
      code: 'no-selection',
      nextStep: 'Open one, select the lines that should change, and run the command again.',
    });
  }
  const { start, end } = editor.selection;
  const request = (await askWords('Ask for a change of these lines', 'What should they do differently?'))?.trim();
  return request ? { kind: 'selection', file, start: start.line + 1, end: end.line + 1, request } : undefined;
}

/** The hunk of a row, of a comment thread, or of a reply in one. */
function targetOf(node: FromTree): NodeTarget | undefined {
  if (!node) return undefined;
  if ('thread' in node) return (node.thread as FromTree)?.target;
  return node.target;
}

/** The words of a reply under a hunk, when the command came from there. */
function commentOf(node: FromTree): string | undefined {
  return node && 'text' in node && typeof node.text === 'string' ? node.text : undefined;
}

function askWords(title: string, prompt: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt,
    placeHolder: 'tell the model when its output was cut',
    ignoreFocusOut: true,
  });
}
