import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeText } from '../../../src/core/proposals';
import { HarnessService } from '../../../src/host/harness/harnessService';
import { chooseModel, secretName } from '../../../src/host/models/modelChoice';
import { ProposalService } from '../../../src/host/review/proposalService';
import {
  applyQuestion,
  hunkAtLine,
  nextUndecided,
  proposedRange,
  reviewStatus,
} from '../../../src/host/review/reviewOrder';
import { FakeLog, FakeWork, hunkOf, mapOf, proposalOf } from './fakes';

describe('moving through hunks', () => {
  const hunks = [hunkOf(1, { state: 'accepted' }), hunkOf(2), hunkOf(3, { state: 'rejected' }), hunkOf(4)];

  it('finds the next and previous undecided one, going round', () => {
    expect(nextUndecided(hunks, null, 1)?.number).toBe(2);
    expect(nextUndecided(hunks, 2, 1)?.number).toBe(4);
    expect(nextUndecided(hunks, 4, 1)?.number).toBe(2);
    expect(nextUndecided(hunks, 4, -1)?.number).toBe(2);
    expect(nextUndecided(hunks, 2, -1)?.number).toBe(4);
    expect(nextUndecided([hunks[0]!], 1, 1)).toBeUndefined();
  });

  it('says which hunk of how many, and how many are undecided', () => {
    expect(reviewStatus(proposalOf(hunks), 2)).toBe('hunk 2 of 4, 2 undecided');
    expect(reviewStatus(proposalOf(hunks), null)).toBe('4 hunks, 2 undecided');
    expect(reviewStatus(proposalOf([hunkOf(1, { state: 'applied' })]), 1)).toBe('hunk 1 of 1, all decided');
  });

  it('knows the hunk around or nearest to a line of the right side', () => {
    expect(hunkAtLine(hunks, 'src/parser.ts', 1)?.number).toBe(1);
    expect(hunkAtLine(hunks, 'src/parser.ts', 21)?.number).toBe(2);
    expect(hunkAtLine(hunks, 'src/parser.ts', 900)?.number).toBe(4);
    expect(hunkAtLine(hunks, 'other.ts', 1)).toBeUndefined();
  });

  it('finds every added line at the place it says, for any set of hunks', () => {
    const change = fc.record({
      gap: fc.integer({ min: 1, max: 4 }),
      removed: fc.integer({ min: 0, max: 3 }),
      added: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const base: string[] = [];
        const made = changes.map(({ gap, removed, added }, index) => {
          for (let n = 0; n < gap; n++) base.push(`keep ${index}.${n}`);
          const old = Array.from({ length: removed }, (_, n) => `old ${index}.${n}`);
          const fresh = Array.from({ length: added }, (_, n) => `new ${index}.${n}`);
          const text = (lines: string[]) => lines.map((line) => `${line}\n`).join('');
          const baseStart = base.length + 1;
          base.push(...old);
          return hunkOf(index + 1, { baseStart, removed: old, added: fresh, oldText: text(old), newText: text(fresh) });
        });
        base.push('end');
        const right = composeText(
          `${base.join('\n')}\n`,
          made,
          made.map((hunk) => hunk.number),
        ).split('\n');
        for (const hunk of made) {
          const { start, end } = proposedRange(hunk, made);
          if (hunk.added.length > 0) expect(right.slice(start - 1, end)).toEqual(hunk.added);
        }
      }),
    );
  });
});

describe('the question before applying', () => {
  it('names what is written where, and is absent when nothing is accepted', () => {
    const view = proposalOf([
      hunkOf(1, { state: 'accepted' }),
      hunkOf(2, { state: 'accepted', file: 'b.md' }),
      hunkOf(3),
    ]);
    expect(applyQuestion(view, 'branch', 'harnessmith/p-1')).toBe(
      'Write 2 of 3 hunks in 2 files on branch harnessmith/p-1?',
    );
    expect(applyQuestion(view, 'workingTree', 'x')).toBe('Write 2 of 3 hunks in 2 files into your working tree?');
    expect(applyQuestion(proposalOf([hunkOf(1)]), 'branch', 'x')).toBeNull();
  });
});

describe('the proposal service', () => {
  async function service() {
    const decided: unknown[] = [];
    let state: 'open' | 'accepted' | 'rejected' = 'open';
    const work = new FakeWork({
      openHarness: ({ root }) => ({ root, name: 'h', configFile: null, suites: [], model: null, applyTo: 'branch' }),
      buildHandbook: () => ({ map: mapOf(), fingerprint: 'f-1', seconds: 0, parsed: 0, files: 0 }),
      listProposals: () => [proposalOf([hunkOf(1, { state })])],
      decideHunks: (params) => {
        decided.push(params);
        state = params.state;
        return null;
      },
    });
    const log = new FakeLog();
    const host = {
      folders: async () => [{ root: '/h', name: 'h', configured: true }],
      remembered: () => undefined,
      remember: () => {},
      withProgress: <T>(_title: string, task: (report: () => void, signal: AbortSignal) => Promise<T>) =>
        task(() => {}, new AbortController().signal),
    };
    const proposals = new ProposalService(work, new HarnessService(work, host, log), log, 'ada', () => true);
    await proposals.ensure();
    return { proposals, decided };
  }

  it('records who decided and reads the states back', async () => {
    const { proposals, decided } = await service();
    let changes = 0;
    proposals.onDidChange(() => changes++);
    await proposals.decide('p-00c0ffee', [1], 'accepted', 'good');
    expect(decided).toEqual([
      { root: '/h', proposal: 'p-00c0ffee', hunks: [1], state: 'accepted', by: 'ada', reason: 'good' },
    ]);
    expect(proposals.hunk({ proposal: 'p-00c0ffee', hunk: 1 })?.state).toBe('accepted');
    expect(changes).toBe(1);
  });

  it('does nothing for no hunks', async () => {
    const { proposals, decided } = await service();
    await proposals.decide('p-00c0ffee', [], 'accepted');
    expect(decided).toEqual([]);
  });
});

describe('the choice of the model', () => {
  const settings = {
    'model.provider': 'harness' as const,
    'model.name': '',
    'model.baseUrl': '',
    'model.answers': '',
    'model.maxOutputTokens': 8000,
    'model.timeoutSeconds': 120,
  };
  const fromHarness = { provider: 'anthropic' as const, model: 'm', timeoutSeconds: 60, maxOutputTokens: 4000 };

  it('takes what the harness says, and a model of the editor when it says nothing', () => {
    expect(chooseModel(settings, fromHarness)).toEqual(fromHarness);
    expect(chooseModel(settings, null)).toMatchObject({ provider: 'vscode', model: '' });
  });

  it('lets the settings of the person win', () => {
    expect(chooseModel({ ...settings, 'model.name': 'other' }, fromHarness).model).toBe('other');
    const own = chooseModel(
      { ...settings, 'model.provider': 'openai-compatible', 'model.baseUrl': 'http://127.0.0.1:1/v1' },
      fromHarness,
    );
    expect(own).toMatchObject({ provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1', model: '' });
  });
});

describe('the name of a stored key', () => {
  it('is another one for every address, so that no address gets a key of another', () => {
    const name = (baseUrl?: string) => secretName('openai-compatible', baseUrl);
    const names = [name(), name('http://127.0.0.1:8080/v1'), name('https://elsewhere.example/v1'), name('no address')];
    expect(new Set(names).size).toBe(4);
    expect(name('https://elsewhere.example/v2')).toBe(name('https://elsewhere.example/v1'));
    expect(secretName('anthropic', undefined)).not.toBe(name());
  });
});
