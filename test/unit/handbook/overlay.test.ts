import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyOverlay, loadOverlay, saveOverlay } from '../../../src/core/handbook';
import { type BuiltHarness, builtFixture } from '../../fixtureHarness';

let plain: BuiltHarness;
beforeEach(async () => {
  plain = await builtFixture('plain');
});
afterEach(() => plain.remove());

const unit = 'unit:other:src/shapes.js#Square';

describe('the overlay', () => {
  it('puts words of a person on the derived map and says so', async () => {
    await saveOverlay(plain.harness, {
      schemaVersion: 1,
      units: { [unit]: { title: 'Squares', description: 'All with four sides.', by: 'person' } },
    });
    const { map } = await plain.rebuild();
    const found = map.units.find((candidate) => candidate.id === unit);
    expect(found).toMatchObject({ title: 'Squares', summary: 'All with four sides.', edited: 'person' });
    expect(plain.map.units.find((candidate) => candidate.id === unit)?.edited).toBeUndefined();
  });

  it('moves a unit to another stage, and not to one that does not exist', () => {
    const moved = applyOverlay(plain.map, { schemaVersion: 1, units: { [unit]: { stage: 'configure', by: 'model' } } });
    expect(moved.stages.find((stage) => stage.id === 'configure')?.units).toContain(unit);
    expect(moved.stages.filter((stage) => stage.units.includes(unit))).toHaveLength(1);
    const stays = applyOverlay(plain.map, { schemaVersion: 1, units: { [unit]: { stage: 'nowhere', by: 'model' } } });
    expect(stays.units.find((candidate) => candidate.id === unit)?.stage).toBe('subsystem:src');
  });

  it('is written with sorted keys', async () => {
    await saveOverlay(plain.harness, { schemaVersion: 1, units: { b: { by: 'person' }, a: { by: 'person' } } });
    expect(Object.keys((await loadOverlay(plain.harness)).units)).toEqual(['a', 'b']);
  });

  it('names the place of a mistake', async () => {
    await mkdir(join(plain.folder, '.harnessmith'), { recursive: true });
    await writeFile(
      join(plain.folder, '.harnessmith', 'handbook.json'),
      JSON.stringify({ schemaVersion: 1, units: { x: { titel: 'typo', by: 'person' } } }),
    );
    await expect(loadOverlay(plain.harness)).rejects.toThrow(/handbook\.json.*units.*x/s);
  });
});
