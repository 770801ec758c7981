import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkHandbook,
  exportHandbook,
  readMap,
  renderPages,
  unitPagePath,
  writePages,
} from '../../../src/core/handbook';
import { type BuiltHarness, built, builtFixture } from '../../fixtureHarness';

let pebble: BuiltHarness;
let out: string;
beforeAll(async () => {
  pebble = await builtFixture('pebble');
  out = join(pebble.folder, 'docs', 'handbook');
});
afterAll(() => pebble.remove());

/** Every link of a page as path without anchor, with its line range. */
function links(markdown: string): { target: string; start: number; end: number }[] {
  return [...markdown.matchAll(/\]\(([^)#]+)(?:#L(\d+)(?:-L(\d+))?)?\)/g)].map((match) => ({
    target: decodeURIComponent(match[1] ?? ''),
    start: Number(match[2] ?? 0),
    end: Number(match[3] ?? match[2] ?? 0),
  }));
}

describe('renderPages', () => {
  it('gives the same bytes twice, also from a new index', async () => {
    const first = renderPages(pebble.map, pebble.graph, out);
    await rm(join(pebble.folder, '.harnessmith'), { recursive: true, force: true });
    const again = await pebble.rebuild();
    expect(renderPages(again.map, again.graph, out)).toEqual(first);
    expect(JSON.stringify(again.map)).toBe(JSON.stringify(pebble.map));
  });

  it('has an index, a page a stage and a page a unit, with names of their own', () => {
    const paths = renderPages(pebble.map, pebble.graph, out).map((page) => page.path);
    expect(paths[0]).toBe('index.md');
    expect(paths).toHaveLength(1 + pebble.map.stages.length + pebble.map.units.length);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
  });

  it('links only to pages that exist and to lines that exist', async () => {
    const pages = renderPages(pebble.map, pebble.graph, out);
    const known = new Set(pages.map((page) => join(out, page.path)));
    let checked = 0;
    for (const page of pages) {
      for (const { target, start, end } of links(page.markdown)) {
        const path = join(out, page.path, '..', target);
        if (start === 0) expect(known).toContain(path);
        else {
          const lines = (await readFile(path, 'utf8')).split('\n').length;
          expect(start).toBeLessThanOrEqual(end);
          expect(end).toBeLessThanOrEqual(lines);
        }
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(200);
  });

  it('keeps unit pages to one screen', () => {
    for (const page of renderPages(pebble.map, pebble.graph, out)) {
      if (!page.path.startsWith('units/')) continue;
      const prose = page.markdown
        .split('\n')
        .filter((line) => !/^(#|-|\d+\.|\s*$)/.test(line))
        .join(' ');
      expect(prose.split(/\s+/).length).toBeLessThanOrEqual(150);
      expect(page.markdown.split('\n').length).toBeLessThan(80);
    }
  });

  it('says on the first page what a run does, in order, and where limits are', () => {
    const index = renderPages(pebble.map, pebble.graph, out)[0]?.markdown ?? '';
    expect(index).toContain('A run starts in `main` and turns in `Agent.run`.');
    expect(index).toMatch(
      /limits check, compaction, model call, .*response parsing, tool dispatch, observation shaping and \d+ more kinds/,
    );
    expect(index).toMatch(/agent\.step\\_limit\]\(.*\) = `30`/);
    expect(index).toContain('`run_shell`');
  });

  it('changes few pages when one constant changes', async () => {
    const before = new Map(renderPages(pebble.map, pebble.graph, out).map((page) => [page.path, page.markdown]));
    const file = join(pebble.folder, 'config', 'default.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('step_limit: 30', 'step_limit: 45'));
    const after = await pebble.rebuild();
    const changed = renderPages(after.map, after.graph, out).filter((page) => before.get(page.path) !== page.markdown);
    expect(changed.map((page) => page.path).sort()).toEqual(
      ['index.md', unitPagePath('unit:config_defaults:config/default.yaml')].sort(),
    );
    await writeFile(file, text);
  });

  it('changes few pages when a constant in code changes', async () => {
    const before = new Map(renderPages(pebble.map, pebble.graph, out).map((page) => [page.path, page.markdown]));
    const file = join(pebble.folder, 'pebble', 'agent.py');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('> 40', '> 60'));
    const after = await pebble.rebuild();
    const changed = renderPages(after.map, after.graph, out).filter((page) => before.get(page.path) !== page.markdown);
    expect(changed.length).toBeLessThanOrEqual(3);
    expect(after.map.units.map((unit) => unit.id)).toEqual(pebble.map.units.map((unit) => unit.id));
    await writeFile(file, text);
  });

  it('does not let text of the source become markup', async () => {
    const graph = pebble.graph;
    const map = structuredClone(pebble.map);
    const unit = map.units[0];
    if (unit) unit.title = '<img src=x> [link](http://x) `code`';
    const pages = renderPages(map, graph, out);
    for (const page of pages) expect(page.markdown).not.toMatch(/(?<!\\)<img/);
    expect(pages.some((page) => page.markdown.includes('\\[link\\](http://x)'))).toBe(true);
  });
});

describe('the first page of what is no usual harness', () => {
  it('shows the texts of a folder of skills, and leaves out what there is nothing to say of', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'harnessmith-skills-'));
    await mkdir(join(folder, 'skills', 'review'), { recursive: true });
    await writeFile(join(folder, 'skills', 'review', 'SKILL.md'), '---\nname: review\n---\n\nRead the diff.\n');
    const skills = await built(folder);
    const index = renderPages(skills.map, skills.graph)[0]?.markdown ?? '';
    expect(index).toContain('No agent loop was found');
    expect(index).toMatch(/- Text for the model: \[Prompt text: skills\/review\/SKILL\.md\]/);
    expect(index).not.toContain('Life cycle');
    await skills.remove();
  });

  it('says of an empty folder that nothing was found', async () => {
    const empty = await built(await mkdtemp(join(tmpdir(), 'harnessmith-empty-')));
    const pages = renderPages(empty.map, empty.graph);
    expect(pages).toHaveLength(1);
    expect(pages[0]?.markdown).toContain('Neither code nor text for a model was found.');
    expect(pages[0]?.markdown).not.toMatch(/## (Stages|Where|Life)/);
    expect(pages[0]?.markdown).toContain('## Looked for and not found');
    await empty.remove();
  });
});

describe('a handbook inside the repository', () => {
  it.each(['handbook', 'docs/handbook', 'prompts/handbook'])('in %s is no part of the harness', async (place) => {
    const inside = join(pebble.folder, place);
    await exportHandbook(pebble.map, pebble.graph, inside, ['md', 'html', 'json']);
    const { map } = await pebble.rebuild();
    expect(map).toEqual(pebble.map);
    expect((await checkHandbook(pebble.harness, inside)).problems).toEqual([]);
    await rm(inside, { recursive: true });
  });
});

describe('writePages', () => {
  it('writes pages and map, removes pages of gone units and leaves other files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'harnessmith-pages-'));
    const pages = renderPages(pebble.map, pebble.graph, folder);
    await writePages(pages, pebble.map, folder);
    expect(await readMap(folder)).toEqual(pebble.map);
    await writeFile(join(folder, 'units', 'notes.md'), 'mine');
    const fewer = { ...pebble.map, units: pebble.map.units.slice(1) };
    await writePages(
      pages.filter((page) => page.path !== unitPagePath(pebble.map.units[0]?.id ?? '')),
      fewer,
      folder,
    );
    const names = await readdir(join(folder, 'units'));
    expect(names).toContain('notes.md');
    expect(names).toHaveLength(pebble.map.units.length);
    await rm(folder, { recursive: true });
  });

  it('names the file when there is no map to read', async () => {
    await expect(readMap(join(tmpdir(), 'harnessmith-nothing-here'))).rejects.toThrow(/map\.json/);
  });

  it('says to write the handbook again when its map is no map: nobody wrote that by hand', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'harnessmith-map-'));
    for (const text of ['garbage', '[]']) {
      await writeFile(join(folder, 'map.json'), text);
      await expect(readMap(folder)).rejects.toMatchObject({
        nextStep: expect.stringContaining('harnessmith handbook'),
      });
    }
    await rm(folder, { recursive: true });
  });
});
