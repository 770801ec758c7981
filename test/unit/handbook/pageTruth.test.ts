import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Page, renderPages, unitPagePath } from '../../../src/core/handbook';
import { lifeCycle } from '../../../src/core/handbook/pages/lifeCycle';
import { stagePath } from '../../../src/core/handbook/pages/links';
import { cardWords } from '../../../src/core/handbook/pages/unitPage';
import { type BuiltHarness, built, builtFixture } from '../../fixtureHarness';

describe.each(['pebble', 'kite'])('the pages of %s', (name) => {
  let built: BuiltHarness;
  let pages: Page[];
  let folder: string;
  beforeAll(async () => {
    built = await builtFixture(name);
    folder = join(built.folder, 'out');
    pages = renderPages(built.map, built.graph, folder);
  });
  afterAll(() => built.remove());

  const textOf = async (path: string, line: number) => (await readFile(path, 'utf8')).split('\n')[line - 1] ?? '';

  it('name a call only on the line that makes it', async () => {
    let calls = 0;
    for (const page of pages) {
      for (const match of page.markdown.matchAll(/ at \[[^\]]*\]\(([^)#]+)#L(\d+)\): `([^`]+)`/g)) {
        const line = await textOf(join(folder, page.path, '..', decodeURIComponent(match[1] ?? '')), Number(match[2]));
        const called = (match[3] ?? '').split('.').at(-1) ?? '';
        expect([page.path, line.includes(called)]).toEqual([page.path, true]);
        calls++;
      }
    }
    expect(calls).toBeGreaterThanOrEqual(10);
  });

  it('name what raises and handles errors only on lines that do', async () => {
    let failures = 0;
    for (const page of pages) {
      for (const match of page.markdown.matchAll(
        /- (raises|handles) (?:`([^`]+)`|an error) at \[[^\]]*\]\(([^)#]+)#L(\d+)\)/g,
      )) {
        const line = await textOf(join(folder, page.path, '..', decodeURIComponent(match[3] ?? '')), Number(match[4]));
        expect(line).toMatch(match[1] === 'raises' ? /raise|throw/ : /except|catch/);
        if (match[2]) expect(line).toContain(match[2].split(',')[0]);
        failures++;
      }
    }
    expect(failures).toBeGreaterThan(1);
  });

  it('say of a caller what the caller says of the call', () => {
    const unitPages = new Map(
      built.map.units.map((unit) => [unit.id, pages.find((page) => page.path === unitPagePath(unit.id))]),
    );
    for (const unit of built.map.units) {
      for (const callee of unit.calls.slice(0, 2)) {
        const title = built.map.units.find((one) => one.id === callee)?.title ?? '';
        const plain = (unitPages.get(unit.id)?.markdown ?? '').replace(/\\(.)/g, '$1');
        expect(plain).toContain(`. [${title}](`);
      }
    }
  });

  it('link every unit from the page of its stage, once in the lists', () => {
    for (const stage of built.map.stages) {
      const page = pages.find((one) => one.path === stagePath(stage));
      for (const id of stage.units) expect(page?.markdown).toContain(`../${unitPagePath(id)}`);
    }
  });

  it('show each kind of the round once in the life cycle', () => {
    const diagram = lifeCycle(built.map);
    const steps = diagram
      .filter((line) => /^ {2}(\+->|\|)/.test(line))
      .map((line) => line.replace(/^ {2}(\+->|\|)\s+/, ''));
    expect(steps.length).toBeGreaterThan(4);
    expect(new Set(steps).size).toBe(steps.length);
    expect(diagram.length).toBeLessThanOrEqual(20);
    expect(diagram.join('\n')).toContain('again until it leaves');
  });
});

describe('named numbers', () => {
  it('are linked from the units that read them, and have their value on one page only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'harnessmith-numbers-'));
    await writeFile(
      join(folder, 'cut.py'),
      'MAX_OUTPUT = 16000\n\n\ndef truncate_output(text):\n    return text[:MAX_OUTPUT]\n\n\ndef other(text):\n    return text\n',
    );
    const harness = await built(folder);
    const pages = renderPages(harness.map, harness.graph).filter((page) => page.path.startsWith('units/'));
    const reading = pages.filter((page) => page.markdown.includes('[MAX\\_OUTPUT]'));
    expect(reading.map((page) => page.title).sort()).toEqual([
      'Configuration defaults: cut.py',
      'Truncation: truncate_output',
    ]);
    expect(reading.filter((page) => page.markdown.includes('= `16000`')).map((page) => page.title)).toEqual([
      'Configuration defaults: cut.py',
    ]);
    await harness.remove();
  });

  it('are not those that count while a run goes on', async () => {
    const kite = await builtFixture('pebble');
    const loop = renderPages(kite.map, kite.graph).find((page) => page.path === unitPagePath(kite.map.loops[0] ?? ''));
    expect(kite.map.registers.map((register) => register.name)).toContain('steps');
    expect(loop?.markdown).not.toMatch(/## Configuration[^#]*steps/);
    await kite.remove();
  });
});

describe('cardWords', () => {
  it('leaves short texts alone and cuts long ones behind a sentence', () => {
    expect(cardWords('Two words.')).toBe('Two words.');
    const sentence = `${'word '.repeat(29)}end.`;
    const cut = cardWords(Array(8).fill(sentence).join(' '));
    expect(cut).toMatch(/end\. \(90 words more in handbook\.json\)$/);
    expect(cut.split(' ').length).toBeLessThanOrEqual(160);
  });
});
