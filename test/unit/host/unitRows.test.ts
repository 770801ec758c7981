import { describe, expect, it } from 'vitest';
import { handbookTree } from '../../../src/host/handbook/handbookTree';
import { leadsTo, pathToUnit } from '../../../src/host/handbook/unitRows';
import type { TreeNode } from '../../../src/host/tree/treeNode';
import { unitOf } from './fakes';
import { mapWith } from './mapSamples';

const map = mapWith({ configure: 2, loop: 12, src: 3 });

describe('the way to the row of a unit', () => {
  it('goes through the rows that the tree has, for units of every kind of stage', () => {
    const tree = handbookTree({ map, touches: [], states: new Map(), refreshed: 'just now' });
    for (const unit of map.units) {
      let rows: readonly TreeNode[] = tree;
      let row: TreeNode | undefined;
      for (const id of pathToUnit(unit, map)) {
        row = rows.find((one) => one.id === id);
        rows = row?.children?.() ?? [];
      }
      expect(row?.target).toEqual({ kind: 'unit', unit: unit.id });
    }
  });

  it('is empty for a unit of no stage', () => {
    expect(pathToUnit({ id: 'gone' }, map)).toEqual([]);
  });
});

describe('a row that leads to a unit', () => {
  const unit = unitOf({
    id: 'unit:run',
    sites: [{ file: 'src/agent.ts', symbol: 'run', start: 10, end: 20, hash: 'h' }],
  });

  it('is its own row, and not that of a unit whose name only begins like it', () => {
    expect(leadsTo({ kind: 'unit', unit: 'unit:run' }, unit)).toBe(true);
    expect(leadsTo({ kind: 'unit', unit: 'unit:run_all' }, unit)).toBe(false);
    expect(leadsTo({ kind: 'stage', stage: 'loop' }, unit)).toBe(false);
    expect(leadsTo(undefined, unit)).toBe(false);
  });

  it('is a place inside its code, and no other place', () => {
    const at = (file: string, start: number, end: number) =>
      leadsTo({ kind: 'site', place: { file, start, end } }, unit);
    expect(at('src/agent.ts', 10, 20)).toBe(true);
    expect(at('src/agent.ts', 12, 12)).toBe(true);
    expect(at('src/agent.ts', 18, 25)).toBe(false);
    expect(at('src/other.ts', 12, 12)).toBe(false);
  });
});
