import { describe, expect, it } from 'vitest';
import { createModelClient, PriceList } from '../../../src/core/models';
import { listProposals, type ProposeInput, type ProposerAnswer, propose } from '../../../src/core/proposals';
import { type Reply, startModelServer } from '../models/modelServer';
import { temporaryFolder } from './temporaryHarness';

/** The whole way from a request to a stored proposal, against an endpoint that misbehaves as real ones do. */
const files = { 'prompts/error.md': 'Wrong.\nTry again.\n' };

function good(over: Partial<ProposerAnswer> = {}, evidence = ['E1']): { text: string } {
  const edit = { file: 'prompts/error.md', action: 'replace', oldText: 'Wrong.', newText: 'Wrong: {reason}.' };
  const decisions = [{ title: 'Tell', rationale: 'because', evidence, edits: [edit] }];
  const rest = { declares: { modify: ['prompts/error.md'] }, prediction: { fixes: ['t1'] } };
  return { text: JSON.stringify({ title: 'Say what was wrong', decisions, ...rest, ...over }) };
}

async function run(replies: Reply[], settings: object = {}) {
  const root = await temporaryFolder(files);
  const server = await startModelServer(...replies);
  const client = await createModelClient(
    { provider: 'openai-compatible', model: 'm', baseUrl: server.baseUrl, ...settings },
    { env: {}, retryPauseSeconds: 0.001, stallSeconds: 0.2, prices: new PriceList({ m: { input: 1, output: 10 } }) },
  );
  const input: ProposeInput = {
    harness: { root, config: { protected: [] } },
    request: 'tell the model what was wrong',
    steps: [{ run: 'r1', step: 17, text: 'Wrong.' }],
    sites: [{ file: 'prompts/error.md', symbol: '', start: 1, end: 2 }],
  };
  const messages: string[] = [];
  const outcome = await propose(input, client, { progress: ({ message }) => messages.push(message) }).catch(
    (error: unknown) => error as Error & { nextStep?: string },
  );
  const stored = (await listProposals(root)).proposals.length;
  return { outcome, server, stored, messages, spent: client.spending!.words() };
}

describe('a proposal from an endpoint that', () => {
  it('answers 429, then 200', async () => {
    const busy = { status: 429, body: '{"error":{"message":"slow down"}}', headers: { 'retry-after': '0.01' } };
    const { outcome, stored, messages, spent } = await run([busy, good()]);
    expect(outcome).toMatchObject({ title: 'Say what was wrong', model: { costUsd: expect.any(Number) } });
    expect(stored).toBe(1);
    expect(messages.some((message) => message.startsWith('Trying again in'))).toBe(true);
    expect(spent).toBe('2 requests (1 failed), 11 tokens in, 7 out, $0.0001');
  });

  it('cuts its stream, then answers', async () => {
    const { outcome, spent } = await run([{ cutAfter: '{"title": "Say what was wr' }, good()]);
    expect(outcome).toMatchObject({ title: 'Say what was wrong' });
    expect(spent).toMatch(/^2 requests \(1 failed\), about .* about \$0\.00/);
  });

  it('stalls, then answers; or stalls for good', async () => {
    expect((await run([{ stallAfter: '{"title"' }, good()])).outcome).toMatchObject({ title: 'Say what was wrong' });
    const { outcome, stored, spent } = await run([{ stallAfter: '{"title"' }]);
    expect(outcome).toMatchObject({
      message: expect.stringMatching(/^m at 127\.0\.0\.1:\d+ stopped in the middle of its answer for 0\.2 s\.$/),
      nextStep: expect.stringMatching(/Try again/),
    });
    expect(stored).toBe(0);
    expect(spent).toMatch(/^2 requests \(2 failed\), about/);
  });

  it('answers in a wrong schema once, or always', async () => {
    const { outcome, server, spent } = await run([{ text: '{"title": 5}' }, good()]);
    expect(outcome).toMatchObject({ title: 'Say what was wrong' });
    expect(server.requests[1]!.said).toContain('Your answer cannot be used');
    expect(spent).toBe('2 requests, 22 tokens in, 14 out, $0.0002');
    const failed = await run([{ text: 'I would rather talk about something else.' }]);
    expect(failed.outcome).toMatchObject({ message: expect.stringMatching(/cannot be used.*I would rather talk/) });
    expect(failed.spent).toBe('2 requests, 22 tokens in, 14 out, $0.0002');
    expect(failed.stored).toBe(0);
  });

  it('cites evidence that nobody offered', async () => {
    const { outcome, server } = await run([good({}, ['E1', 'E99'])]);
    expect(server.requests[1]!.said).toContain('cites E99, which was not among the evidence');
    // Asked again it does the same: the change stays, the invented evidence goes, and the proposal says so.
    expect(outcome).toMatchObject({
      decisions: [{ evidence: [{ kind: 'step', run: 'r1', step: 17 }] }],
      refused: [{ file: '-', reason: expect.stringMatching(/E99/) }],
    });
  });

  it('is down', async () => {
    const { outcome, spent, stored } = await run([{ status: 503, body: '{"error":{"message":"overloaded"}}' }]);
    expect(outcome).toMatchObject({ message: expect.stringMatching(/not available: overloaded \(HTTP 503\)/) });
    expect(spent).toBe('4 requests (4 failed), 0 tokens in, 0 out, nothing spent');
    expect(stored).toBe(0);
  });

  it('would cost more than allowed', async () => {
    const { outcome, server } = await run([good()], { budgetTokens: 100 });
    expect(outcome).toMatchObject({ code: 'model-budget' });
    expect(server.requests).toHaveLength(0);
  });
});
