import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Statement, statementsOf } from '../../../src/core/handbook/derive/statements';

const python = `    first()
    if a:
        b()
    elif c:
        d()
    else:
        e()
    # a comment
    try:
        f(
            1,
        )
    except KeyError as error:
        g()
    finally:
        h()
    return x`.split('\n');

const typescript = `  const a = one();
  while (a > 0) {
    if (a) {
      two();
    } else {
      three();
    }
  }
  call(
    a,
    b,
  );
  return value
    .map(f)
    .join();`.split('\n');

function outline(statements: readonly Statement[]): unknown[] {
  return statements.map((statement) => [
    statement.start,
    statement.end,
    ...statement.clauses.map((clause) => ({ head: clause.start, body: outline(clause.body) })),
  ]);
}

describe('statementsOf', () => {
  it('cuts Python with its clauses', () => {
    expect(outline(statementsOf(python, 1, python.length))).toEqual([
      [1, 1],
      [2, 7, { head: 2, body: [[3, 3]] }, { head: 4, body: [[5, 5]] }, { head: 6, body: [[7, 7]] }],
      [9, 16, { head: 9, body: [[10, 12]] }, { head: 13, body: [[14, 14]] }, { head: 15, body: [[16, 16]] }],
      [17, 17],
    ]);
  });

  it('cuts TypeScript with braces and calls over several lines', () => {
    expect(outline(statementsOf(typescript, 1, typescript.length))).toEqual([
      [1, 1],
      [2, 8, { head: 2, body: [[3, 7, { head: 3, body: [[4, 4]] }, { head: 5, body: [[6, 6]] }]] }],
      [9, 12],
      [13, 15],
    ]);
  });

  it('is empty for blank lines', () => {
    expect(statementsOf(['', '  '], 1, 2)).toEqual([]);
  });

  it('never overlaps and stays in the range, whatever the lines are', () => {
    const line = fc.constantFrom(
      '',
      '  a()',
      '    b()',
      '  if x:',
      '  else:',
      '  }',
      '  if (x) {',
      '  # c',
      'x',
      '      )',
      '  try:',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        let last = 0;
        const visit = (statements: readonly Statement[], from: number, to: number): void => {
          for (const statement of statements) {
            expect(statement.start).toBeGreaterThanOrEqual(from);
            expect(statement.end).toBeLessThanOrEqual(to);
            expect(statement.end).toBeGreaterThanOrEqual(statement.start);
            for (const clause of statement.clauses) visit(clause.body, statement.start, statement.end);
          }
        };
        const statements = statementsOf(lines, 1, lines.length);
        visit(statements, 1, lines.length);
        for (const statement of statements) {
          expect(statement.start).toBeGreaterThan(last);
          last = statement.end;
        }
      }),
    );
  });
});
