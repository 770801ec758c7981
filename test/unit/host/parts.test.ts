import { describe, expect, it } from 'vitest';
import { commandLink } from '../../../src/host/commandLink';
import { startContributions } from '../../../src/host/contribution';
import { DisposableStore, Emitter } from '../../../src/host/disposable';
import { FakeLog } from './fakes';

describe('starting the parts', () => {
  it('goes on after one that fails, and times each', () => {
    const log = new FakeLog();
    const store = new DisposableStore();
    const ended: string[] = [];
    let clock = 0;
    const part = (name: string) => ({ name, activate: () => ({ dispose: () => ended.push(name) }) });
    const broken = {
      name: 'broken',
      activate: () => {
        throw new Error('no');
      },
    };
    const reports = startContributions([part('one'), broken, part('two')], {}, store, log, () => clock++);
    expect(reports.map((report) => [report.name, report.milliseconds, report.error !== null])).toEqual([
      ['one', 1, false],
      ['broken', 1, true],
      ['two', 1, false],
    ]);
    expect(log.lines.some((line) => line.includes('"broken" did not start'))).toBe(true);
    store.dispose();
    expect(ended).toEqual(['two', 'one']);
  });
});

describe('a store of disposables', () => {
  it('ends at once what comes too late', () => {
    const store = new DisposableStore();
    store.dispose();
    let ended = false;
    store.add({ dispose: () => (ended = true) });
    expect([ended, store.isDisposed]).toEqual([true, true]);
  });
});

describe('an emitter', () => {
  it('reaches all listeners even when one throws, and none after they left', () => {
    const errors: unknown[] = [];
    const emitter = new Emitter<number>((error) => errors.push(error));
    const seen: number[] = [];
    emitter.event(() => {
      throw new Error('listener');
    });
    const subscription = emitter.event((value) => seen.push(value));
    emitter.fire(1);
    subscription.dispose();
    emitter.fire(2);
    emitter.dispose();
    emitter.fire(3);
    expect([seen, errors.length]).toEqual([[1], 2]);
  });
});

describe('the address of a command link', () => {
  it('holds any argument without ending early, and gives it back', () => {
    const run = '/tmp/runs (copy)/[a](command:evil).json';
    const address = commandLink('harnessmith.openTrace', { run, step: 3 });
    expect(address).not.toMatch(/[()[\]\s]/);
    expect(JSON.parse(decodeURIComponent(address.split('?')[1] ?? ''))).toEqual([{ run, step: 3 }]);
  });
});
