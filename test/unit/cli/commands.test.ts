import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { DiagnoseDocument } from '../../../src/cli/commands/diagnose';
import { HandbookDocument } from '../../../src/cli/commands/handbook';
import { IndexDocument } from '../../../src/cli/commands/indexHarness';
import { LinkDocument } from '../../../src/cli/commands/link';
import { ProposeDocument } from '../../../src/cli/commands/propose';
import { TracesDocument } from '../../../src/cli/commands/traces';
import { ProposalDocument } from '../../../src/cli/proposalDocument';
import { GraphExport } from '../../../src/core/graph';
import { git } from '../../../src/core/harness';
import { runCli } from './runCli';

const example = join(import.meta.dirname, '../../../examples/tinker');
let folder: string;

async function json(...args: string[]) {
  const result = await runCli(...args, '-C', folder, '--json');
  return { ...result, document: JSON.parse(result.stdout) };
}

beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'harnessmith-cli-')), 'tinker');
  await cp(example, folder, { recursive: true });
  await git(folder, ['init', '-q']);
  await git(folder, ['add', '-A']);
  await git(folder, ['-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'example']);
});

describe('on the example', () => {
  it('names the files that cannot be parsed everywhere', async () => {
    const broken = await mkdtemp(join(tmpdir(), 'broken-'));
    for (let number = 1; number <= 7; number++)
      await writeFile(join(broken, `broken${number}.py`), `def f${number}(:\n    pass\n`);
    await writeFile(join(broken, 'whole.py'), 'def g():\n    pass\n');
    const { stdout } = await runCli('index', broken);
    expect(stdout).toContain('7 files with places that cannot be parsed:\n  broken1.py: 1 place\n');
    expect(stdout).toContain('  broken5.py: 1 place\n  and 2 more (--json lists all)');
    const { document } = await json('index', broken);
    const { syntaxErrors } = IndexDocument.parse(document);
    expect(syntaxErrors.map(({ path }) => path)).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => `broken${number}.py`));
    await rm(broken, { recursive: true });
  });

  it('indexes, and parses nothing again the second time', async () => {
    const first = IndexDocument.parse((await json('index')).document);
    expect(first.functions).toBeGreaterThan(50);
    const second = IndexDocument.parse((await json('index')).document);
    expect(second).toMatchObject({ parsed: 0, functions: first.functions });
  });

  it('counts in good words, and names every language when there is no code', async () => {
    const other = await mkdtemp(join(tmpdir(), 'harnessmith-none-'));
    expect((await runCli('index', other)).stdout).toContain('Rust or Go');
    await writeFile(join(other, 'a.py'), 'def f():\n    return 1\n');
    expect((await runCli('index', other)).stdout).toContain('1 function, 0 classes');
    await rm(join(other, 'a.py'));
    await runCli('handbook', other);
    const page = await readFile(join(other, '.harnessmith/cache/handbook/index.md'), 'utf8');
    expect(page).toContain('0 of 0 code lines belong');
    await rm(other, { recursive: true });
  });

  it('exports the graph: every edge between exported nodes, and nothing when the file cannot be written', async () => {
    const file = join(folder, 'out', 'graph.json');
    const { document } = await json('index', '--export', file);
    const graph = GraphExport.parse(JSON.parse(await readFile(file, 'utf8')));
    expect(IndexDocument.parse(document).exported).toEqual({
      file,
      nodes: graph.nodes.length,
      edges: graph.edges.length,
    });
    const ids = new Set(graph.nodes.map(({ id }) => id));
    expect(ids.size).toBe(graph.nodes.length);
    expect(graph.edges.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
    const run = graph.nodes.find(({ id }) => id === 'src/agent.ts#Agent.run')!;
    const source = (await readFile(join(folder, 'src/agent.ts'), 'utf8')).split('\n');
    expect(run).toMatchObject({ kind: 'method', name: 'run', qualname: 'Agent.run', file: 'src/agent.ts' });
    expect(source[run.start - 1]).toMatch(/\brun\(/);
    const calls = graph.edges.filter(({ from, kind }) => from === run.id && kind === 'calls');
    expect(calls.length).toBeGreaterThan(5);
    for (const { file: place, line } of calls)
      expect([place, source[line - 1]]).toEqual(['src/agent.ts', expect.stringMatching(/\w/)]);

    const failed = await json('index', '--export', join(folder, 'package.json', 'graph.json'));
    expect([failed.exitCode, failed.document.error.code]).toEqual([3, 'write-failed']);
  });

  it('writes a handbook whose loop is the loop, and checks it', async () => {
    const { document } = await json('handbook');
    const [loop] = HandbookDocument.parse(document).loops;
    expect(loop).toMatchObject({ file: 'src/agent.ts', symbol: 'Agent.run' });
    expect((await json('handbook', '--check')).exitCode).toBe(0);
  });

  it('says no, with the place, when the source changed since', async () => {
    const file = join(folder, 'src/truncation.ts');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('slice(0, maxChars)', 'slice(-maxChars)'));
    const { exitCode, document } = await json('handbook', '--check');
    await writeFile(file, text);
    expect(exitCode).toBe(1);
    expect(document.problems).toContainEqual(expect.objectContaining({ file: 'src/truncation.ts' }));
  });

  it('goes from recorded traces to a reviewed proposal', async () => {
    const { runs, unknown } = TracesDocument.parse((await json('traces', 'list')).document);
    expect(runs.length).toBeGreaterThan(20);
    // README.md and the .gitignore beside it are counted, not listed one by one.
    expect(unknown.map(({ file }) => file)).toEqual([join(folder, 'traces')]);
    const { flaws, findings } = DiagnoseDocument.parse((await json('diagnose')).document);
    const flaw = flaws.find((one) => one.why === 'format_violation');
    const finding = findings.find((one) => flaw?.findings.includes(one.id) && one.runFailed);
    expect(finding).toBeDefined();
    const links = LinkDocument.parse(
      (await json('link', finding!.run, '--step', String(finding!.steps[0]))).document,
    ).links;
    expect(links.slice(0, 2).map((link) => `${link.file} ${link.symbol}`.trim())).toEqual([
      'prompts/format_error.md',
      'src/agent.ts Agent.formatErrorFeedback',
    ]);
    expect(links.filter((link) => link.symbol === 'Agent.formatErrorFeedback')).toHaveLength(1);

    const [made] = ProposeDocument.parse((await json('propose', '--flaw', flaw!.id)).document).proposals;
    expect(made!.proposal.gates.filter((gate) => !gate.passed)).toEqual([]);
    const id = made!.proposal.id;
    await json('proposals', 'accept', id, '--decision', 'd1');
    const { document } = await json('proposals', 'reject', id, '--hunks', '3', '--reason', 'hides the problem');
    const states = ProposalDocument.parse(document).hunks.map(({ state }) => state);
    expect(states).toEqual(['accepted', 'accepted', 'rejected']);
    expect(await readFile(join(folder, 'config.json'), 'utf8')).toContain('"formatErrors": 4');

    const applied = await json('proposals', 'apply', id);
    expect(applied.document).toMatchObject({ branch: `harnessmith/${id}`, hunks: [1, 2] });
    expect(await readFile(join(folder, 'prompts/format_error.md'), 'utf8')).not.toContain('{{reason}}');
    const onBranch = await git(folder, ['show', `harnessmith/${id}:prompts/format_error.md`]);
    expect(onBranch.stdout).toContain('{{reason}}');
  });

  it('locates a behaviour', async () => {
    const { document, exitCode } = await json('locate', 'shorten long tool output');
    expect(exitCode).toBe(0);
    expect(document.sites.slice(0, 3).map((site: { file: string }) => site.file)).toContain('src/truncation.ts');
  });
});

