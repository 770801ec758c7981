import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FileFacts } from '../../../src/core/graph/fileFacts';
import { languages } from '../../../src/core/graph/languages';
import { splitPlaceholders } from '../../../src/core/graph/syntax/factsBuilder';
import { graphOf } from './sources';

/** Pieces of source in any order: nearer to what editors hold in mid-edit than random characters. */
const pieces = [
  'def f(',
  'class A',
  '(B):',
  'async ',
  'await ',
  'import ',
  'from ',
  'export ',
  'default ',
  'function ',
  '=> ',
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  'self.x = ',
  'this.x = ',
  '"',
  "'",
  '`',
  '${',
  '"""',
  'f"{a}"',
  '\n',
  '\n    ',
  ': ',
  ', ',
  '.',
  '...',
  '@tool',
  'name',
  'a.b.c()',
  'new X()',
  'for x in y',
  'for (const a of b) ',
  'while ',
  'return ',
  '= ',
  'lambda x: ',
  'description',
  "require('x')",
  'module.exports',
  '\u2028',
  '\ud800',
  '<T>',
  'package a\n',
  'func (a *A) f(',
  'type A struct',
  ':= ',
  '&A{x: ',
  'case *A:',
  'switch v := x.(type) ',
  'go func()',
  '//go:embed x.md\n',
  'var x',
  'fn f(&self) -> ',
  'impl A for B {',
  'mod tests {',
  'use super::*;',
  'format!("{x}", ',
  'vec![',
  'match x { A::B(c) => ',
  '#[derive(Setters)]\n',
  'let (a, b) = ',
  '|x| ',
  '?.',
  '::<T>',
];
const source = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join('')),
);

describe('any text', () => {
  test.each(languages.map((language) => [language.id, language] as const))(
    'gives well-formed facts as %s',
    async (_, language) => {
      await fc.assert(
        fc.asyncProperty(source, async (text) => {
          const facts = FileFacts.parse(await language.analyze(text));
          const names = facts.symbols.map(({ qualname }) => qualname);
          expect(new Set(names).size).toBe(names.length);
          for (const { start, end } of [...facts.symbols, ...facts.strings, ...facts.tools]) {
            expect(start).toBeGreaterThanOrEqual(1);
            expect(end).toBeGreaterThanOrEqual(start);
            expect(end).toBeLessThanOrEqual(Math.max(1, facts.lines));
          }
          const scopes = new Set(['', ...names]);
          for (const { scope } of [...facts.calls, ...facts.accesses, ...facts.strings])
            expect(scopes).toContain(scope);
        }),
        { numRuns: 150 },
      );
    },
  );

  test('links: every edge ends in a node', async () => {
    await fc.assert(
      fc.asyncProperty(source, source, source, async (first, second, third) => {
        const { graph } = await graphOf({
          'a.py': first,
          'b.py': `from a import *\n${second}`,
          'c.ts': `import * as d from './d';\n${second}`,
          'd.js': third,
          'e/e.go': `package e\n${first}`,
          'e/f.go': `package e\n${third}`,
          'src/lib.rs': `mod m;\nuse m::*;\n${first}`,
          'src/m.rs': `use super::*;\n${third}`,
          'g.go': `package g\nimport "e"\n${second}`,
        });
        for (const edge of graph.data.edges) {
          expect(graph.node(edge.from), `${edge.kind} from ${edge.from}`).toBeDefined();
          expect(graph.node(edge.to), `${edge.kind} to ${edge.to}`).toBeDefined();
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('placeholders', () => {
  test('cutting keeps every character outside of them', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z ]*$/), { minLength: 1, maxLength: 6 }), (texts) => {
        const joined = splitPlaceholders(texts.join('{{ x }}'))
          .filter((part) => part !== null)
          .join('');
        expect(joined).toBe(texts.join(''));
      }),
    );
  });

  test('two placeholders never touch', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{a}', '%s', ' text ', '{{ b }}', '{%  if c %}'), { maxLength: 12 }),
        (texts) => {
          const parts = splitPlaceholders(texts.join(''), { braces: true, percent: true });
          for (let at = 1; at < parts.length; at++) expect([parts[at - 1], parts[at]]).not.toEqual([null, null]);
        },
      ),
    );
  });
});
