import { describe, expect, it } from 'vitest';
import { groupDocument, groupRuns, RunGroupDocument, type TraceRun } from '../../../../src/core/traces';

let made = 0;
function run(task: string | null, verdict: string, more: Partial<TraceRun> = {}): TraceRun {
  const outcome = { verdict, reward: null, exception: null, source: null };
  const id = `r${made++}`;
  return { id, file: id, task, outcome, agent: 'tinker', agentVersion: '1', model: 'm', ...more } as TraceRun;
}
const words = (runs: TraceRun[]) =>
  groupRuns(runs).map((group) => `${group.task} ${group.passed}/${group.judged}${group.flips ? ' flips' : ''}`);

describe('runs of one task under one configuration', () => {
  it('flipping tasks first, then failing ones, then the others', () => {
    expect(
      words([
        run('a', 'pass'),
        run('b', 'fail'),
        run('c', 'pass'),
        run('c', 'fail'),
        run('d', 'missing'),
        run('d', 'pass'),
      ]),
    ).toEqual(['c 1/2 flips', 'b 0/1', 'a 1/1', 'd 1/1']);
  });

  it.each<[string, Partial<TraceRun>]>([
    ['model', { model: 'other' }],
    ['version', { agentVersion: '2' }],
    ['candidate', { candidate: 'c2' }],
  ])('another %s is another group, so a task does not flip by it', (_, more) => {
    expect(words([run('a', 'pass'), run('a', 'fail', more)])).toEqual(['a 0/1', 'a 1/1']);
  });

  it('runs without a task never flip', () => {
    expect(words([run(null, 'pass'), run(null, 'fail')])).toEqual(['null 1/2']);
  });

  it('sub-agents stand with the run that started them; a circle of names ends', () => {
    const main = run('a', 'pass');
    const member = run(null, 'unknown', { memberOf: main.id, model: 'small' });
    const inner = run(null, 'unknown', { memberOf: member.id });
    expect(groupRuns([inner, member, main])[0].runs).toEqual([inner, member, main]);
    const [one, other] = [run('x', 'pass'), run('y', 'pass')];
    one.memberOf = other.id;
    other.memberOf = one.id;
    expect(groupRuns([one, other]).flatMap((group) => group.runs)).toHaveLength(2);
  });

  it('documents name runs by id', () => {
    const one = run('a', 'pass');
    expect(RunGroupDocument.parse(groupDocument(groupRuns([one])[0])).runs).toEqual([one.id]);
  });
});
