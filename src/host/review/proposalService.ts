import { InputError } from '../../core/errors';
import type { Proposal } from '../../core/proposals/model';
import { Emitter } from '../disposable';
import type { HarnessService } from '../harness/harnessService';
import type { Log } from '../log';
import type { HunkView, Params, ProposalView, Result } from '../work/methods';
import type { Work } from '../work/workClient';

export interface HunkKey {
  proposal: string;
  hunk: number;
}

/** Whether files of the harness may be written; a person is told when not. `what` begins the message. */
export type MayWrite = (what: string) => boolean;

/** The proposals of the harness and the decisions on their hunks. Everything is stored on disk by the worker. */
export class ProposalService {
  private loaded: { root: string; proposals: ProposalView[] } | null = null;
  private readonly changes = new Emitter<void>((error) =>
    this.log.error('A view could not follow the proposals', error),
  );
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly work: Work,
    private readonly harness: HarnessService,
    private readonly log: Log,
    private readonly person: string,
    private readonly mayWrite: MayWrite,
    /** Texts that stand unsaved in editors, by path relative to the root. */
    private readonly unsaved: (root: string) => Record<string, string> = () => ({}),
  ) {}

  /** Null until loaded. */
  get proposals(): ProposalView[] | null {
    return this.loaded && this.loaded.root === this.harness.root ? this.loaded.proposals : null;
  }

  proposal(id: string): ProposalView | undefined {
    return this.proposals?.find((view) => view.proposal.id === id);
  }

  hunk(key: HunkKey): HunkView | undefined {
    return this.proposal(key.proposal)?.hunks.find((hunk) => hunk.number === key.hunk);
  }

  async ensure(): Promise<void> {
    await this.harness.ensure();
    if (!this.proposals) await this.refresh();
  }

  /** Reads all proposals again, with fresh stale checks. */
  async refresh(): Promise<void> {
    const root = this.harness.root;
    if (!root) return;
    try {
      const unsaved = this.unsaved(root);
      this.loaded = { root, proposals: await this.work.call('listProposals', { root, unsaved }) };
    } finally {
      this.changes.fire();
    }
  }

  /** Records a decision on hunks and reads the states back. Does nothing where files may not be written. */
  async decide(
    proposal: string,
    hunks: number[],
    state: 'accepted' | 'rejected' | 'open',
    reason?: string,
  ): Promise<void> {
    const root = this.harness.root;
    if (!root || hunks.length === 0 || !this.mayWrite('Deciding on a hunk')) return;
    await this.work.call('decideHunks', { root, proposal, hunks, state, by: this.person, reason });
    await this.refresh();
  }

  /** Base and proposed text of a file; null where the file does not exist on that side. */
  texts(proposal: string, file: string): Promise<{ base: string | null; proposed: string | null }> {
    const root = this.harness.root;
    if (!root) return Promise.resolve({ base: null, proposed: null });
    return this.work.call('proposalTexts', { root, proposal, file });
  }

  /** Keeps what the person typed on the right side; the user's files stay as they are. False where it may not. */
  async saveEdited(proposal: string, file: string, text: string): Promise<boolean> {
    const root = this.harness.root;
    if (!root || !this.mayWrite('Editing a proposal')) return false;
    await this.work.call('saveEdited', { root, proposal, file, text });
    await this.refresh();
    return true;
  }

  /** Writes the accepted hunks to the target. Returns where they went. */
  async apply(proposal: string, target: 'branch' | 'workingTree'): Promise<Result<'applyProposal'>> {
    const root = this.harness.root;
    if (!root) throw new Error('There is no harness to apply to.');
    if (!this.mayWrite('Applying a proposal')) {
      throw new InputError('The folder is not trusted.', {
        code: 'not-trusted',
        nextStep: 'Trust it, then apply again.',
      });
    }
    const applied = await this.work.call('applyProposal', { root, proposal, target, by: this.person });
    await this.refresh();
    return applied;
  }

  /** Enters what the editor wrote itself. */
  async recordApplied(proposal: string, hunks: number[], files: Params<'recordApply'>['files']): Promise<void> {
    const root = this.harness.root;
    if (!root) return;
    await this.work.call('recordApply', { root, proposal, hunks, files, by: this.person });
    await this.refresh();
  }

  /** Takes the last apply of a proposal back, as a whole. Returns the files that were restored; none for a branch. */
  async undo(proposal: string): Promise<Result<'undoProposal'>> {
    const root = this.harness.root;
    if (!root || !this.mayWrite('Taking a proposal back')) return { files: [] };
    try {
      return await this.work.call('undoProposal', { root, proposal, by: this.person });
    } finally {
      await this.refresh();
    }
  }

  /** Makes a proposal of a patch file or a branch. */
  async import(from: 'file' | 'branch', source: string): Promise<Proposal> {
    const root = this.harness.root ?? '';
    const proposal = await this.work.call('importProposal', { root, from, source, by: this.person });
    await this.refresh();
    return proposal;
  }
}
