import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf, locateSite, siteHash, siteOf, siteState } from '../../../src/core/handbook';
import { builtFixture } from '../../fixtureHarness';

const text = ['import os', '', 'def first():', '    return 1', '', 'def second():', '    return 2', ''];

describe('siteOf', () => {
  it('cuts the range to the file', () => {
    expect(siteOf('a.py', 'x', 6, 99, text)).toMatchObject({ start: 6, end: 8 });
    expect(siteOf('a.py', 'x', 0, 2, text)).toMatchObject({ start: 1, end: 2 });
  });

  it('has one hash for LF and CRLF', () => {
    expect(siteHash(linesOf('a\r\nb\r\n'))).toBe(siteHash(linesOf('a\nb\n')));
  });
});

describe('locateSite', () => {
  const site = siteOf('a.py', 'second', 6, 7, text);

  it('is fresh where the text stands', () => {
    expect(locateSite(site, text)).toEqual({ state: 'fresh', start: 6, end: 7 });
  });

  it('is stale where the text changed, and points at the definition', () => {
    const changed = ['# new', ...text].map((line) => line.replace('return 2', 'return 3'));
    expect(locateSite(site, changed)).toEqual({ state: 'stale', start: 7, end: 8 });
  });

  it('finds the nearest copy when lines were inserted above', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('', '# a', 'x = 1'), { maxLength: 30 }), (above) => {
        const now = locateSite(site, [...above, ...text]);
        expect(now).toEqual({
          state: above.length === 0 ? 'fresh' : 'moved',
          start: 6 + above.length,
          end: 7 + above.length,
        });
      }),
    );
  });

  it('survives a file that became shorter than the site', () => {
    expect(locateSite(site, ['x'])).toEqual({ state: 'stale', start: 1, end: 1 });
  });
});

describe('siteState', () => {
  it('reads the working tree, not the index', async () => {
    const plain = await builtFixture('plain');
    const site = plain.map.units[0]?.sites[0];
    expect(site && (await siteState(plain.harness, site)).state).toBe('fresh');
    await plain.remove();
    expect(site && (await siteState(plain.harness, site).catch((error: Error) => error.name))).toBeDefined();
  });

  it('is stale for a file that is gone', async () => {
    const plain = await builtFixture('plain');
    const site = siteOf('src/gone.js', '', 1, 1, ['x']);
    expect((await siteState(plain.harness, site)).state).toBe('stale');
    await plain.remove();
  });
});
