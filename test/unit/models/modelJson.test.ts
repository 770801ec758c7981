import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseModelJson, schemaText } from '../../../src/core/models';

const Note = z.strictObject({ text: z.string(), tags: z.array(z.string()).default([]) });

describe('parseModelJson', () => {
  it.each([
    ['bare', '{"text": "a"}'],
    ['with a byte order mark', '\uFEFF {"text": "a"}\n'],
    ['fenced', 'Here it is:\n```json\n{"text": "a"}\n```\nAnything else?'],
    ['in prose', 'Sure! {"text": "a"} is what you want.'],
    ['after thoughts with braces', '<think>maybe {x} or {"text": 1}?</think>{"text": "a"}'],
    ['after an example that is another object', 'For {"other": 1} I say {"text": "a"}'],
  ])('finds JSON %s', (_, answer) => {
    expect(parseModelJson(answer, Note)).toEqual({ ok: true, value: { text: 'a', tags: [] } });
  });

  it('is not misled by fences and braces inside strings', () => {
    const value = { text: 'use ```py\nx = {\n``` and "}" \\', tags: ['{'] };
    expect(parseModelJson(`\`\`\`json\n${JSON.stringify(value)}\n\`\`\``, Note)).toEqual({ ok: true, value });
  });

  it('lists every issue with its place', () => {
    const result = parseModelJson('{"text": 1, "tags": ["a", 2], "extra": true}', Note);
    expect(result).toMatchObject({ ok: false, value: { text: 1 } });
    expect('problem' in result && result.problem.split('\n')).toEqual([
      expect.stringMatching(/^text: /),
      expect.stringMatching(/^tags\.1: /),
      expect.stringMatching(/extra/),
    ]);
  });

  it.each([
    ['', 'it is empty'],
    ['no json here', 'it contains no complete JSON'],
    ['{"text": "cut of', 'it contains no complete JSON'],
  ])('says what is wrong with %j', (answer, problem) => {
    expect(parseModelJson(answer, Note)).toMatchObject({ ok: false, problem });
  });

  it('finds any value wherever it stands, and never throws', () => {
    const prose = fc.stringMatching(/^[a-z .,\n]{0,30}$/);
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), prose, prose, (text, tags, before, after) => {
        const answer = `${before}${JSON.stringify({ text, tags })}${after}`;
        expect(parseModelJson(answer, Note)).toEqual({ ok: true, value: { text, tags } });
      }),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseModelJson(text, Note)));
    fc.assert(fc.property(fc.stringMatching(/^[{}[\]"\\,:a]{0,200}$/), (text) => void parseModelJson(text, Note)));
  });

  it('ends soon on long unbalanced text', () => {
    expect(parseModelJson('{'.repeat(200_000), Note).ok).toBe(false);
  });

  it('describes the schema for a prompt', () => {
    expect(JSON.parse(schemaText(Note))).toMatchObject({ type: 'object', required: ['text'] });
  });
});
