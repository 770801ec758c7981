import { describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/core/errors';
import { HarnessService } from '../../../src/host/harness/harnessService';
import { ProposalService } from '../../../src/host/review/proposalService';
import { TraceService } from '../../../src/host/traces/traceService';
import { ValidationService } from '../../../src/host/validation/validationService';
import type { Catalog, Diagnosis } from '../../../src/host/work/methods';
import { FakeLog, FakeWork, hunkOf, mapOf, proposalOf, runOf } from './fakes';

type Answers = ConstructorParameters<typeof FakeWork>[0];

const nothing: Diagnosis = { touches: [], findings: [], flaws: [], skipped: [] };
const catalogOf = (...ids: string[]): Catalog => ({ runs: ids.map((id) => runOf({ id })), unknown: [] });

/** A window with two folders; the harness is the remembered one. */
function open(answers: Answers) {
  const work = new FakeWork({
    openHarness: ({ root }) => ({ root, name: 'h', configFile: null, suites: [], model: null, applyTo: 'branch' }),
    buildHandbook: () => ({ map: mapOf(), fingerprint: 'f-1', seconds: 0, parsed: 0, files: 0 }),
    ...answers,
  });
  const log = new FakeLog();
  let remembered = '/one';
  const harness = new HarnessService(
    work,
    {
      folders: async () => ['/one', '/two'].map((root) => ({ root, name: root, configured: true })),
      remembered: () => remembered,
      remember: (root) => {
        remembered = root;
      },
      withProgress: (_title, task) => task(() => {}, new AbortController().signal),
    },
    log,
  );
  return { work, log, harness };
}

const callsOf = (work: FakeWork, method: string) => work.calls.filter((one) => one === method).length;

describe('the trace service', () => {
  it('reads the catalog once for many views, and knows a run by its id', async () => {
    const { work, harness, log } = open({ loadCatalog: () => catalogOf('r1', 'r2'), diagnose: () => nothing });
    const traces = new TraceService(work, harness, log);
    expect(traces.catalog).toBeNull();
    await Promise.all([traces.ensure(), traces.ensure(), traces.ensure()]);
    expect(callsOf(work, 'loadCatalog')).toBe(1);
    expect(traces.run('r2')?.id).toBe('r2');
    expect(traces.run('r3')).toBeUndefined();
    await traces.ensure();
    expect(callsOf(work, 'loadCatalog')).toBe(1);
  });

  it('forgets the traces of a folder when another one is chosen', async () => {
    const { work, harness, log } = open({
      loadCatalog: ({ root }) => catalogOf(`${root}/run`),
      diagnose: () => nothing,
    });
    const traces = new TraceService(work, harness, log);
    await traces.ensure();
    expect(traces.run('/one/run')).toBeDefined();
    await harness.choose('/two');
    expect(traces.catalog).toBeNull();
    await traces.ensure();
    expect([traces.run('/one/run'), traces.run('/two/run')?.id]).toEqual([undefined, '/two/run']);
  });

  it('asks anew what the traces say when the source was indexed again', async () => {
    const { work, harness, log } = open({ loadCatalog: () => catalogOf('r1'), diagnose: () => nothing });
    const traces = new TraceService(work, harness, log);
    await traces.ensure();
    const before = callsOf(work, 'diagnose');
    await harness.refresh();
    expect(callsOf(work, 'diagnose')).toBe(before + 1);
  });

  it('keeps the list when links cannot be computed, and says so in the log', async () => {
    const { work, harness, log } = open({
      loadCatalog: () => catalogOf('r1'),
      diagnose: () => {
        throw new Error('out of memory');
      },
    });
    const traces = new TraceService(work, harness, log);
    await traces.ensure();
    expect(traces.catalog?.runs).toHaveLength(1);
    expect(traces.diagnosis).toEqual(nothing);
    expect(log.lines.join('\n')).toContain('error Links and findings could not be computed');
  });

  it('tries again after a catalog that could not be read', async () => {
    let broken = true;
    const { work, harness, log } = open({
      loadCatalog: () => {
        if (broken) throw new Error('disk');
        return catalogOf('r1');
      },
      diagnose: () => nothing,
    });
    const traces = new TraceService(work, harness, log);
    await expect(traces.ensure()).rejects.toThrow('disk');
    expect(traces.isLoading).toBe(false);
    broken = false;
    await traces.ensure();
    expect(traces.run('r1')).toBeDefined();
  });

  it('gives up a reading for a newer one, and both askers get what the newer one found', async () => {
    const asked: { answer(catalog: Catalog): void; signal: AbortSignal | undefined }[] = [];
    const { work, harness, log } = open({
      loadCatalog: (_params, options) =>
        new Promise((answer, refuse) => {
          asked.push({ answer, signal: options?.signal });
          options?.signal?.addEventListener('abort', () => refuse(new CancelledError()));
        }),
      diagnose: () => nothing,
    });
    const titles: string[] = [];
    const traces = new TraceService(work, harness, log, (title, task) => {
      titles.push(title);
      return task(() => {});
    });
    await harness.ensure();
    const first = traces.refresh();
    const second = traces.refresh();
    expect(asked.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
    asked[1]!.answer(catalogOf('new'));
    await Promise.all([first, second]);
    expect(traces.run('new')).toBeDefined();
    expect(traces.isLoading).toBe(false);
    expect(new Set(titles)).toEqual(new Set(['Reading the traces', 'Linking traces to code']));
    expect(log.lines.join('\n')).not.toContain('error');
  });

  it('does not take a reading of the folder before for one of the folder chosen meanwhile', async () => {
    let release: (catalog: Catalog) => void = () => {};
    const { work, harness, log } = open({
      loadCatalog: ({ root }) =>
        root === '/one'
          ? new Promise((resolve) => {
              release = resolve;
            })
          : catalogOf(`${root}/run`),
      diagnose: () => nothing,
    });
    const traces = new TraceService(work, harness, log);
    await harness.ensure();
    const first = traces.ensure();
    await new Promise((resolve) => setImmediate(resolve));
    await harness.choose('/two');
    const second = traces.ensure();
    await second;
    expect(traces.run('/two/run')).toBeDefined();
    release(catalogOf('/one/run'));
    await first;
    expect([traces.run('/one/run'), traces.run('/two/run')?.id]).toEqual([undefined, '/two/run']);
  });

  it('shows what was imported', async () => {
    const { work, harness, log } = open({
      loadCatalog: () => catalogOf('r1'),
      importTraces: ({ paths }) => catalogOf('r1', ...paths),
      diagnose: () => nothing,
    });
    const traces = new TraceService(work, harness, log);
    expect(await traces.import(['/x'], {})).toBeNull();
    await traces.ensure();
    let changes = 0;
    traces.onDidChange(() => changes++);
    await traces.import(['/x'], {});
    expect(traces.run('/x')).toBeDefined();
    expect(changes).toBeGreaterThan(0);
  });
});

describe('the proposal service', () => {
  it('keeps what it showed when reading fails, and tells the views either way', async () => {
    let broken = false;
    const { work, harness, log } = open({
      listProposals: () => {
        if (broken) throw new Error('disk');
        return [proposalOf([hunkOf(1)])];
      },
    });
    const proposals = new ProposalService(work, harness, log, 'ada', () => true);
    await proposals.ensure();
    let changes = 0;
    proposals.onDidChange(() => changes++);
    broken = true;
    await expect(proposals.refresh()).rejects.toThrow('disk');
    expect(proposals.proposal('p-00c0ffee')?.hunks).toHaveLength(1);
    expect(changes).toBe(1);
  });

  it('shows no proposal of another folder', async () => {
    const { work, harness, log } = open({ listProposals: () => [proposalOf([hunkOf(1)])] });
    const proposals = new ProposalService(work, harness, log, 'ada', () => true);
    await proposals.ensure();
    await harness.choose('/two');
    expect(proposals.proposals).toBeNull();
    expect(proposals.hunk({ proposal: 'p-00c0ffee', hunk: 1 })).toBeUndefined();
  });

  it('writes nothing where it may not, and says what was refused', async () => {
    const { work, harness, log } = open({ listProposals: () => [proposalOf([hunkOf(1)])] });
    const refused: string[] = [];
    const proposals = new ProposalService(work, harness, log, 'ada', (what) => {
      refused.push(what);
      return false;
    });
    await proposals.ensure();
    const before = work.calls.length;
    await proposals.decide('p-00c0ffee', [1], 'accepted');
    expect(await proposals.saveEdited('p-00c0ffee', 'src/parser.ts', 'x')).toBe(false);
    await expect(proposals.apply('p-00c0ffee', 'branch')).rejects.toMatchObject({ code: 'not-trusted' });
    expect(refused).toEqual(['Deciding on a hunk', 'Editing a proposal', 'Applying a proposal']);
    expect(work.calls.slice(before)).toEqual([]);
  });

  it('has no texts and applies nothing without a harness', async () => {
    const { work, harness, log } = open({});
    const proposals = new ProposalService(work, harness, log, 'ada', () => true);
    expect(await proposals.texts('p', 'a.ts')).toEqual({ base: null, proposed: null });
    await proposals.saveEdited('p', 'a.ts', 'x');
    await expect(proposals.apply('p', 'branch')).rejects.toThrow(/no harness/);
    expect(work.calls).toEqual([]);
  });
});

describe('the validation service', () => {
  it('has no runs, and makes none, without a harness', async () => {
    const { work, harness, log } = open({});
    const validation = new ValidationService(work, harness, '/cli.cjs', log);
    expect(await validation.runs()).toEqual([]);
    const request = { suite: 's', proposal: null, trials: null, tasks: null };
    await expect(validation.create(request)).rejects.toMatchObject({ code: 'no-harness', exitCode: 2 });
    expect(() => validation.read('r')).toThrow(/no harness/);
    expect(work.calls).toEqual([]);
  });
});
