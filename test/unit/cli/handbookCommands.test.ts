import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HandbookExport } from '../../../src/core/handbook';
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
    const { document } = await edit('rename', 'Retry: ChatModel', 'Ask again');
    expect(document.unit).toMatchObject({ id: retry, title: 'Ask again' });
    expect((await edit('describe', retry.slice('unit:'.length), 'Waits a little.')).document.unit.summary).toBe(
      'Waits a little.',
    );
    const { map } = HandbookExport.parse(await exported());
    const site = map.units.find((unit) => unit.id === retry)?.sites[0];
    expect((await edit('rename', `${site?.file}:${site?.start}`, '--back')).document.unit.title).toBe(
      'Retry: ChatModel',
    );
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
    ])
      expect((await documentOf('error', folder, 'handbook', 'edit', ...args)).exitCode).toBe(2);
    expect((await documentOf('error', folder, 'handbook', 'edit', 'forget', retry)).exitCode).toBe(2);
  });

  async function exported() {
    await documentOf('handbook', folder, 'handbook', '--format', 'json');
    return JSON.parse(await readFile(join(folder, '.harnessmith/cache/handbook/handbook.json'), 'utf8'));
  }
});
