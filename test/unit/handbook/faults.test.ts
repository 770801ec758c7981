/**
 * Faults that published handbooks of harnesses had, one test each that would have caught it. The numbers are those of the
 * list in docs/handbook.md.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  checkHandbook,
  handbookHtml,
  loadOverlay,
  type Page,
  refineHandbook,
  renameUnit,
  renderPages,
  unitPagePath,
  writePages,
} from '../../../src/core/handbook';
import { type BuiltHarness, builtFixture } from '../../fixtureHarness';
import { nothing, scriptedModel, writes } from './refine/scriptedModel';

let pebble: BuiltHarness;
let folder: string;
beforeEach(async () => {
  pebble = await builtFixture('pebble');
  folder = join(pebble.folder, '.harnessmith', 'cache', 'handbook');
});
afterEach(() => pebble.remove());

const loop = 'unit:main_loop:pebble/agent.py#Agent.run';
const pages = (): Page[] => renderPages(pebble.map, pebble.graph, folder);

async function edit(path: string, change: (text: string) => string): Promise<void> {
  const file = join(pebble.folder, path);
  const text = await readFile(file, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  await writeFile(file, changed);
}

describe('fault 1: an error message of a service was published as documentation', () => {
  const error = 'API Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}';

  it.each([
    ['as the whole answer', { text: error }],
    ['as an answer in JSON', { json: { error: { message: error } } }],
    [
      'as a sentence in the right form',
      writes((unit) => ({
        ...nothing(unit.alias),
        sentences: [{ text: error, evidence: [unit.evidence[0]?.id ?? ''] }],
      })),
    ],
    ['as a title', writes((unit) => ({ ...nothing(unit.alias), title: 'HTTP 500 Internal server error' }))],
  ])('%s it reaches no page', async (_name, reply) => {
    const { client } = await scriptedModel([reply]);
    const { harness, map, graph } = pebble;
    await refineHandbook({ harness, map, graph, client }, { rounds: 1, mostUnits: 3 });
    expect((await loadOverlay(harness)).units).toEqual({});
    pebble = await pebble.rebuild();
    for (const page of pages()) expect(page.markdown).not.toMatch(/API Error|Internal server error/);
  });
});

describe('fault 2: ids drifted, so links opened the wrong pages', () => {
  it('ids and page names stay when code is inserted above, and every link opens the page of its title', async () => {
    const before = pages().map((page) => page.path);
    await edit('pebble/agent.py', (text) => `import os  # one more line\n\n\n${text}`);
    pebble = await pebble.rebuild();
    expect(pages().map((page) => page.path)).toEqual(before);
    const titles = new Map(pages().map((page) => [page.path, page.title]));
    let links = 0;
    for (const page of pages()) {
      for (const [, label = '', target = ''] of page.markdown.matchAll(/\[((?:\\.|[^\\\]])*)\]\(([^)#]+\.md)\)/g)) {
        const path = join(page.path, '..', target);
        if (label === 'Overview') continue;
        const text = label.replace(/\\(.)/g, '$1');
        const title = titles.get(path);
        // Folders stand by their names in the list of subsystems.
        expect([path, title?.endsWith(text)]).toEqual([path, true]);
        links++;
      }
    }
    expect(links).toBeGreaterThan(100);
  });

  it('words of a person stay with their unit when a file in front of it is renamed', async () => {
    await renameUnit({ root: pebble.folder, map: pebble.map }, loop, 'The round');
    await rename(join(pebble.folder, 'pebble/environment.py'), join(pebble.folder, 'pebble/a_environment.py'));
    pebble = await pebble.rebuild();
    expect(pebble.map.units.filter((unit) => unit.title === 'The round').map((unit) => unit.id)).toEqual([loop]);
  });
});

describe('fault 7: registers were "not specified" beside code that answers it', () => {
  it('every register has the places that the code has, an annotated assignment is a write, and the pages say no more', async () => {
    await edit('pebble/agent.py', (text) => text.replaceAll('self.finished =', 'self.finished: bool ='));
    pebble = await pebble.rebuild();
    const lines = (await readFile(join(pebble.folder, 'pebble/agent.py'), 'utf8')).split('\n');
    for (const name of ['messages', 'finished']) {
      const register = pebble.map.registers.find((one) => one.name === name);
      const found = (register?.sites ?? []).filter((one) => one.site.file === 'pebble/agent.py');
      const inCode = lines.flatMap((line, index) => (line.includes(`self.${name}`) ? [index + 1] : []));
      expect([...new Set(found.map((one) => one.site.start))].sort((x, y) => x - y)).toEqual(inCode);
      const assigned = inCode.filter((line) => new RegExp(`self\\.${name}(?:: bool)? = `).test(lines[line - 1] ?? ''));
      expect(assigned.length).toBeGreaterThan(1);
      for (const line of assigned) {
        const accesses = found.filter((one) => one.site.start === line).map((one) => one.access);
        expect([line, accesses.length, accesses.includes('read')]).toEqual([line, 1, false]);
      }
    }
    for (const page of pages()) expect(page.markdown).not.toMatch(/not specified|unknown|n\/a/i);
  });
});

describe('fault 8: a page described a marker that is nowhere in the code', () => {
  it('the check of the page on disk finds it, and a model cannot write it', async () => {
    const unit = pebble.map.units.find((one) => one.kind === 'truncation')?.id ?? '';
    await writePages(pages(), pebble.map, folder);
    const file = join(folder, unitPagePath(unit));
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replace('\n## Where', '\nIt adds `[[TRUNCATED]]`.\n\n## Where'),
    );
    const { problems } = await checkHandbook(pebble.harness, folder);
    expect(problems).toEqual([expect.objectContaining({ message: expect.stringContaining('[[TRUNCATED]]') })]);
    const { client } = await scriptedModel([
      writes((offered) => ({
        ...nothing(offered.alias),
        sentences: [{ text: 'It adds `[[TRUNCATED]]`.', evidence: [offered.evidence[0]?.id ?? ''] }],
      })),
    ]);
    const { harness, map, graph } = pebble;
    const { units } = await refineHandbook({ harness, map, graph, client }, { rounds: 1 });
    expect(units.every((one) => one.sentences.length === 0)).toBe(true);
  });
});

describe('fault 9: line numbers were stale while the check said ok', () => {
  it('one line more above, one line less, or a changed line make the check fail and name the places', async () => {
    await writePages(pages(), pebble.map, folder);
    const file = join(pebble.folder, 'pebble/agent.py');
    const text = await readFile(file, 'utf8');
    for (const changed of [
      `# more\n${text}`,
      text.replace(/^.*\n/, ''),
      text.replace('> 40', '> 41'),
      text.replace('def run(self', 'def run( self'),
    ]) {
      expect(changed).not.toBe(text);
      await writeFile(file, changed);
      const { problems } = await checkHandbook(pebble.harness, folder);
      expect(problems.some((problem) => problem.file === 'pebble/agent.py' && problem.line > 0)).toBe(true);
      await writeFile(file, text);
      expect((await checkHandbook(pebble.harness, folder)).problems).toEqual([]);
    }
  });
});

describe('fault 10: pages that failed their own critic were published', () => {
  it('what the reviewer did not pass is on no page, also after the last round', async () => {
    const { client } = await scriptedModel([
      writes(
        (unit) => ({
          ...nothing(unit.alias),
          title: 'Heart of the matter',
          sentences: [
            { text: 'Everything happens elsewhere.', evidence: [unit.evidence[0]?.id ?? ''] },
            { text: 'This much is true of it.', evidence: [unit.evidence[0]?.id ?? ''] },
          ],
        }),
        (text) => (/Everything|Heart/.test(text) ? 'not borne out' : null),
      ),
    ]);
    const { harness, map, graph } = pebble;
    await refineHandbook({ harness, map, graph, client }, { rounds: 2, mostUnits: 2 });
    pebble = await pebble.rebuild();
    const all = pages()
      .map((page) => page.markdown)
      .join('\n');
    expect(all).toContain('This much is true of it.');
    expect(all).not.toMatch(/Everything happens|Heart of the matter/);
    const html = handbookHtml(pebble.map, pages(), '../../..');
    expect(html).toContain('not derived: description');
    expect(html).not.toMatch(/Everything happens|Heart of the matter/);
  });
});

describe('fault 12: the edit of one constant rewrote 140 pages', () => {
  it.each([
    ['config/default.yaml', 'step_limit: 30', 'step_limit: 45'],
    ['pebble/agent.py', '> 40', '> 60'],
    ['config/default.yaml', /(timeout: )\d+/, '$177'],
  ] as const)('in %s at most three pages change', async (path, from, to) => {
    const before = new Map(pages().map((page) => [page.path, page.markdown]));
    await edit(path, (text) => text.replace(from, to));
    pebble = await pebble.rebuild();
    const changed = pages().filter((page) => before.get(page.path) !== page.markdown);
    expect(pages()).toHaveLength(before.size);
    expect(changed.length).toBeLessThanOrEqual(3);
    await writePages(pages(), pebble.map, folder);
    expect((await checkHandbook(pebble.harness, folder)).problems).toEqual([]);
  });
});

describe('fault 15: twenty words of prose for a line of code', () => {
  it('a unit page fits a screen, its prose 150 words, and tests are on no page', async () => {
    for (const page of pages()) {
      const prose = page.markdown
        .replace(/```[\s\S]*?```/g, '')
        .split('\n')
        .filter((line) => !/^\s*(?:#|-|\d+\.)/.test(line))
        .map((line) => line.replace(/\]\([^)]*\)/g, ''))
        .join(' ');
      expect(prose.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(150);
      if (page.path.startsWith('units/')) expect(page.markdown.split('\n').length).toBeLessThanOrEqual(70);
      if (page.path === 'index.md') expect(page.markdown.split('\n').length).toBeLessThanOrEqual(90);
      expect(page.markdown).not.toMatch(/\(\.\.\/[^)]*\btests?\//);
    }
  });

  it('a description by a person or a model is not longer than that either', async () => {
    const long = `${'word '.repeat(149)}end.`;
    const units = { [loop]: { by: 'person' as const, description: `${long} More ${'and more '.repeat(40)}.` } };
    await writeFile(join(pebble.folder, '.harnessmith', 'handbook.json'), JSON.stringify({ schemaVersion: 1, units }));
    pebble = await pebble.rebuild();
    const page = pages().find((one) => one.path === unitPagePath(loop))?.markdown ?? '';
    expect(page).toContain('more in handbook.json');
    expect(page).not.toContain('and more and more');
  });
});
