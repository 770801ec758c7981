import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentOf, publishedSchema } from './documents';
import { runCli } from './runCli';

let base: string;
let harness: string;
let small: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'harnessmith-cli-record-')));
  harness = join(base, 'tinker');
  small = join(base, 'small');
  await mkdir(join(small, 'src'), { recursive: true });
  await cp(join(import.meta.dirname, '../../../examples/tinker'), harness, { recursive: true });
});
afterAll(() => rm(base, { recursive: true, force: true }));

const trial = (out: string) => [
  process.execPath,
  join(harness, 'src/main.ts'),
  'run',
  '--task',
  join(harness, 'tasks/archive-reports'),
  '--out',
  out,
  '--seed',
  '2',
];

/** Options stand before the command that is run. */
async function recordOf(...args: string[]) {
  const folder = args.includes('--trace') ? harness : small;
  const { stdout, exitCode } = await runCli('record', '--json', '-C', folder, ...args);
  const document = JSON.parse(stdout);
  publishedSchema('error' in document ? 'error' : 'record').parse(document);
  return { document, exitCode };
}

describe('record', { timeout: 180_000 }, () => {
  it('writes the recording beside the trace, which link then uses', async () => {
    const out = join(base, 'trial');
    const { document, exitCode } = await recordOf('--trace', out, '--', ...trial(out));
    expect(exitCode).toBe(0);
    const trace = join(out, 'agent/trajectory.json');
    expect(document).toMatchObject({ traces: [trace], files: [`${trace}.recording.jsonl`], exitCode: 0 });
    expect(document.calls).toBeGreaterThan(1);
    const [head] = (await readFile(`${trace}.recording.jsonl`, 'utf8')).split('\n');
    expect(JSON.parse(head ?? '')).toMatchObject({ kind: 'recording', root: harness });
    const linked = await documentOf('link', harness, 'link', trace, '--step', '3');
    expect(linked.document.links[0]).toMatchObject({ kind: 'recorded', file: 'src/tools/shell.ts' });
    // The recording is no trace of its own.
    const listed = await documentOf('traces', harness, 'traces', 'import', out);
    expect(JSON.stringify(listed.document)).not.toContain('recording.jsonl');
  });

  it('says no when the command fails, and where the recording is when no trace was found', async () => {
    const { document, exitCode } = await recordOf('--', process.execPath, '-e', 'process.exit(4)');
    expect(exitCode).toBe(1);
    expect(document).toMatchObject({ exitCode: 4, traces: [], calls: 0 });
    expect(document.files[0]).toContain(join('.harnessmith', 'cache', 'recordings'));
    const { stdout } = await runCli('record', '-C', small, '--', 'true');
    expect(stdout).toContain('No Python or Node process was recorded');
  });

  it('takes functions that ask the model by name, and refuses those that are none', async () => {
    await writeFile(join(small, 'src/own.mjs'), 'export function ask() {}\nask();\n');
    const wrong = await recordOf('--model-call', 'src/own.mjs:nothing', '--', 'true');
    expect(wrong.exitCode).toBe(2);
    expect(wrong.document.error.nextStep).toContain('FILE:NAME');
  });
});
