import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gitLines, pathOfGit } from '../../../src/core/harness/historyLines';

async function* chunks(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function linesOf(text: string, sizes: readonly number[] = [7]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of gitLines(chunks(Buffer.from(text), sizes))) lines.push(line);
  return lines;
}

describe('lines of git', () => {
  it('are the same however the output is cut, also inside of a letter', async () => {
    const letters = fc.string({ unit: fc.constantFrom(...'ab\n\r\u2028\u2029ü日\u{1f600}\0'), maxLength: 60 });
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(letters, sizes, async (text, cuts) => {
        const expected = text.split('\n').map((line) => line.replace(/\r$/, ''));
        if (text === '' || text.endsWith('\n')) expected.pop();
        expect(await linesOf(text, cuts)).toEqual(expected);
      }),
    );
  });

  it('that are too long are cut, and the next one is whole', async () => {
    const [long, next] = await linesOf(`${'x'.repeat(200_000)}\nnext\n`, [4_096, 1]);
    expect(long?.length).toBeLessThanOrEqual(8_192);
    expect(next).toBe('next');
  });
});

describe('paths of git', () => {
  it('in quotes are what git makes of them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'harnessmith-quoted-'));
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const letter = fc.constantFrom(...'a "\\\n\t\r\u0001\u007fü日');
    fc.assert(
      fc.property(fc.string({ unit: letter, minLength: 1, maxLength: 12 }), fc.boolean(), (name, quoting) => {
        const blob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';
        execFileSync('git', ['update-index', '-z', '--add', '--index-info'], {
          cwd: folder,
          input: `100644 ${blob}\t${name}\0`,
        });
        const args = ['-c', `core.quotePath=${quoting}`, 'ls-files', '--cached'];
        const listed = execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
        expect(listed.split('\n').map(pathOfGit)).toContain(name);
      }),
      { numRuns: 8 },
    );
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['plain.py', 'plain.py'],
    ['"open.py', '"open.py'],
    ['with "quotes" inside', 'with "quotes" inside'],
    ['"a\\"b"', 'a"b'],
    ['"\\303\\274.py"', 'ü.py'],
    ['"tab\\there"', 'tab\there'],
  ])('%s is %s', (printed, path) => {
    expect(pathOfGit(printed)).toBe(path);
  });
});
