import { describe, expect, it } from 'vitest';
import { chatSubject } from '../../../src/host/chat/chatSubject';
import { hunksOfRow, proposalTree } from '../../../src/host/review/proposalTree';
import { findNode } from '../../../src/host/tree/treeNode';
import { hunkOf, proposalOf } from './fakes';

const hunks = [
  hunkOf(1, { decision: 'd1', file: 'a.ts', state: 'accepted' }),
  hunkOf(2, { decision: 'd1', file: 'a.ts', state: 'open' }),
  hunkOf(3, { decision: 'd1', file: 'b.ts', state: 'applied' }),
  hunkOf(4, { decision: 'd2', file: 'a.ts', state: 'conflicting', conflict: { line: 7, text: 'my line\n' } }),
];

describe('boxes of rows', () => {
  it('stand for the hunks below that are not applied', () => {
    const proposal = 'p';
    expect(hunksOfRow(hunks, { kind: 'decision', proposal, decision: 'd1' })).toEqual([1, 2]);
    expect(hunksOfRow(hunks, { kind: 'file', proposal, decision: 'd1', file: 'a.ts' })).toEqual([1, 2]);
    expect(hunksOfRow(hunks, { kind: 'file', proposal, decision: 'd1', file: 'b.ts' })).toEqual([]);
    expect(hunksOfRow(hunks, { kind: 'hunk', proposal, decision: 'd2', file: 'a.ts', hunk: 4 })).toEqual([4]);
    expect(hunksOfRow(hunks, { kind: 'proposal', proposal })).toEqual([]);
  });

  it('are ticked when everything below is accepted, and missing where all is applied', () => {
    const view = proposalOf(hunks);
    const { id } = view.proposal;
    const tree = proposalTree([view], []);
    const checked = (row: string) => findNode(tree, `proposal:${id}/${row}`)?.checked;
    expect(checked('hunk:1')).toBe(true);
    expect(checked('hunk:2')).toBe(false);
    expect(checked('hunk:3')).toBeUndefined();
    expect(checked('d1')).toBe(false);
    expect(checked('d1/b.ts')).toBeUndefined();
  });

  it('say what the person wrote where a hunk conflicts', () => {
    const view = proposalOf(hunks);
    const node = findNode(proposalTree([view], []), `proposal:${view.proposal.id}/hunk:4`);
    expect(node?.description).toContain('conflict: you changed the same lines');
    expect(node?.tooltip).toMatch(/^Your text, line 7:\n {2}my line/);
    expect(node?.context).toBe('hunk.conflicting');
  });
});

describe('a chat message', () => {
  const flaws = [{ id: 'f-1a2b3c4d' }, { id: 'f-1a2b' }];

  it('is about a flaw when its id stands in it as a word', () => {
    expect(chatSubject('repair f-1a2b3c4d gently', flaws)).toEqual({
      kind: 'flaw',
      flaw: 'f-1a2b3c4d',
      request: 'repair gently',
    });
    expect(chatSubject('f-1a2b', flaws)).toEqual({ kind: 'flaw', flaw: 'f-1a2b' });
  });

  it('is a request otherwise', () => {
    expect(chatSubject('say that f-1a2b3 was cut', flaws)).toEqual({
      kind: 'request',
      request: 'say that f-1a2b3 was cut',
    });
  });
});
