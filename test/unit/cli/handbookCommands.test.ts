import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HandbookExport } from '../../../src/core/handbook';
import { honest, writes } from '../handbook/refine/scriptedModel';
import { startModelServer } from '../models/modelServer';
import { documentOf, textOf } from './documents';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harnessmith-handbook-cli-'));
  await cp(join(import.meta.dirname, '../../fixtures/harnesses/pebble'), folder, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const retry = 'unit:retry:pebble/model.py#ChatModel';

describe('handbook --format', () => {
  it('writes each format that is asked for into one folder, and names the files', async () => {
    const out = join(folder, 'out');
    const { document } = await documentOf('handbook', folder, 'handbook', '--format', 'html, json', '--out', out);
    expect(document.written).toEqual([
      { format: 'html', path: join(out, 'handbook.html') },
      { format: 'json', path: join(out, 'handbook.json') },
    ]);
    expect(document.pages).toEqual([]);
    const exported = HandbookExport.parse(JSON.parse(await readFile(join(out, 'handbook.json'), 'utf8')));
    expect(exported.map.units.length).toBe(document.units);
    expect(await readFile(join(out, 'handbook.html'), 'utf8')).toContain('<!doctype html>');
    await rm(out, { recursive: true });
  });

  it('names the formats when one is unknown', async () => {
    const { document, exitCode } = await documentOf('error', folder, 'handbook', '--format', 'pdf');
    expect([exitCode, document.error.nextStep]).toEqual([2, 'Formats: md, html, json; several with commas.']);
  });
});

describe('handbook edit', () => {
  const edit = (...args: string[]) => documentOf('handbook-edit', folder, 'handbook', 'edit', ...args);

  it('renames a unit named by title, id or place, and takes it back', async () => {
    const derived = HandbookExport.parse(await exported()).map.units.find((unit) => unit.id === retry);
    const { document } = await edit('rename', derived?.title.toUpperCase() ?? '', 'Ask again');
    expect(document.unit).toMatchObject({ id: retry, title: 'Ask again' });
    expect((await edit('describe', retry.slice('unit:'.length), 'Waits a little.')).document.unit.summary).toBe(
      'Waits a little.',
    );
    const { map } = HandbookExport.parse(await exported());
    const site = map.units.find((unit) => unit.id === retry)?.sites[0];
    expect((await edit('rename', `${site?.file}:${site?.start}`, '--back')).document.unit.title).toBe(derived?.title);
    expect((await edit('undo')).document.done).toContain('Taken back: Rename');
    expect((await edit('undo')).document.done).toContain('Describe');
    expect((await edit('undo')).document.done).toContain('Rename');
    expect((await edit('undo')).exitCode).toBe(1);
  });

  it('moves units and definitions, merges and separates', async () => {
    expect((await edit('move', retry, 'finish')).document.unit.stage).toBe('finish');
    expect((await edit('move', retry, '--back')).document.unit.stage).toBe('side_flow');
    const moved = await edit('move', 'pebble/environment.py#truncate_output', retry);
    expect(moved.document.unit.id).toBe(retry);
    expect(moved.document.placement.moved).toEqual({ 'pebble/environment.py#truncate_output': retry });
    await edit('move', 'pebble/environment.py#truncate_output', '--back');
    const into = 'unit:config_load:pebble/cli.py';
    expect((await edit('merge', retry, into)).document.unit.id).toBe(into);
    const list = await textOf(folder, 'handbook', 'edit', 'list');
    expect(list.text).toContain(`${retry} is a part of`);
    expect((await edit('separate', retry)).document.unit.id).toBe(retry);
    await edit('pin', retry);
    expect((await exported()).map.units.find((unit: { id: string }) => unit.id === retry).pinned).toBe(true);
    await edit('unpin', retry);
    expect((await edit('list')).document.done).toBe('Nothing was added.');
  });

  it('names units that come near, and what is missing', async () => {
    const { document, exitCode } = await documentOf('error', folder, 'handbook', 'edit', 'rename', 'retry', 'x');
    expect(exitCode).toBe(2);
    expect(document.error.nextStep).toContain(retry);
    for (const args of [
      ['rename', retry],
      ['rename', retry, 'x', '--back'],
      ['rename', retry, ' \n'],
      ['describe', retry, ''],
    ])
      expect((await documentOf('error', folder, 'handbook', 'edit', ...args)).exitCode).toBe(2);
    expect((await documentOf('error', folder, 'handbook', 'edit', 'forget', retry)).exitCode).toBe(2);
  });

  async function exported() {
    await documentOf('handbook', folder, 'handbook', '--format', 'json');
    return JSON.parse(await readFile(join(folder, '.harnessmith/cache/handbook/handbook.json'), 'utf8'));
  }
});

describe('handbook --check', () => {
  it('says that it wrote the pages when there were none', async () => {
    const out = join(folder, 'unwritten');
    const first = await documentOf('handbook-check', folder, 'handbook', '--check', '--out', out);
    expect([first.exitCode, first.stderr]).toEqual([0, expect.stringContaining('There were no pages')]);
    const second = await documentOf('handbook-check', folder, 'handbook', '--check', '--out', out);
    expect(second.stderr).not.toContain('There were no pages');
    await rm(out, { recursive: true });
  });
});

describe('handbook --llm', () => {
  const llm = (...args: string[]) => documentOf('handbook', folder, 'handbook', '--llm', ...args);

  it('needs a model', async () => {
    expect((await documentOf('error', folder, 'handbook', '--llm')).document.error.code).toBe('model-missing');
  });

  it('shows the cost and asks nothing where nobody can be asked; with --yes it writes and shows what was used', async () => {
    const server = await startModelServer(writes(honest));
    const model = { provider: 'openai-compatible', model: 'm', baseUrl: server.baseUrl };
    await mkdir(join(folder, '.harnessmith'), { recursive: true });
    await writeFile(join(folder, '.harnessmith', 'harness.json'), JSON.stringify({ model }));
    const shown = await llm('--units', '2', '--price', '1,2');
    expect(shown.stderr).toMatch(/asked about 2 units in 1 batch: about \d+ to \d+ tokens, .*\$/);
    expect(shown.stderr).toContain('Add --yes');
    expect([server.requests.length, shown.document.refined.result]).toEqual([0, null]);
    const done = await llm('--units', '2', '--price', '1,2', '--yes');
    expect(done.stderr).toMatch(/wrote about 2 units; 0 statements dropped\.\nUsed: 22 tokens in, 14 out in 2 calls, /);
    expect(done.document.refined.result.units).toHaveLength(2);
    expect((await documentOf('handbook-check', folder, 'handbook', '--check')).exitCode).toBe(0);
    const again = await llm('--units', '2', '--yes');
    expect(again.stderr).toContain('2 units were done before');
    const removed = await documentOf('handbook-edit', folder, 'handbook', 'edit', 'remove-model-words');
    expect(removed.document.done).toContain('4 units');
  });

  it('fails as an environment problem when the model answers nothing, and says where to look', async () => {
    const server = await startModelServer({ status: 401, body: '{"error":{"message":"no such key"}}' });
    const model = { provider: 'openai-compatible', model: 'm', baseUrl: server.baseUrl };
    await writeFile(join(folder, '.harnessmith', 'harness.json'), JSON.stringify({ model }));
    const { document, exitCode } = await documentOf('error', folder, 'handbook', '--llm', '--again', '--yes');
    expect([exitCode, document.error.code]).toEqual([3, 'model-unavailable']);
    expect(document.error.nextStep).toContain('harness.json');
  });

  it('refuses options that are no numbers', async () => {
    for (const args of [
      ['--price', '3'],
      ['--rounds', 'x'],
      ['--token-budget', '0'],
    ])
      expect((await documentOf('error', folder, 'handbook', '--llm', ...args)).exitCode).toBe(2);
  });
});
