/** Repositories that are no harness by themselves: calls of a model without a loop, skills, and files that hold state. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderPages } from '../../../../src/core/handbook';
import { type BuiltHarness, unitsOf } from '../../../fixtureHarness';
import { harnessOf } from './harnessOf';

const library = `import json

import openai

client = openai.OpenAI()
DONE = "state.json"


def translate(text):
    return client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}])


def rate(text):
    return client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Rate: " + text}])


def remember(words):
    with open("seen.json", "w") as file:
        json.dump(words, file)
`;

const skill = `---
name: release-notes
description: >-
  Writes the notes of a release from the
  commits since the last one.
---

# How to

Read the log first.
`;

describe('a repository without a loop', () => {
  let harness: BuiltHarness;
  let page: string;
  beforeAll(async () => {
    harness = await harnessOf({ 'words/library.py': library, 'skills/release-notes/SKILL.md': skill });
    page = renderPages(harness.map, harness.graph, harness.folder)[0]?.markdown ?? '';
  });
  afterAll(() => harness.remove());

  it('says so, and shows where it asks a model all the same', () => {
    expect(harness.map.loops).toEqual([]);
    expect(page).toContain('No agent loop was found');
    expect(page).toMatch(/- Model call: \[.*library\.py/);
  });

  it('says of a skill what the skill says of itself', () => {
    const texts = unitsOf(harness.map, 'system_prompt');
    expect(texts.map((unit) => unit.summary).join()).toContain(
      'A skill, which says of itself "Writes the notes of a release from the commits since the last one.".',
    );
  });

  it('keeps short texts that name a file', () => {
    const literals = harness.graph.data.literals.map((literal) => literal.parts.join(''));
    expect(literals).toEqual(expect.arrayContaining(['state.json', 'seen.json']));
  });
});
