import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareRuns, openTrace, promptDiff, RunAlignment } from '../../../../src/core/traces';
import { atifDocument, importOne, temporaryFolders, writeFiles } from '../helpers';

const folder = temporaryFolders();
let made = 0;

async function open(steps: unknown[]) {
  const place = await folder('contrast');
  const name = `t${made++}.json`;
  await writeFiles(place, { [name]: atifDocument({ steps }) });
  return openTrace(await importOne(join(place, name)));
}

const user = { source: 'user', message: 'Fix it.' };
let calls = 0;
function turn(command: string, content: string, message = 'words') {
  const id = `c${calls++}`;
  return {
    source: 'agent',
    message,
    tool_calls: [{ tool_call_id: id, function_name: 'bash', arguments: { command } }],
    observation: { results: [{ source_call_id: id, content }] },
  };
}
const talk = (message: string) => ({ source: 'agent', message });

async function compare(left: unknown[], right: unknown[]): Promise<RunAlignment> {
  const [a, b] = [await open(left), await open(right)];
  const found = await compareRuns(a, b);
  await a.close();
  await b.close();
  return RunAlignment.parse(found);
}

const states = (found: RunAlignment) => found.rows.map((row) => row.state).join(' ');

describe('two runs side by side', () => {
  it('wording, times and temporary names make no difference', async () => {
    const found = await compare(
      [user, turn('ls', 'took 3 ms in /tmp/a1', 'I look'), talk('Done.')],
      [user, turn('ls', 'took 9 ms in /tmp/b2', 'Let me see'), talk('I am through.')],
    );
    expect(states(found)).toBe('same same');
    expect(found).toMatchObject({ matters: null, divergence: null, alike: 2, counts: { same: 2 } });
  });

  it('a detour of looking is told of and does not matter', async () => {
    const found = await compare(
      [user, turn('ls', 'a'), turn('cat a.py', 'x'), turn('python a.py', '1')],
      [user, turn('ls', 'a'), turn('grep -n x a.py', '1:x'), turn('cat a.py', 'x'), turn('python a.py', '1')],
    );
    expect(states(found)).toBe('same onlySecond same same');
    expect(found.matters).toBeNull();
    expect(found.divergence).toEqual({ what: 'call', firstStep: 3, secondStep: 3 });
    expect(found.sentence).toContain('No difference matters');
  });

  it('the same call that fails in one run matters', async () => {
    const failed = '<returncode>1</returncode><output>no module</output>';
    const found = await compare(
      [user, turn('ls', 'a'), turn('python a.py', failed), turn('pip install b', 'ok')],
      [user, turn('ls', 'a'), turn('python a.py', '<returncode>0</returncode>'), turn('pip install b', 'ok')],
    );
    expect(found.matters).toMatchObject({ row: 1, reason: 'resultClass', firstStep: 3, secondStep: 3 });
    expect(found.matters?.why).toBe('The same call fails in the first run and succeeds in the second.');
  });

  it('a change that only one run makes matters; the same change a little later does not', async () => {
    const edit = "sed -i 's/a/b/' a.py";
    const alone = await compare(
      [user, turn('ls', 'a'), turn(edit, 'ok'), turn('cat a.py', 'b'), talk('Done.')],
      [user, turn('ls', 'a'), turn('cat a.py', 'a'), talk('Done.')],
    );
    expect(alone.matters).toMatchObject({ reason: 'change', firstStep: 3, secondStep: 3 });
    const later = await compare(
      [user, turn('ls', 'a'), turn(edit, 'ok'), turn('cat b.py', 'b'), talk('Done.')],
      [user, turn('ls', 'a'), turn('cat b.py', 'b'), turn(edit, 'ok'), talk('Done.')],
    );
    expect(later.matters).toBeNull();
  });

  it('edits with other arguments stand in one row and matter', async () => {
    const found = await compare(
      [user, turn("sed -i 's/limit = 8/limit = 10/' agent.py", ''), talk('Done.')],
      [user, turn("sed -i 's/limit = 8/limit = 12/' agent.py", ''), talk('Done.')],
    );
    expect(states(found)).toBe('changed same');
    expect(found.rows[0]).toMatchObject({ differs: ['arguments'] });
    expect(found.matters).toMatchObject({ row: 0, reason: 'change' });
  });

  it('a run that ends early, and one that hands its work in', async () => {
    const start = [user, turn('ls', 'a')];
    const ends = await compare(start, [...start, turn('python a.py', '1'), talk('Done.')]);
    expect(ends.matters).toMatchObject({ reason: 'end', firstStep: null, secondStep: 3 });
    const submit = 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT';
    const submits = await compare([...start, turn(submit, '')], [...start, turn('cat b', 'b'), turn('cat c', 'c')]);
    expect(submits.rows.some((row) => row.first?.action === 'submit')).toBe(true);
    expect(submits.matters).not.toBeNull();
  });

  it('another result that leads to other calls', async () => {
    const found = await compare(
      [user, turn('cat a', 'one'), turn('ls x', '1'), turn('ls y', '2')],
      [user, turn('cat a', 'two'), turn('grep z a', '3'), turn('find .', '4')],
    );
    expect(found.matters).toMatchObject({ row: 0, reason: 'resultThenOtherCalls' });
  });

  it('runs that never come back together', async () => {
    const start = turn('ls', 'a');
    const left = Array.from({ length: 8 }, (_, at) => turn(`cat file${at}`, `${at}`));
    const right = Array.from({ length: 8 }, (_, at) => turn(`grep -rn word${at} .`, `${at}`));
    const found = await compare([user, start, ...left], [user, start, ...right]);
    expect(found.matters).toMatchObject({ row: 1, reason: 'noReturn' });
  });

  it('the other way round exchanges the sides', async () => {
    const left = [user, turn('ls', 'a'), turn('rm a', ''), talk('Done.')];
    const right = [user, turn('ls', 'a'), talk('Done.')];
    const [there, back] = [await compare(left, right), await compare(right, left)];
    expect(there.counts.onlyFirst).toBe(back.counts.onlySecond);
    expect(there.matters?.row).toBe(back.matters?.row);
    expect(there.matters?.firstStep).toBe(back.matters?.secondStep);
  });
});

describe('prompts of two steps', () => {
  it('gives both texts whole and counts the lines that differ', async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `rule ${at}`);
    const reader = await open([
      { source: 'system', message: lines.join('\n') },
      { source: 'user', message: [...lines.slice(0, 29), 'rule new', 'rule more'].join('\n') },
    ]);
    const diff = promptDiff(await reader.step(1), await reader.step(2));
    await reader.close();
    expect(diff).toMatchObject({ added: 2, removed: 1, before: { step: 1 }, after: { step: 2 } });
    expect(diff.kept).toBeCloseTo(29 / 31);
    expect(diff.before.text).toBe(lines.join('\n'));
  });

  it('calls and results are part of it', async () => {
    const reader = await open([turn('ls', 'a.txt')]);
    const diff = promptDiff(await reader.step(1), await reader.step(1));
    await reader.close();
    expect(diff.after.text).toBe('words\n\na.txt\n\nbash {\n  "command": "ls"\n}');
    expect(diff).toMatchObject({ added: 0, removed: 0, kept: 1 });
  });
});
