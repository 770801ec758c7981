import { describe, expect, it } from 'vitest';
import { CancelledError, InputError } from '../../../src/core/errors';
import { chooseHarness, type FolderFact, relativeTo } from '../../../src/host/harness/harnessChoice';
import { type HarnessHost, HarnessService } from '../../../src/host/harness/harnessService';
import { statusText } from '../../../src/host/statusText';
import { FakeLog, FakeWork, mapOf } from './fakes';

const folder = (root: string, configured = false): FolderFact => ({ root, name: root.slice(1), configured });
const head = { root: '/a', name: 'tinker', configFile: null, suites: [], model: null, applyTo: 'branch' as const };

function serviceWith(folders: FolderFact[], work: FakeWork) {
  const remembered: string[] = [];
  const host: HarnessHost = {
    folders: async () => folders,
    remembered: () => remembered.at(-1),
    remember: (root) => void remembered.push(root),
    withProgress: (_title, task) => task(() => {}, new AbortController().signal),
  };
  return new HarnessService(work, host, new FakeLog());
}

const building = () =>
  new FakeWork({
    openHarness: ({ root }) => ({ ...head, root }),
    buildHandbook: () => ({ map: mapOf(), fingerprint: 'f-1', seconds: 1, parsed: 2, files: 12 }),
  });

describe('the choice of the harness', () => {
  it('takes the remembered folder before anything else', () => {
    const folders = [folder('/a', true), folder('/b')];
    expect(chooseHarness(folders, '/b')).toMatchObject({ kind: 'chosen', folder: { root: '/b' } });
  });

  it('takes the only configured one, else the only one', () => {
    expect(chooseHarness([folder('/a'), folder('/b', true)], undefined)).toMatchObject({ folder: { root: '/b' } });
    expect(chooseHarness([folder('/a')], '/gone')).toMatchObject({ folder: { root: '/a' } });
  });

  it('does not guess among several', () => {
    expect(chooseHarness([folder('/a'), folder('/b')], undefined).kind).toBe('ambiguous');
    const both = chooseHarness([folder('/a', true), folder('/b', true), folder('/c')], undefined);
    expect(both).toMatchObject({ kind: 'ambiguous', folders: [{ root: '/a' }, { root: '/b' }] });
    expect(chooseHarness([], undefined).kind).toBe('noFolder');
  });

  it('gives paths inside the root only', () => {
    expect(relativeTo('/a/b', '/a/b/src/x.ts')).toBe('src/x.ts');
    expect(relativeTo('C:\\a', 'C:\\a\\x.ts')).toBe('x.ts');
    expect(relativeTo('/a/b', '/a/bc/x.ts')).toBeNull();
    expect(relativeTo('/a/b', '/a/b')).toBeNull();
  });
});

