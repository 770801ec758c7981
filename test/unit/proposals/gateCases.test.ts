import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanCases, plantedCases } from '../../support/gateCases';

const example = resolve('examples/tinker');
const clean = join(import.meta.dirname, '../../fixtures/gates/clean.json');

describe('the gates', () => {
  it('label every planted patch, each by the gate that it was made for and by no other', async () => {
    const cases = await plantedCases(example);
    expect(cases).toHaveLength(40);
    expect(cases.filter(({ gate, objecting }) => !objecting.includes(gate!)).map(({ name }) => name)).toEqual([]);
    // An edit of text that changed meanwhile still fits the text it was made for.
    const others = cases.filter(({ gate, objecting }) => objecting.some((one) => one !== gate));
    expect(others.map(({ name, objecting }) => `${name}: ${objecting.join(', ')}`)).toEqual([]);
  });

  it('name a place or say why for each', async () => {
    for (const { gate, results } of await plantedCases(example)) {
      const { problems } = results.find((one) => one.gate === gate)!;
      expect(problems.every(({ message }) => message !== '')).toBe(true);
      if (gate !== 'premise') expect(problems.every(({ file }) => file !== undefined)).toBe(true);
    }
  });

  it('label no commit from the history of real harnesses', async () => {
    const cases = await cleanCases(clean, example);
    expect(cases).toHaveLength(20);
    const labelled = cases.filter(({ objecting }) => objecting.length > 0);
    expect(
      labelled.map(({ name, results }) => `${name}: ${JSON.stringify(results.filter((one) => !one.passed))}`),
    ).toEqual([]);
  });
});
