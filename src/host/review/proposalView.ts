import { registerCommand, setContext, showError } from '../commands';
import { DisposableStore } from '../disposable';
import { viewIds } from '../ids';
import type { HostContribution, Services } from '../services';
import { NodeTree } from '../tree/nodeTree';
import type { TreeNode } from '../tree/treeNode';
import { registerApplyCommands } from './applyCommand';
import { registerExchangeCommands } from './exchangeCommands';
import { hunksOfRow, proposalTree } from './proposalTree';
import { registerProposeCommands } from './proposeCommand';
import { registerReviewCommands } from './reviewCommands';
import { registerReviewComments } from './reviewComments';
import { registerReviewFiles } from './reviewFiles';
import { ReviewSession } from './reviewSession';

/** A tick accepts the hunks of a row, and taking it away makes them undecided again. */
function decideByCheckbox(services: Services, changes: readonly { node: TreeNode; checked: boolean }[]): void {
  const work = async () => {
    for (const { node, checked } of changes) {
      const { target } = node;
      if (!target || !('proposal' in target)) continue;
      const hunks = hunksOfRow(services.proposals.proposal(target.proposal)?.hunks ?? [], target);
      await services.proposals.decide(target.proposal, hunks, checked ? 'accepted' : 'open');
    }
  };
  work().catch((error: unknown) => showError(error, services.log, 'Deciding'));
}

/** The Proposals view: what was proposed, what was decided, what is suspected. */
export const proposalsContribution: HostContribution = {
  name: 'proposals',
  activate(services: Services) {
    const store = new DisposableStore();
    const load = async () => {
      try {
        await services.proposals.ensure();
        await services.traces.ensure();
      } catch (error) {
        services.log.error('The proposals could not be loaded', error);
      }
    };
    const roots = () => {
      const { proposals } = services.proposals;
      return proposals ? proposalTree(proposals, services.traces.diagnosis.flaws) : [];
    };
    const tree = store.add(new NodeTree(viewIds.proposals, roots, () => void load()));
    store.add(tree.onDidCheck((changes) => decideByCheckbox(services, changes)));
    const show = () => {
      const { proposals } = services.proposals;
      const shown = (proposals?.length ?? 0) + services.traces.diagnosis.flaws.length;
      setContext('harnessmith.proposals', proposals ? (shown ? 'some' : 'empty') : 'loading');
      const open = proposals?.flatMap((view) => view.hunks).filter((hunk) => hunk.state === 'open').length ?? 0;
      tree.view.badge = open ? { value: open, tooltip: `${open} hunks undecided` } : undefined;
      tree.refresh();
    };
    store.add(services.proposals.onDidChange(show));
    store.add(services.traces.onDidChange(show));
    store.add(
      registerCommand('harnessmith.refreshProposals', services.log, async () => {
        await services.harness.ensure();
        await services.proposals.refresh();
      }),
    );
    const session = store.add(new ReviewSession(services, () => tree.view.selection[0]));
    store.add(registerReviewFiles(services));
    store.add(registerReviewComments(services));
    store.add(registerReviewCommands(services, session));
    store.add(registerApplyCommands(services, session));
    store.add(registerExchangeCommands(services, session));
    store.add(registerProposeCommands(services, tree));
    show();
    return store;
  },
};
