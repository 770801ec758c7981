import { describe, expect, it } from 'vitest';
import { skippedLines } from '../../../src/cli/diagnosed';
import { numberList, positive } from '../../../src/cli/options';
import { barText } from '../../../src/cli/progressBar';
import { counted, money, outcomeWords } from '../../../src/cli/words';
import { groupRuns, type Outcome, type TraceRun } from '../../../src/core/traces';

const outcome = (verdict: Outcome['verdict'], extra: Partial<Outcome> = {}): Outcome => ({
  verdict,
  reward: null,
  exception: null,
  source: null,
  ...extra,
});

describe('words', () => {
  it('never calls a missing verdict a failure, and keeps the exception beside the verdict', () => {
    expect(outcomeWords(outcome('missing'))).toBe('no verdict');
    expect(outcomeWords(outcome('pass', { reward: 1, exception: 'AgentTimeoutError' }))).toBe(
      'passed, AgentTimeoutError',
    );
    expect(outcomeWords(outcome('fail', { reward: 0.25 }))).toBe('failed (reward 0.25)');
  });

  it('puts flipping tasks first, then failing ones, then passing ones', () => {
    const run = (task: string, verdict: Outcome['verdict']) => ({ task, outcome: outcome(verdict) }) as TraceRun;
    const runs = [
      run('a', 'pass'),
      run('b', 'fail'),
      run('c', 'pass'),
      run('c', 'fail'),
      run('d', 'missing'),
      run('d', 'pass'),
    ];
    expect(groupRuns(runs).map(({ task, passed, judged }) => `${task} ${passed}/${judged}`)).toEqual([
      'c 1/2',
      'b 0/1',
      'a 1/1',
      'd 1/1',
    ]);
  });

  it('counts and prices', () => {
    expect(counted(1, 'step')).toBe('1 step');
    expect(counted(2, 'process', 'processes')).toBe('2 processes');
    expect(money(null)).toBe('no cost recorded');
    expect(money(0.0123)).toBe('$0.0123');
    expect(money(1.5)).toBe('$1.50');
  });
});

describe('options', () => {
  it('reads lists of numbers', () => {
    expect(numberList('1,3-5', '--hunks')).toEqual([1, 3, 4, 5]);
    for (const wrong of ['', '0', '3-1', 'a', '1,', '1-999999']) {
      expect(() => numberList(wrong, '--hunks')).toThrow(/--hunks/);
    }
  });

  it('takes only whole positive numbers', () => {
    expect(positive('12', '-k')).toBe(12);
    for (const wrong of ['0', '-1', '1.5', 'x', '']) expect(() => positive(wrong, '-k')).toThrow(/-k/);
  });
});

it('draws a bar only for work of known length', () => {
  expect(barText('Parsing', 1, 2)).toBe('[############------------] 1 of 2  Parsing');
  expect(barText('Parsing', 9, 2)).toContain('[########################]');
  expect(barText('Listing', 7)).toBe('7  Listing');
  expect(barText('Thinking')).toBe('Thinking');
});

describe('runs that could not be read', () => {
  it('are named with the reason, a few of them, and not at all when there are none', () => {
    const skipped = Array.from({ length: 7 }, (_, at) => ({ run: `run-${at}`, reason: 'it is gone' }));
    expect(skippedLines([])).toEqual([]);
    expect(skippedLines(skipped.slice(0, 1))).toEqual(['1 run could not be read:', '    run-0: it is gone']);
    expect(skippedLines(skipped)).toHaveLength(7);
    expect(skippedLines(skipped).at(-1)).toBe('    and 2 more');
  });
});
