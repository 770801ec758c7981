import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  decideHunks,
  type EditorPlan,
  hunkStates,
  planForEditor,
  recordEditorApply,
  reviewOf,
  setEdited,
  undoApplied,
} from '../../../src/core/proposals';
import { splitLines } from '../../../src/core/proposals/lines';
import { Ledger } from '../../../src/core/store';
import { decision, replace } from './sampleProposal';
import { storeProposal, temporaryFolder, writeFiles } from './temporaryHarness';

const loop = 'limit = 3\nwhile True:\n    run()\n    check()\n';
const files = { 'src/loop.py': loop, 'gone.md': 'bye\n' };

function decisions() {
  return [
    decision('d1', replace('src/loop.py', 'limit = 3', 'limit = 5'), {
      file: 'new.md',
      action: 'create' as const,
      oldText: '',
      newText: 'hello\n',
    }),
    decision('d2', replace('src/loop.py', 'check()', 'check(1)'), {
      file: 'gone.md',
      action: 'delete' as const,
      oldText: 'bye\n',
      newText: '',
    }),
  ];
}

/** Carries a plan out as an editor does: line by line, one decision after the other. */
function carriedOut(plan: EditorPlan, before: Record<string, string>): Record<string, string> {
  const texts = { ...before };
  for (const step of plan.decisions) {
    for (const { file, action, changes } of step.files) {
      if (action === 'delete') delete texts[file];
      else {
        const lines = splitLines(texts[file] ?? '');
        for (const { start, end, newText } of [...changes].reverse()) lines.splice(start, end - start, newText);
        texts[file] = lines.join('');
      }
    }
  }
  return texts;
}

async function accepted(...numbers: number[]) {
  const root = await temporaryFolder(files);
  const { proposal } = await storeProposal(root, decisions());
  await decideHunks(root, proposal.id, numbers, 'accepted', 'tester');
  return { root, id: proposal.id };
}

describe('planForEditor', () => {
  it('gives one step a decision, which together are all accepted hunks', async () => {
    const { root, id } = await accepted(1, 2, 3, 4);
    const plan = await planForEditor(root, id);
    expect(plan.decisions.map((one) => [one.id, one.files.map(({ file, action }) => `${action} ${file}`)])).toEqual([
      ['d1', ['replace src/loop.py', 'create new.md']],
      ['d2', ['replace src/loop.py', 'delete gone.md']],
    ]);
    expect(plan).toMatchObject({ hunks: [1, 2, 3, 4], left: [], exact: true });
    expect(carriedOut(plan, files)).toEqual({
      'src/loop.py': loop.replace('= 3', '= 5').replace('check()', 'check(1)'),
      'new.md': 'hello\n',
    });
    expect(await readFile(join(root, 'src/loop.py'), 'utf8')).toBe(loop);
  });

  it('merges with what stands unsaved in an editor, and leaves what conflicts', async () => {
    const { root, id } = await accepted(1, 3);
    const typed = `# mine\n${loop.replace('limit = 3', 'limit = 4')}`;
    const unsaved = new Map([['src/loop.py', typed]]);
    const plan = await planForEditor(root, id, unsaved);
    expect(plan.hunks).toEqual([3]);
    expect(plan.left).toEqual([{ number: 1, file: 'src/loop.py', reason: expect.stringMatching(/changed since/) }]);
    expect(carriedOut(plan, { 'src/loop.py': typed })).toEqual({ 'src/loop.py': typed.replace('check()', 'check(1)') });
    const states = await hunkStates(root, id, unsaved);
    expect(states.map((one) => one.state)).toEqual(['conflicting', 'open', 'accepted', 'open']);
    expect(states[0]!.conflict).toEqual({ line: 1, text: '# mine\nlimit = 4\n' });
  });

  it('takes what the person typed on the right side', async () => {
    const { root, id } = await accepted(1);
    await setEdited(root, id, 'src/loop.py', loop.replace('= 3', '= 50').replace('check()', 'check(1)'));
    const plan = await planForEditor(root, id);
    expect(carriedOut(plan, files)['src/loop.py']).toBe(loop.replace('= 3', '= 50'));
    const states = await hunkStates(root, id);
    expect(states.map((one) => one.edited ?? false)).toEqual([true, false, false, false]);
  });

  it('says when an editor could not keep the other lines as they are', async () => {
    const root = await temporaryFolder({ 'mixed.txt': 'one\r\ntwo\nthree\r\n' });
    const { proposal } = await storeProposal(root, [decision('d1', replace('mixed.txt', 'two', 'TWO'))]);
    await decideHunks(root, proposal.id, [1], 'accepted', 'tester');
    expect((await planForEditor(root, proposal.id)).exact).toBe(false);
  });

  it('refuses where nothing is accepted, or nothing fits', async () => {
    const { root, id } = await accepted(2);
    await writeFiles(root, { 'new.md': 'mine\n' });
    await expect(planForEditor(root, id)).rejects.toMatchObject({ code: 'nothing-fits' });
    await decideHunks(root, id, [2], 'rejected', 'tester', 'no');
    await expect(planForEditor(root, id)).rejects.toMatchObject({ code: 'nothing-accepted' });
  });
});

describe('recordEditorApply', () => {
  it('makes the apply undoable as a whole, and enters both in the ledger', async () => {
    const { root, id } = await accepted(1, 3);
    const plan = await planForEditor(root, id);
    const after = carriedOut(plan, files)['src/loop.py']!;
    await writeFiles(root, { 'src/loop.py': after });
    const written = plan.files.map(({ file, before }) => ({ file, before, after, mode: 0o644 }));
    await recordEditorApply(root, id, plan.hunks, written, 'ada');
    expect((await reviewOf(root, id)).appliedTo).toBe('workingTree');
    expect((await hunkStates(root, id)).map((one) => one.state)).toEqual(['applied', 'open', 'applied', 'open']);
    await undoApplied(root, id, 'ada');
    expect(await readFile(join(root, 'src/loop.py'), 'utf8')).toBe(loop);
    const { entries } = await (await Ledger.open(root)).read();
    expect(entries.filter((entry) => entry.kind === 'apply')).toMatchObject([
      { by: 'ada', hunks: [1, 3], target: 'workingTree' },
      { by: 'ada', hunks: [1, 3], target: 'undo' },
    ]);
  });
});
