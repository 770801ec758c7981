import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diagnosisHandlers } from '../../../src/host/work/handlers/diagnosisHandlers';
import { exchangeHandlers } from '../../../src/host/work/handlers/exchangeHandlers';
import { handbookHandlers } from '../../../src/host/work/handlers/handbookHandlers';
import { harnessHandlers } from '../../../src/host/work/handlers/harnessHandlers';
import { liveHandlers } from '../../../src/host/work/handlers/liveHandlers';
import { overlayHandlers } from '../../../src/host/work/handlers/overlayHandlers';
import { proposalHandlers } from '../../../src/host/work/handlers/proposalHandlers';
import { proposeHandlers } from '../../../src/host/work/handlers/proposeHandlers';
import { rowHandlers } from '../../../src/host/work/handlers/rowHandlers';
import { searchHandlers } from '../../../src/host/work/handlers/searchHandlers';
import { stepHandlers } from '../../../src/host/work/handlers/stepHandlers';
import { traceHandlers } from '../../../src/host/work/handlers/traceHandlers';
import { validationHandlers } from '../../../src/host/work/handlers/validationHandlers';
import { IndexedHarnesses } from '../../../src/host/work/indexedHarnesses';
import { IndexedLinks } from '../../../src/host/work/linkSource';
import { RunReaders } from '../../../src/host/work/runReaders';
import type { HandlerContext, Handlers } from '../../../src/host/work/workServer';
import { noFilter } from '../../../webview/trace/pageState';

let root: string;
let handlers: Handlers;
const context: HandlerContext = {
  signal: new AbortController().signal,
  progress: () => {},
  completeText: async () => {
    throw new Error('no model');
  },
};

