import { describe, expect, it } from 'vitest';
import { InputError } from '../../../src/core/errors';
import type { TraceRun } from '../../../src/core/traces';
import type { HarnessService } from '../../../src/host/harness/harnessService';
import { ProposalService } from '../../../src/host/review/proposalService';
import { CompareSession } from '../../../src/host/traces/compareSession';
import type { ToTracePage } from '../../../webview/shared/traceProtocol';
import { FakeLog, FakeWork, hunkOf, proposalOf, runOf } from './fakes';

const view = proposalOf([hunkOf(1)]);
const { id } = view.proposal;

function service(
  answers: ConstructorParameters<typeof FakeWork>[0],
  over: { root?: string | null; may?: boolean } = {},
) {
  const work = new FakeWork({ listProposals: () => [view], ...answers });
  const harness = { root: '/h' as string | null, ensure: async () => undefined, ...over };
  const asked: string[] = [];
  const mayWrite = (what: string) => {
    asked.push(what);
    return over.may ?? true;
  };
  const unsaved = (root: string) => ({ 'a.ts': `unsaved in ${root}` });
  const proposals = new ProposalService(work, harness as HarnessService, new FakeLog(), 'ada', mayWrite, unsaved);
  let changes = 0;
  proposals.onDidChange(() => changes++);
  return { proposals, work, harness, asked, changes: () => changes };
}

describe('proposals where nothing may be written', () => {
  it('are read, and every way to write ends before the worker with a word to the person', async () => {
    const { proposals, work, asked } = service({}, { may: false });
    await proposals.ensure();
    await proposals.decide(id, [1], 'accepted');
    expect(await proposals.saveEdited(id, 'a.ts', 'x')).toBe(false);
    expect(await proposals.undo(id)).toEqual({ files: [] });
    await expect(proposals.apply(id, 'workingTree')).rejects.toMatchObject({ code: 'not-trusted' });
    expect(work.calls).toEqual(['listProposals']);
    expect(asked).toHaveLength(4);
    expect(proposals.hunk({ proposal: id, hunk: 1 })?.state).toBe('open');
  });

  it('without a harness are none, and ask the worker for nothing', async () => {
    const { proposals, work } = service({}, { root: null });
    await proposals.ensure();
    expect(proposals.proposals).toBeNull();
    expect(await proposals.texts(id, 'a.ts')).toEqual({ base: null, proposed: null });
    await proposals.recordApplied(id, [1], []);
    await expect(proposals.apply(id, 'branch')).rejects.toThrow('no harness');
    expect(work.calls).toEqual([]);
  });
});

describe('the proposals of a harness', () => {
  it('are not shown for another one', async () => {
    const { proposals, harness, work } = service({});
    await proposals.ensure();
    expect(proposals.proposal(id)).toBe(view);
    harness.root = '/other';
    expect([proposals.proposals, proposals.proposal(id)]).toEqual([null, undefined]);
    await proposals.ensure();
    await proposals.ensure();
    expect(work.calls).toEqual(['listProposals', 'listProposals']);
  });

  it('are checked against what stands unsaved in the editor', async () => {
    const seen: unknown[] = [];
    const { proposals } = service({
      listProposals: (params) => {
        seen.push(params);
        return [view];
      },
    });
    await proposals.refresh();
    expect(seen).toEqual([{ root: '/h', unsaved: { 'a.ts': 'unsaved in /h' } }]);
  });

  it('keep what was read when a later read fails, and views hear of it', async () => {
    const { proposals, work, changes } = service({});
    await proposals.ensure();
    work.answer('listProposals', () => {
      throw new InputError('torn', { code: 'x', nextStep: '' });
    });
    await expect(proposals.refresh()).rejects.toThrow('torn');
    expect([proposals.proposals, changes()]).toEqual([[view], 2]);
  });

  it('are read again after taking back failed half way, since files may have changed', async () => {
    const { proposals, work } = service({
      undoProposal: () => {
        throw new InputError('changed since', { code: 'x', nextStep: '' });
      },
    });
    await expect(proposals.undo(id)).rejects.toThrow('changed since');
    expect(work.calls).toEqual(['undoProposal', 'listProposals']);
  });

  it('are applied in the name of the person', async () => {
    const seen: unknown[] = [];
    const { proposals, work } = service({
      applyProposal: ((params: unknown) => {
        seen.push(params);
        return { branch: 'harnessmith/p' };
      }) as never,
    });
    await proposals.apply(id, 'branch');
    expect(seen).toEqual([{ root: '/h', proposal: id, target: 'branch', by: 'ada' }]);
    expect(work.calls.at(-1)).toBe('listProposals');
  });
});

describe('a run beside another', () => {
  const left = runOf({ id: 'left' });
  const right = runOf({ id: 'right', trial: 'x'.repeat(400) });
  const aligned = { pairs: [{ left: 1, right: 1, state: 'same' as const }], sentence: 'Alike.', divergence: null };

  function session(chosen: TraceRun | null, align: () => Promise<typeof aligned> = async () => aligned) {
    const posted: ToTracePage[] = [];
    const closed: string[] = [];
    const work = new FakeWork({
      openRun: () => ({ stepCount: 31 }),
      alignRuns: align,
      closeRun: ({ run }) => {
        closed.push(run);
        return null;
      },
      rows: () => [],
    });
    const compare = new CompareSession({
      work,
      harnessRoot: () => null,
      knownRuns: () => [left, right],
      post: (message) => posted.push(message),
      chooseRun: async () => chosen,
    });
    return { compare, work, posted, closed };
  }

  it('is never the run itself, and one that is not known is not asked for', async () => {
    const { compare, work } = session(left);
    await compare.start(left, null);
    await compare.start(left, 'left');
    await compare.start(left, 'unknown');
    expect([work.calls, compare.run]).toEqual([[], null]);
  });

  it('is named in a title of bounded length, and closed when it is left', async () => {
    const { compare, posted, closed } = session(right);
    await compare.start(left, null);
    const [message] = posted;
    if (message?.type !== 'comparison') throw new Error(message?.type);
    expect([message.head.run, message.head.rightSteps, message.head.rightTitle.length]).toEqual(['right', 31, 200]);
    await compare.leave();
    await compare.leave();
    expect([closed, compare.run]).toEqual([['right'], null]);
  });

  it('that was left while the worker aligned is not shown any more', async () => {
    let finish = (_: typeof aligned) => {};
    const slow = new Promise<typeof aligned>((resolve) => {
      finish = resolve;
    });
    const { compare, posted, work } = session(right, () => slow);
    const started = compare.start(left, 'right');
    while (!work.calls.includes('alignRuns')) await Promise.resolve();
    await compare.leave();
    finish(aligned);
    await started;
    expect(posted).toEqual([]);
    await compare.rows(1, 40);
    expect(work.calls).not.toContain('rows');
  });
});