describe('the harness service', () => {
  it('reads nothing before it is asked and indexes once for many askers', async () => {
    const work = building();
    const service = serviceWith([folder('/a')], work);
    expect(service.get().status).toBe('idle');
    expect(work.calls).toEqual([]);
    await Promise.all([service.ensure(), service.ensure()]);
    await service.ensure();
    expect(work.calls).toEqual(['openHarness', 'buildHandbook']);
    expect(service.get()).toMatchObject({ status: 'ready', root: '/a' });
  });

  it('folds refreshes during a run into one more run', async () => {
    const work = building();
    const service = serviceWith([folder('/a')], work);
    const first = service.ensure();
    void service.refresh();
    void service.refresh();
    await first;
    expect(work.calls.filter((call) => call === 'buildHandbook')).toHaveLength(2);
  });

  it('keeps a failure as its state and tries again only when told', async () => {
    let broken = true;
    const work = new FakeWork({
      openHarness: () => head,
      buildHandbook: () => {
        if (broken) throw new InputError('harness.json is wrong.', { code: 'x', nextStep: 'Correct line 3.' });
        return { map: mapOf(), fingerprint: 'f-1', seconds: 1, parsed: 0, files: 1 };
      },
    });
    const service = serviceWith([folder('/a')], work);
    await service.ensure();
    expect(service.get()).toMatchObject({
      status: 'error',
      message: 'harness.json is wrong.',
      nextStep: 'Correct line 3.',
    });
    await service.ensure();
    expect(work.calls).toHaveLength(2);
    broken = false;
    await service.refresh();
    expect(service.get().status).toBe('ready');
  });

  it('drops what belongs to a harness that is no longer chosen', async () => {
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const work = new FakeWork({
      openHarness: ({ root }) => ({ ...head, root }),
      buildHandbook: async ({ root }) => {
        if (root === '/a') await gate;
        return { map: { ...mapOf(), harness: root }, fingerprint: 'f-1', seconds: 1, parsed: 0, files: 1 };
      },
    });
    const service = serviceWith([folder('/a', true), folder('/b')], work);
    const slow = service.ensure();
    await service.choose('/b');
    release();
    await slow;
    expect(service.map?.harness).toBe('/b');
  });

  it('can be cancelled, and keeps the handbook it had', async () => {
    let block = false;
    const work = new FakeWork({
      openHarness: ({ root }) => ({ ...head, root }),
      buildHandbook: (_params, options) =>
        new Promise((answer, refuse) => {
          if (!block) return answer({ map: mapOf(), fingerprint: 'f-1', seconds: 1, parsed: 0, files: 1 });
          options?.signal?.addEventListener('abort', () => refuse(new CancelledError()));
          setImmediate(() => service.cancel());
        }),
    });
    const service = serviceWith([folder('/a')], work);
    expect(service.cancel()).toBe(false);
    await service.ensure();
    const { map } = service;
    block = true;
    await service.refresh(true);
    expect(service.get().status).toBe('ready');
    expect(service.map).toBe(map);
  });

  it('keeps the very same map when nothing in it changed', async () => {
    const asked: (string | null)[] = [];
    const work = new FakeWork({
      openHarness: ({ root }) => ({ ...head, root }),
      buildHandbook: ({ root, known }) => {
        asked.push(known);
        const fingerprint = `of ${root}`;
        return { map: known === fingerprint ? null : mapOf(), fingerprint, seconds: 1, parsed: 0, files: 1 };
      },
    });
    const service = serviceWith([folder('/a', true), folder('/b')], work);
    await service.ensure();
    const { map } = service;
    await service.refresh();
    expect(service.map).toBe(map);
    await service.choose('/b');
    expect(service.map).not.toBe(map);
    expect(asked).toEqual([null, 'of /a', null]);
  });

  it('says that a first indexing was cancelled and how to start again', async () => {
    const work = new FakeWork({
      openHarness: () => head,
      buildHandbook: () => {
        throw new CancelledError();
      },
    });
    const service = serviceWith([folder('/a')], work);
    await service.ensure();
    expect(service.get()).toMatchObject({ status: 'error', message: 'Indexing was cancelled.' });
  });

  it('shows the indexing a person asked for as such, and no other', async () => {
    const work = building();
    const shown: boolean[] = [];
    const host: HarnessHost = {
      folders: async () => [folder('/a')],
      remembered: () => undefined,
      remember: () => {},
      withProgress: (_title, task, asked) => {
        shown.push(asked);
        return task(() => {}, new AbortController().signal);
      },
    };
    const service = new HarnessService(work, host, new FakeLog());
    await service.ensure();
    await service.refresh(true);
    await service.refresh();
    expect(shown).toEqual([false, true, false]);
  });

  it('says so when there is no folder or no clear one', async () => {
    const none = serviceWith([], building());
    await none.ensure();
    expect(none.get()).toEqual({ status: 'none', reason: 'noFolder' });
    const two = serviceWith([folder('/a'), folder('/b')], building());
    await two.ensure();
    expect(two.get()).toEqual({ status: 'none', reason: 'ambiguous' });
  });
});

describe('the status text', () => {
  it('is absent until something was asked', () => {
    expect(statusText({ status: 'idle' }, null)).toBeNull();
    expect(statusText({ status: 'none', reason: 'noFolder' }, null)).toBeNull();
  });

  it('says what is there, or what went wrong and what to do', () => {
    const ready = { status: 'ready' as const, root: '/a', head, map: mapOf(), refreshedAt: 0, seconds: 1 };
    expect(statusText(ready, 3)?.tooltip).toBe('Harnessmith: tinker, 1 behaviour unit, 3 runs');
    const error = statusText({ status: 'error', root: '/a', message: 'It broke.', nextStep: 'Mend it.' }, null);
    expect(error?.tooltip).toBe('It broke. Mend it.');
  });
});
