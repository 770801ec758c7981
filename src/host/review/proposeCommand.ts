import * as vscode from 'vscode';
import { registerCommand, runCommand, trusted, withProgress } from '../commands';
import type { DisposableLike } from '../disposable';
import { UnitFinder } from '../handbook/anchors';
import { mapOf } from '../handbook/mapOf';
import { unitOf } from '../handbook/unitPick';
import type { FromTree } from '../ids';
import { modelInForce } from '../models/modelKeys';
import type { Services } from '../services';
import { count } from '../traces/words';
import type { NodeTree } from '../tree/nodeTree';

/** Asks the configured model for a change: for a suspected flaw, for a unit, or in the person's own words. */
export function registerProposeCommand(services: Services, tree: NodeTree): DisposableLike {
  return registerCommand('harnessmith.propose', services.log, async (node) => {
    if (!trusted('Proposing a change')) return;
    const map = await mapOf(services);
    const flaw = flawOf(services, node);
    const id = unitOf(node);
    const unit = id === undefined ? undefined : UnitFinder.of(map).unit(id);
    const request = flaw ? flaw.title : await askRequest(unit?.title);
    const root = services.harness.root;
    if (!request?.trim() || !root) return;
    const model = await modelInForce(services);
    const proposal = await withProgress('Proposing a change', (progress, signal) =>
      services.work.call('propose', { root, flaw: flaw?.id ?? null, request, model }, { progress, signal }),
    );
    await services.proposals.refresh();
    if (tree.view.visible) await tree.reveal([`proposal:${proposal.id}`]);
    const hunks = services.proposals.proposal(proposal.id)?.hunks.length ?? 0;
    const words = `${proposal.title}: ${count(proposal.decisions.length, 'decision')}, ${count(hunks, 'hunk')}.`;
    const chosen = await vscode.window.showInformationMessage(words, 'Review');
    if (chosen) await runCommand('harnessmith.reviewProposal', { target: { kind: 'proposal', proposal: proposal.id } });
  });
}

function flawOf(services: Services, node: FromTree) {
  const target = node?.target;
  if (target?.kind !== 'flaw') return undefined;
  return services.traces.diagnosis.flaws.find((flaw) => flaw.id === target.flaw);
}

function askRequest(unit: string | undefined): Thenable<string | undefined> {
  const start = unit ? `In ${unit}: ` : '';
  return vscode.window.showInputBox({
    title: 'Propose a change',
    prompt: 'What should the harness do differently?',
    placeHolder: 'tell the model when its output was cut',
    value: start,
    valueSelection: [start.length, start.length],
    ignoreFocusOut: true,
  });
}