/** A copy of the example with a few of its recorded traces: enough to see every handler work on real files. */
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'harnessmith-handlers-'));
  for (const part of ['src', 'prompts', 'config.json', 'package.json']) {
    cpSync(join('examples/tinker', part), join(root, part), { recursive: true });
  }
  mkdirSync(join(root, '.harnessmith'));
  cpSync('examples/tinker/.harnessmith/harness.json', join(root, '.harnessmith/harness.json'));
  cpSync('examples/tinker/tasks', join(root, 'tasks'), { recursive: true });
  for (const name of ['add-clamp__005d541']) {
    cpSync(join('examples/tinker/traces', name), join(root, 'traces', name), { recursive: true });
  }
  const harnesses = new IndexedHarnesses();
  const readers = new RunReaders();
  handlers = {
    ...harnessHandlers(),
    ...handbookHandlers(harnesses),
    ...overlayHandlers(harnesses),
    ...traceHandlers(readers),
    ...rowHandlers(readers, new IndexedLinks(harnesses)),
    ...searchHandlers(readers, new IndexedLinks(harnesses)),
    ...stepHandlers(readers),
    ...liveHandlers(readers, new IndexedLinks(harnesses)),
    ...diagnosisHandlers(harnesses),
    ...proposalHandlers(),
    ...proposeHandlers(harnesses),
    ...exchangeHandlers(),
    ...validationHandlers(),
  };
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the worker on the example', () => {
  it('opens it with its suites and their tasks', async () => {
    const head = await handlers.openHarness({ root }, context);
    expect(head).toMatchObject({ name: 'tinker', applyTo: 'branch' });
    expect(head.suites[0]!.tasks).toContain('add-clamp');
    await expect(handlers.openHarness({ root: join(root, 'missing') }, context)).rejects.toThrow(/does not exist/);
  });

  it('knows nothing of a harness before it is indexed, then builds map and pages', async () => {
    await expect(handlers.locate({ root, request: 'format error', limit: 5 }, context)).rejects.toThrow(/not indexed/);
    const first = await handlers.buildHandbook({ root, known: null }, context);
    expect(first.map!.loops.length).toBeGreaterThan(0);
    const again = await handlers.buildHandbook({ root, known: first.fingerprint }, context);
    expect(again).toMatchObject({ parsed: 0, map: null, fingerprint: first.fingerprint });
    const other = await handlers.buildHandbook({ root, known: 'of another map' }, context);
    expect(other.map).toEqual(first.map);
    const unit = first.map!.units[0]!;
    const page = await handlers.handbookPage({ root, unit: unit.id }, context);
    expect(page).toMatch(/^units\/.+\.md$/);
    const text = await handlers.handbookPageText({ root, path: page, base: '/tinker' }, context);
    const { file, start } = unit.sites[0]!;
    expect(text).toContain(`](/tinker/${file}#L${start}`);
    expect(text).not.toContain('](../../');
    expect(await handlers.handbookPageText({ root, path: 'units/gone.md', base: '' }, context)).toBeNull();
    await expect(handlers.handbookPage({ root, unit: 'gone' }, context)).rejects.toThrow(/no such unit/);
  });

  it('tells which sites of changed files are not as they were indexed, and of no other file', async () => {
    const { map } = await handlers.buildHandbook({ root, known: null }, context);
    const file = 'src/parser.ts';
    const sites = map!.units.flatMap((unit) => unit.sites).filter((site) => site.file === file);
    const ask = (files: string[]) => handlers.siteStates({ root, files }, context);
    const before = readFileSync(join(root, file), 'utf8');
    try {
      expect(await ask([file])).toEqual([]);
      writeFileSync(join(root, file), `// One line more.\n${before}`);
      expect(await ask(['src/agent.ts'])).toEqual([]);
      const moved = await ask([file, 'src/agent.ts']);
      expect(moved).toEqual(sites.map(({ start, end }) => ({ file, start, end, state: 'moved' })));
      rmSync(join(root, file));
      expect((await ask([file])).map(({ state }) => state)).toEqual(sites.map(() => 'stale'));
    } finally {
      writeFileSync(join(root, file), before);
    }
  });

  it('lists traces, and leads a failing step to the place in the harness', async () => {
    const { runs } = await handlers.loadCatalog({ root }, context);
    const run = runs.find((one) => one.task === 'add-clamp')!;
    expect(run.outcome.verdict).toBe('fail');
    const { stepCount } = await handlers.openRun({ run }, context);
    const rows = await handlers.rows({ root, run: run.id, from: 1, to: 500 }, context);
    expect(rows.map((row) => row.n)).toEqual(Array.from({ length: stepCount }, (_, index) => index + 1));
    const findings = await handlers.runFindings({ root, run: run.id }, context);
    expect(findings.map((finding) => finding.why)).toContain('format_violation');
    const step = findings[0]!.steps[0]!;
    const [place] = await handlers.stepLinks({ root, run: run.id, step }, context);
    expect(place!.file).toBe('prompts/format_error.md');
    expect(rows[step - 1]!.links[0]!.label).toBe('format_error.md:1');
  });

  it('shows rows without links while no harness is indexed', async () => {
    const { runs } = await handlers.readTraceFile({ file: join(root, 'traces') }, context);
    await handlers.openRun({ run: runs[0]! }, context);
    const rows = await handlers.rows({ root: null, run: runs[0]!.id, from: 1, to: 3 }, context);
    expect(rows.every((row) => row.links.length === 0)).toBe(true);
    expect(await handlers.runFindings({ root: null, run: runs[0]!.id }, context)).toEqual([]);
  });

  it('searches whole steps, not only previews', async () => {
    const { runs } = await handlers.loadCatalog({ root }, context);
    const { id } = runs[0]!;
    await handlers.openRun({ run: runs[0]! }, context);
    const find = (text: string) =>
      handlers.findSteps({ root, run: id, filter: { ...noFilter, text }, from: 1, to: 500 }, context);
    const { steps, hits } = await find('clamp');
    expect(hits.length).toBeGreaterThan(0);
    expect(steps.length).toBeGreaterThan(hits.length);
    expect((await find('"not in any step of it"')).hits).toEqual([]);
    expect((await handlers.stepBody({ run: id, step: 1 }, context)).parts[0]!.text.length).toBeGreaterThan(400);
    await handlers.closeRun({ run: id }, context);
    await expect(handlers.stepBody({ run: id, step: 1 }, context)).rejects.toThrow(/not open/);
  });

  it('sums up what traces say about the code', async () => {
    const { touches, findings, flaws } = await handlers.diagnose({ root }, context);
    expect(touches.some((touch) => touch.file === 'prompts/format_error.md' && touch.failingRuns === 1)).toBe(true);
    expect(findings.length).toBeGreaterThan(0);
    expect(flaws[0]!.runsLookedAt).toBe(1);
  });

  it('asks the model of the editor through the host and passes its failure on', async () => {
    const model = { provider: 'vscode' as const, model: '', timeoutSeconds: 5, maxOutputTokens: 500 };
    const ask = handlers.propose(
      { root, subject: { kind: 'request', request: 'say what was wrong with a reply' }, model },
      context,
    );
    await expect(ask).rejects.toThrow(/no model/);
    const gone = handlers.propose({ root, subject: { kind: 'flaw', flaw: 'f-none' }, model }, context);
    await expect(gone).rejects.toThrow(/no longer found/);
    expect(await handlers.listProposals({ root }, context)).toEqual([]);
  });

  it('makes a proposal from the answer, shows both sides and records decisions', async () => {
    const file = 'prompts/format_error.md';
    const base = readFileSync(join(root, file), 'utf8');
    const answer = {
      title: 'Say what was wrong',
      decisions: [
        {
          title: 'Name the fields',
          rationale: 'The model repeats its reply because it does not learn what was wrong.',
          evidence: [],
          edits: [
            { file, action: 'replace', oldText: base, newText: `${base}Say which tool and arguments you mean.\n` },
          ],
        },
      ],
      declares: { modify: [file], add: [], remove: [] },
      prediction: { fixes: ['add-clamp'], atRisk: [], note: '' },
    };
    const model = { provider: 'vscode' as const, model: '', timeoutSeconds: 5, maxOutputTokens: 500 };
    const { proposals, spent } = await handlers.propose(
      { root, subject: { kind: 'request', request: 'format error feedback' }, model },
      {
        ...context,
        completeText: async () => ({ text: JSON.stringify(answer), model: 'test/one' }),
      },
    );
    const proposal = proposals[0]!;
    expect(spent).toMatch(/^1 request, about [\d,]+ tokens in/);
    const texts = await handlers.proposalTexts({ root, proposal: proposal.id, file }, context);
    expect(texts.base).toBe(base);
    expect(texts.proposed).toContain('which tool and arguments');
    await handlers.decideHunks({ root, proposal: proposal.id, hunks: [1], state: 'accepted', by: 'ada' }, context);
    await handlers.saveEdited({ root, proposal: proposal.id, file, text: `${base}Shorter.\n` }, context);
    const [view] = await handlers.listProposals({ root }, context);
    expect(view!.hunks[0]).toMatchObject({ state: 'accepted', file });
    expect((await handlers.proposalTexts({ root, proposal: proposal.id, file }, context)).proposed).toBe(
      `${base}Shorter.\n`,
    );
    expect(readFileSync(join(root, file), 'utf8')).toBe(base);
    writeFileSync(join(root, file), 'something else entirely\n');
    expect((await handlers.listProposals({ root }, context))[0]!.hunks[0]!.state).toBe('conflicting');
    writeFileSync(join(root, file), base);
    const applied = await handlers.applyProposal(
      { root, proposal: proposal.id, target: 'workingTree', by: 'ada' },
      context,
    );
    expect(applied).toMatchObject({ target: 'your working tree', files: [file], left: [] });
    expect(readFileSync(join(root, file), 'utf8')).toBe(`${base}Shorter.\n`);
  });

  it('starts a repository, and fixes a run of the baseline against itself', async () => {
    await expect(
      handlers.createRun({ root, suite: 'tasks', proposal: null, trials: 1, tasks: null }, context),
    ).rejects.toThrow();
    expect(await handlers.startRepository({ root }, context)).toBe(true);
    const manifest = await handlers.createRun(
      { root, suite: 'tasks', proposal: null, trials: 2, tasks: ['add-clamp'] },
      context,
    );
    expect(manifest).toMatchObject({ trials: 2, tasks: ['add-clamp'], proposal: null });
    expect((await handlers.listRuns({ root }, context)).map((run) => run.id)).toEqual([manifest.id]);
    expect(await handlers.judgeRun({ root, run: manifest.id }, context)).toMatchObject({
      trials: [],
      verdict: null,
      runner: null,
    });
    const asked = join(root, '.harnessmith', 'runs', manifest.id, 'cancel');
    expect(existsSync(asked)).toBe(false);
    await handlers.cancelRun({ root, run: manifest.id }, context);
    expect(existsSync(asked)).toBe(true);
    await expect(handlers.cancelRun({ root, run: 'r-unknown' }, context)).rejects.toThrow();
  });

  it('writes a configuration once', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'harnessmith-empty-'));
    const file = await handlers.createConfiguration({ root: empty }, context);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ roots: ['.'] });
    writeFileSync(file, '{ "name": "mine" }');
    await handlers.createConfiguration({ root: empty }, context);
    expect(readFileSync(file, 'utf8')).toBe('{ "name": "mine" }');
    rmSync(empty, { recursive: true });
  });
});
