import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WriteStream } from 'node:tty';
import { Command } from 'commander';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { answerWith, type CommandContext, newCommand } from '../../../src/cli/command';
import { barText, progressBar } from '../../../src/cli/progressBar';
import { jsonSchemas } from '../../../src/cli/schemas';
import { CancelledError, EnvironmentError, InputError, throwIfCancelled } from '../../../src/core/errors';
import { publishedSchema } from './documents';

/** Runs a command made for the test; catches what it writes and the exit code it sets. */
async function runWork(
  work: (context: CommandContext) => Promise<{ document: unknown; text: string; ok?: boolean; file?: boolean }>,
  args: string[] = [],
) {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk, ...rest) => {
      written[name] += String(chunk);
      for (const done of rest) if (typeof done === 'function') (done as () => void)();
      return true;
    }),
  );
  const before = process.exitCode;
  const command = newCommand('probe', 'a command for the test');
  answerWith(command, work);
  try {
    await new Command('program').addCommand(command).parseAsync(['probe', ...args], { from: 'user' });
    return { ...written, exitCode: process.exitCode };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}

describe('a command', () => {
  it.each([
    ['a yes', async () => ({ document: {}, text: '' }), 0],
    ['a no', async () => ({ document: {}, text: '', ok: false }), 1],
    ['wrong input', () => Promise.reject(new InputError('x', { code: 'c', nextStep: 'n' })), 2],
    ['a missing program', () => Promise.reject(new EnvironmentError('x', { code: 'c', nextStep: 'n' })), 3],
    ['a cancel', () => Promise.reject(new CancelledError()), 130],
  ] as const)('%s sets the exit code of docs/cli.md', async (_name, work, exitCode) => {
    expect((await runWork(work)).exitCode).toBe(exitCode);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'is cancelled by %s, ends with 130 and leaves no listener',
    async (signal) => {
      const before = process.listenerCount(signal);
      const result = await runWork(
        async ({ signal: cancel }) => {
          expect(process.listenerCount(signal)).toBe(before + 1);
          process.emit(signal);
          throwIfCancelled(cancel, 'The probe');
          return { document: {}, text: 'went on' };
        },
        ['--json'],
      );
      expect(result.exitCode).toBe(130);
      expect(publishedSchema('error').parse(JSON.parse(result.stdout))).toMatchObject({ error: { code: 'cancelled' } });
      expect(process.listenerCount(signal)).toBe(before);
    },
  );

  it('calls any error after Ctrl-C a cancel, since what breaks then broke because of it', async () => {
    const { exitCode, stderr } = await runWork(async () => {
      process.emit('SIGINT');
      throw new Error('the stream was destroyed');
    });
    expect(exitCode).toBe(130);
    expect(stderr).not.toContain('stream was destroyed');
  });

  it('keeps notes and errors out of the answer', async () => {
    const good = await runWork(async ({ note }) => {
      note('on the way');
      return { document: { n: 1 }, text: 'answer' };
    });
    expect(good).toMatchObject({ stdout: 'answer\n', stderr: 'on the way\n' });
    const bad = await runWork(() =>
      Promise.reject(new InputError('It is wrong.', { code: 'c', nextStep: 'Mend it.' })),
    );
    expect(bad).toMatchObject({ stdout: '', stderr: 'It is wrong.\nMend it.\n' });
  });

  it('lets no text of a trace, a model or a name steer the terminal', async () => {
    const hostile = 'a\u001b[2Jb\u009b1m\rc\u202ed\ttab\nline';
    const clean = 'a\u00b7[2Jb\u00b71m\u00b7c\u00b7d\ttab\nline\n';
    const good = await runWork(async ({ note }) => {
      note(hostile);
      return { document: { hostile }, text: hostile };
    });
    expect(good).toMatchObject({ stdout: clean, stderr: clean });
    const bad = await runWork(() => Promise.reject(new InputError(hostile, { code: 'c', nextStep: hostile })));
    expect(bad.stderr).toBe(clean + clean);
    const document = await runWork(async () => ({ document: { hostile }, text: '' }), ['--json']);
    expect(JSON.parse(document.stdout)).toMatchObject({ hostile });
  });

  it('passes a patch on byte for byte', async () => {
    const patch = '@@ -1,2 +1,2 @@\n-a\r\n+b\r\n \n';
    const piped = await runWork(async () => ({ document: {}, text: patch, file: true }));
    expect(piped.stdout).toBe(patch);
  });

  it('says what to report when something fails that should not, without a stack', async () => {
    const { stdout, stderr, exitCode } = await runWork(
      () => Promise.reject(new TypeError('x is undefined')),
      ['--json'],
    );
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'internal',
      message: expect.stringContaining('x is undefined'),
    });
    expect(stderr).toContain('HARNESSMITH_DEBUG=1');
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('the progress bar', () => {
  const terminal = (columns: number, isTTY = true) => {
    const written: string[] = [];
    const stream = { isTTY, columns, write: (text: string) => written.push(text) } as unknown as WriteStream;
    return { written, bar: progressBar(stream) };
  };

  it('is silent where the stream is no terminal', () => {
    const { written, bar } = terminal(80, false);
    bar.report({ message: 'Parsing', done: 1, total: 2 });
    bar.clear();
    expect(written).toEqual([]);
  });

  it('stays on its line, is drawn at most ten times a second, and is wiped once', () => {
    vi.useFakeTimers({ now: 1_000_000 });
    try {
      const { written, bar } = terminal(20);
      for (let done = 0; done < 100; done++) {
        bar.report({ message: 'Parsing a long name', done, total: 100 });
        vi.advanceTimersByTime(10);
      }
      // 100 reports in one second.
      expect(written).toHaveLength(10);
      for (const text of written) {
        expect(text.startsWith('\r\u001b[K')).toBe(true);
        expect(text.slice('\r\u001b[K'.length).length).toBeLessThan(20);
      }
      bar.clear();
      bar.clear();
      expect(written.slice(10)).toEqual(['\r\u001b[K']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('fills from left to right and never beyond its width', () => {
    const filled = (done: number, total: number) => /^\[(#*)(-*)\]/.exec(barText('m', done, total))!;
    fc.assert(
      fc.property(fc.nat(2000), fc.nat(2000), fc.integer({ min: 1, max: 1000 }), (a, b, total) => {
        const [less, more] = [filled(Math.min(a, b), total), filled(Math.max(a, b), total)];
        expect(less[1]!.length).toBeLessThanOrEqual(more[1]!.length);
        for (const match of [less, more]) expect(match[1]!.length + match[2]!.length).toBe(24);
      }),
    );
  });
});

describe('the published schemas', () => {
  const folder = join(import.meta.dirname, '../../../docs/schema');

  it('are those of the code, one file for each document and none besides', () => {
    const made = jsonSchemas();
    expect(readdirSync(folder).sort()).toEqual(
      Object.keys(made)
        .map((name) => `${name}.schema.json`)
        .sort(),
    );
    for (const [name, schema] of Object.entries(made)) {
      const published = JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8'));
      expect(published).toMatchObject(JSON.parse(JSON.stringify(schema)));
    }
  });

  it('refuse a document of another version', () => {
    const error = { code: 'c', message: 'm', nextStep: 'n' };
    expect(publishedSchema('error').safeParse({ schemaVersion: 1, error }).success).toBe(true);
    expect(publishedSchema('error').safeParse({ schemaVersion: 2, error }).success).toBe(false);
  });
});
