import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { templateNames, templateParts, tokenizeTemplate } from '../../../src/core/graph/artifacts';

describe('tokenizeTemplate', () => {
  it('cuts outputs, statements and comments', () => {
    const kinds = tokenizeTemplate('Hi {{ name }}{% if x %}!{% endif %}{# note #}', 'jinja').map((token) => token.kind);
    expect(kinds).toEqual(['text', 'output', 'statement', 'text', 'statement', 'comment']);
  });

  it('keeps closing braces inside quotes in the tag', () => {
    const [tag, rest] = tokenizeTemplate('{{ "}}" }} end', 'jinja');
    expect(tag?.source).toBe('{{ "}}" }}');
    expect(rest?.source).toBe(' end');
  });

  it('takes an unclosed tag as text', () => {
    expect(templateParts('a {{ b', 'jinja')).toEqual(['a {{ b']);
  });

  it('sees {name} and ${name} only in prompt style', () => {
    expect(templateParts('Fix {issue} in ${repo}.', 'prompt')).toEqual(['Fix ', null, ' in ', null, '.']);
    expect(templateParts('Fix {issue}.', 'jinja')).toEqual(['Fix {issue}.']);
  });

  it('leaves JSON shown to the model alone', () => {
    expect(templateParts('Answer {"tool": "x", "n": {}}', 'prompt')).toEqual(['Answer {"tool": "x", "n": {}}']);
  });

  it('applies white space control and drops comments', () => {
    expect(templateParts('a  {%- if x -%}  b {# c #}d', 'jinja')).toEqual(['a', null, 'b d']);
  });

  it('tells the names a template needs once each', () => {
    expect(templateNames('{{ task.title }} {{ tools|join }} {task}', 'prompt')).toEqual([
      'task.title',
      'tools',
      'task',
    ]);
  });

  it('tokens always join to the text, and cover it without gaps', () => {
    const piece = fc.constantFrom(
      '{{',
      '}}',
      '{%',
      '%}',
      '{#',
      '#}',
      '{a}',
      '${b}',
      '"',
      "'",
      '\n\n',
      '-',
      'word ',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom('jinja', 'prompt'), (pieces, style) => {
        const text = pieces.join('');
        const tokens = tokenizeTemplate(text, style as 'jinja' | 'prompt');
        expect(tokens.map((token) => token.source).join('')).toBe(text);
        let at = 0;
        for (const token of tokens) {
          expect(token.start).toBe(at);
          at = token.end;
        }
        const parts = templateParts(text, style as 'jinja' | 'prompt');
        for (let i = 1; i < parts.length; i++) expect(parts[i] === null && parts[i - 1] === null).toBe(false);
      }),
    );
  });
});
