import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storePaths } from '../../../src/core/store';
import { addToCatalog, loadCatalog, removeFromCatalog } from '../../../src/core/traces';
import { atifDocument, temporaryFolders, writeFiles } from './helpers';

const folder = temporaryFolders();

describe('catalog', () => {
  it('is empty for a harness without traces, and makes no files', async () => {
    const root = await folder('root');
    expect(await loadCatalog(root)).toEqual({ runs: [], unknown: [], outcomeFiles: [] });
    await expect(stat(storePaths(root).folder)).rejects.toThrow();
  });

  it('holds what harness.json names and what was imported, each file once', async () => {
    const root = await folder('root');
    const elsewhere = await folder();
    await writeFiles(root, {
      '.harnessmith/harness.json': { traces: ['traces'] },
      'traces/a.json': atifDocument({ session_id: 'a' }),
    });
    await writeFiles(elsewhere, { 'b.json': atifDocument({ session_id: 'b' }), 'package.json': {} });
    await addToCatalog(root, [elsewhere, join(root, 'traces/a.json')]);
    await addToCatalog(root, [elsewhere]);
    const { runs, unknown } = await loadCatalog(root);
    expect(runs.map((run) => run.sessionId)).toEqual(['a', 'b']);
    expect(unknown).toHaveLength(1);
    const { runs: left } = await removeFromCatalog(root, [elsewhere]);
    expect(left.map((run) => run.sessionId)).toEqual(['a']);
  });

  it('reads changed files again and takes unchanged ones from the cache', async () => {
    const root = await folder('root');
    const file = join(root, 'one.json');
    await writeFiles(root, { 'one.json': atifDocument({ session_id: 'first' }) });
    const written = new Date('2026-01-01T00:00:00Z');
    await utimes(file, written, written);
    await addToCatalog(root, [file]);
    // Same size and time: what is shown now can only come from the cache.
    await writeFile(file, JSON.stringify(atifDocument({ session_id: 'FIRST' })));
    await utimes(file, written, written);
    expect((await loadCatalog(root)).runs[0]?.sessionId).toBe('first');
    await writeFile(file, JSON.stringify(atifDocument({ session_id: 'second' })));
    expect((await loadCatalog(root)).runs[0]?.sessionId).toBe('second');
  });

  it('sees a verdict that was written after the trace was cached', async () => {
    const root = await folder('root');
    await writeFiles(root, { 't/trajectory.json': atifDocument() });
    expect((await addToCatalog(root, [join(root, 't')])).runs[0]?.outcome.verdict).toBe('unknown');
    await writeFiles(root, { 't/result.json': { trial_name: 'x', verifier_result: { rewards: { reward: 0 } } } });
    expect((await loadCatalog(root)).runs[0]?.outcome.verdict).toBe('fail');
  });

  it('survives a broken cache and tells of a recorded path that is gone', async () => {
    const root = await folder('root');
    const place = await folder();
    await writeFiles(place, { 'a.json': atifDocument(), 'gone/b.json': atifDocument() });
    await addToCatalog(root, [join(place, 'a.json'), join(place, 'gone')]);
    await writeFile(join(storePaths(root).cache, 'traces.json'), '{"version": 3, "files": ');
    await rm(join(place, 'gone'), { recursive: true });
    const { runs, unknown } = await loadCatalog(root);
    expect(runs).toHaveLength(1);
    expect(unknown[0]).toMatchObject({ file: join(place, 'gone') });
    expect(unknown[0]?.reason).toContain('no longer exists');
  });

  it('records nothing when a path does not exist, and names a broken record file', async () => {
    const root = await folder('root');
    await expect(addToCatalog(root, [join(root, 'nothing')])).rejects.toMatchObject({ code: 'path-missing' });
    await expect(readFile(storePaths(root).imports, 'utf8')).rejects.toThrow();
    await writeFiles(root, { '.harnessmith/imports.json': '{"schemaVersion": 1, "paths": "x"}' });
    await expect(loadCatalog(root)).rejects.toMatchObject({ exitCode: 2 });
  });
});