describe('wrong use', () => {
  it.each([
    [['index', '/does/not/exist'], 2, 'harness-missing'],
    [['locate', ' '], 2, 'usage'],
    [['link'], 2, 'usage'],
    [['traces', 'show', 'no-such-run'], 2, 'trace-missing'],
    [['propose'], 2, 'usage'],
    [['propose', '--flaw', 'f-00000000'], 2, 'flaw-unknown'],
    [['proposals', 'show', '../../etc'], 2, 'proposal-id-invalid'],
    [['validate'], 2, 'usage'],
    [['validate', '--same', '--trials', 'many'], 2, 'usage'],
    [['validate', '--resume', 'r-none'], 2, 'run-unknown'],
    [['worker'], 2, 'usage'],
    [['worker', '--redis', 'http://host'], 2, 'queue-address'],
    [['worker', '--redis', 'redis://host', '--name', '../x'], 2, 'usage'],
  ])('%j ends with %i and a next step', async (args, exitCode, code) => {
    const result = await json(...args);
    expect(result.exitCode).toBe(exitCode);
    expect(result.document).toMatchObject({ schemaVersion: 1, error: { code, nextStep: expect.stringMatching(/\w/) } });
  });

  it('of options says what options there are', async () => {
    expect(await runCli('index', '--no-such-option')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--help'),
    });
    expect((await runCli('nonsense')).exitCode).toBe(2);
    expect((await runCli('--version')).exitCode).toBe(0);
  });

  it.each([['diagnose', '--llm']])('of an option that comes later: %s %s %s', async (...args) => {
    const { exitCode, stderr } = await runCli(...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('unknown option');
    expect(stderr).toContain('--help');
  });

  it('names the place in a wrong configuration', async () => {
    const broken = await mkdtemp(join(tmpdir(), 'harnessmith-cli-broken-'));
    await mkdir(join(broken, '.harnessmith'));
    await writeFile(join(broken, '.harnessmith/harness.json'), '{"suites": {"s": {"tasks": [], "command": ["x"]}}}');
    const { stderr, exitCode } = await runCli('index', broken);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/harness\.json.*suites\.s\.tasks/);
  });

  it('is found by doctor', async () => {
    const broken = await mkdtemp(join(tmpdir(), 'harnessmith-cli-doctor-'));
    const { stdout, exitCode } = await runCli('doctor', '-C', broken);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('git init');
  });
});

describe('what was counted', () => {
  it('is all files, and those with code among them', async () => {
    const { document } = await json('index');
    const { stdout } = await runCli('index', folder);
    expect(document.codeFiles).toBeGreaterThan(0);
    expect(document.codeFiles).toBeLessThan(document.files);
    expect(stdout).toContain(
      `${document.files} files (${document.codeFiles} with code), ${document.functions} functions`,
    );
  });

  it('says of a note beside traces that it is not read as one', async () => {
    const traces = await mkdtemp(join(tmpdir(), 'harnessmith-cli-note-'));
    await cp(join(example, 'traces'), traces, { recursive: true });
    for (const name of ['README.md', 'NOTES.md']) await rm(join(traces, name), { force: true });
    await writeFile(join(traces, 'README.md'), 'Where these come from.\n');
    const { stdout } = await runCli('traces', 'import', traces, '-C', folder);
    expect(stdout).toMatch(/Not read as traces:\n {2}.*: 1 file with another ending \(\.md\), such as notes/);
    expect(stdout).not.toMatch(/\b1 files/);
  });
});
