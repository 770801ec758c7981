import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageAddress, pageOfAddress, sourceBase, withSourceLinks } from '../../../src/host/handbook/pageLinks';

describe('pages as documents', () => {
  it('lead from every level to the source, and to each other as before', () => {
    const unit = 'See [agent.ts:4](../../../src/agent.ts#L4) and [Iterate](../stages/loop-1.md) and `](../../../x`';
    expect(withSourceLinks(unit, 'units/a.md', '.harnessmith/handbook', '/tinker')).toBe(
      'See [agent.ts:4](/tinker/src/agent.ts#L4) and [Iterate](../stages/loop-1.md) and `](/tinker/x`',
    );
    const index = '[agent.ts](../../src/agent.ts#L4-L9) [unit](units/a.md)';
    expect(withSourceLinks(index, 'index.md', '.harnessmith/handbook', '')).toBe(
      '[agent.ts](/src/agent.ts#L4-L9) [unit](units/a.md)',
    );
  });

  it('start at the first folder, wherever the harness lies', () => {
    expect(sourceBase('/repo/tinker', '/repo/tinker/')).toBe('');
    expect(sourceBase('/repo/all', '/repo/all/parts/a b')).toBe('/parts/a%20b');
    expect(sourceBase('/repo/first', '/repo/second')).toBe('/../second');
    expect(sourceBase('c:\\work\\first', 'c:\\work\\second')).toBe('/../second');
  });

  it('have addresses that lead back to the page, whatever the harness is called', () => {
    const page = fc.constantFrom('index.md', 'units/main-loop-1a2b3c.md', 'stages/loop-00ff00.md');
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), page, (name, path) => {
        expect(pageOfAddress(pageAddress(name, path))).toBe(path);
      }),
    );
  });

  it('are not found outside their folders', () => {
    for (const path of [
      '/x/../../etc/passwd',
      '/x/units/../a.md',
      '/x/other/a.md',
      '/x/index.html',
      'index.md',
      '/x/',
    ]) {
      expect(pageOfAddress(path), path).toBeNull();
    }
  });
});
