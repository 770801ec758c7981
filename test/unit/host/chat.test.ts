import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CancelledError, InputError } from '../../../src/core/errors';
import { chatContribution } from '../../../src/host/chat/chatParticipant';
import type { Services } from '../../../src/host/services';
import { FakeLog, FakeWork, mapOf, proposalOf } from './fakes';

type Handler = (
  request: { command?: string; prompt: string },
  context: unknown,
  response: unknown,
  token: { onCancellationRequested(listener: () => void): { dispose(): void } },
) => Promise<{ errorDetails?: { message: string } }>;

const editor = vi.hoisted(() => ({
  handler: null as unknown,
  workspace: { isTrusted: true, textDocuments: [] },
  chat: { createChatParticipant: undefined as unknown },
}));
vi.mock('vscode', () => ({
  workspace: editor.workspace,
  chat: editor.chat,
  Uri: { file: (path: string) => path, joinPath: (...parts: string[]) => parts.join('/') },
  Location: class {
    constructor(
      readonly uri: string,
      readonly place: { line: number },
    ) {}
  },
  Position: class {
    constructor(readonly line: number) {}
  },
  ThemeIcon: class {},
}));
vi.mock('../../../src/host/models/modelKeys', () => ({ modelInForce: async () => ({ provider: 'recorded' }) }));

/** The participant with a worker, and all it says. */
function talk(work: FakeWork, root: string | null = '/h') {
  const log = new FakeLog();
  let refreshed = 0;
  const services = {
    log,
    work,
    harness: { root, map: mapOf([]), ensure: async () => undefined },
    traces: { diagnosis: { flaws: [{ id: 'f-1a2b' }] } },
    proposals: { refresh: async () => void refreshed++ },
  } as unknown as Services;
  chatContribution.activate(services);
  const said: string[] = [];
  const anchors: unknown[] = [];
  const buttons: { command: string; arguments: unknown[] }[] = [];
  const response = {
    markdown: (text: string) => said.push(text),
    anchor: (location: unknown, title: string) => anchors.push([location, title]),
    button: (button: (typeof buttons)[number]) => buttons.push(button),
    progress: () => undefined,
  };
  let disposed = 0;
  let cancel = () => {};
  const token = {
    onCancellationRequested: (listener: () => void) => {
      cancel = listener;
      return { dispose: () => void disposed++ };
    },
  };
  const ask = (prompt: string, command?: string) =>
    (editor.handler as Handler)({ prompt, command }, {}, response, token);
  return { ask, said, anchors, buttons, log, cancel: () => cancel(), count: () => ({ refreshed, disposed }) };
}

beforeEach(() => {
  editor.workspace.isTrusted = true;
  editor.chat.createChatParticipant = (_: string, handler: unknown) => {
    editor.handler = handler;
    return {};
  };
});

const context = (over: object) => (() => ({ sendsNothing: true, summary: '', ...over })) as never;

describe('the chat', () => {
  it('asks for words when there are none, and starts no work', async () => {
    const work = new FakeWork({});
    const { ask, said, count } = talk(work);
    await ask('  \n ');
    expect(said.join('')).toContain('/where');
    expect([work.calls, count().disposed]).toEqual([[], 1]);
  });

  it('leads to places with their reason, which is shown as text', async () => {
    const site = { file: 'src/a.ts', symbol: '', start: 7, end: 9, reason: 'the [word](command:x) <b>', score: 1 };
    const work = new FakeWork({ locate: (() => ({ sites: [site] })) as never });
    const { ask, said, anchors } = talk(work);
    await ask('truncation', 'where');
    expect(anchors).toEqual([[{ uri: '/h/src/a.ts', place: { line: 6 } }, 'src/a.ts']]);
    expect(said.join('')).toContain('the \\[word\\]\\(command\\:x\\) \\<b\\>');
  });

  it('says so when no place fits', async () => {
    const { ask, said } = talk(new FakeWork({ locate: (() => ({ sites: [] })) as never }));
    await ask('nowhere', 'where');
    expect(said).toEqual(['Nothing in the harness fits these words.']);
  });

  it('proposes nothing in a folder that is not trusted', async () => {
    editor.workspace.isTrusted = false;
    const work = new FakeWork({});
    const { ask, said } = talk(work);
    await ask('cut less');
    expect(said.join('')).toContain('not trusted');
    expect(work.calls).toEqual([]);
  });

  it('sends nothing before the person has seen what would be sent', async () => {
    const work = new FakeWork({ proposalContext: context({ sendsNothing: false, summary: '3 files, $0.02' }) });
    const { ask, said, buttons } = talk(work);
    await ask('repair f-1a2b gently');
    expect(work.calls).toEqual(['proposalContext']);
    expect(said.join('')).toContain('To be sent: 3 files');
    const subject = { kind: 'flaw', flaw: 'f-1a2b', request: 'repair gently' };
    expect(buttons).toMatchObject([{ command: 'harnessmith.proposeFromChat', arguments: [subject] }]);
  });

  it('shows proposals that cost nothing, each with its review, and why there is none', async () => {
    const { proposal } = proposalOf([], { title: 'Say **more**' });
    const made = { proposals: [proposal], noChange: 'it is `right`', missing: [], spent: 'nothing' };
    const work = new FakeWork({ proposalContext: context({}), propose: (() => made) as never });
    const { ask, said, buttons, count } = talk(work);
    await ask('say more');
    expect(said[0]).toContain('**Say \\*\\*more\\*\\***');
    expect(said[1]).toBe('No change is proposed: it is \\`right\\`');
    expect(buttons).toMatchObject([{ command: 'harnessmith.reviewProposal' }]);
    expect(buttons[0]!.arguments).toEqual([{ target: { kind: 'proposal', proposal: proposal.id } }]);
    expect(count().refreshed).toBe(1);
  });

  it('hands a cancellation on to the worker and says nothing about it', async () => {
    let signal: AbortSignal | undefined;
    const work = new FakeWork({
      locate: (_, options) => {
        signal = options!.signal!;
        return new Promise((__, reject) => signal!.addEventListener('abort', () => reject(new CancelledError())));
      },
    });
    const { ask, log, cancel, count } = talk(work);
    const answer = ask('x', 'where');
    await vi.waitFor(() => expect(signal?.aborted).toBe(false));
    cancel();
    expect(await answer).toEqual({});
    expect([log.lines, count().disposed]).toEqual([[], 1]);
  });

  it('says what failed and what to do, and keeps it in the log', async () => {
    const work = new FakeWork({
      locate: () => {
        throw new InputError('The index is torn.', { code: 'x', nextStep: 'Index again.' });
      },
    });
    const { ask, log } = talk(work);
    const { errorDetails } = await ask('x', 'where');
    expect(errorDetails!.message).toContain('The index is torn.');
    expect(errorDetails!.message).toContain('Index again.');
    expect(log.lines).toEqual(['error The chat request failed']);
  });

  it('is left out where the editor has no chat', () => {
    editor.chat.createChatParticipant = undefined;
    editor.handler = null;
    expect(() => talk(new FakeWork({}))).not.toThrow();
    expect(editor.handler).toBeNull();
  });
});
