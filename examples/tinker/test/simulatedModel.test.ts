import { describe, expect, it } from 'vitest';
import type { Message } from '../model/policy.ts';
import { reply, weaknesses } from '../model/policy.ts';
import { startSimulatedModel } from '../model/server.ts';
import { parseReply } from '../src/parser.ts';
import { Templates } from '../src/templates.ts';
import { ToolRegistry } from '../src/tools/registry.ts';
import { action, promptsDir, shippedConfig } from './support.ts';

const registry = new ToolRegistry(shippedConfig().tools);
const system = new Templates(promptsDir).render('system', { tools: registry.describe() });
const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

const opening = (title: string): Message[] => [
  { role: 'system', content: system },
  { role: 'user', content: `# ${title}\n\nThe working folder holds: files` },
];

const say = (own: string, answer: string): Message[] => [
  { role: 'assistant', content: own },
  { role: 'user', content: answer },
];

const rangeRead = say(
  action('read', { path: 'range.mjs' }),
  'Output of read (6 lines):\n  for (let n = first; n < last; n += 1)',
);

/** Share of seeds whose next reply is a well-formed action. */
const wellFormed = (messages: Message[]): number =>
  seeds.filter((seed) => parseReply(reply(messages, seed), registry).action).length / seeds.length;

describe('the simulated model', () => {
  it('gives the same reply for the same messages and seed, and not the same for all seeds', () => {
    const messages = [...opening('Fix the range'), ...rangeRead];
    expect(reply(messages, 3)).toBe(reply(messages, 3));
    expect(new Set(seeds.map((seed) => reply(messages, seed))).size).toBeGreaterThan(1);
  });

  it('repeats a malformed call when told nothing, and repairs it when told what is expected', () => {
    const slip = action('edit', { path: 'range.mjs', old_string: 'n < last', new_string: 'n <= last' });
    const after = (feedback: string) => [...opening('Fix the range'), ...rangeRead, ...say(slip, feedback)];
    expect(wellFormed(after('Your last reply could not be processed. Reply again.'))).toBeLessThan(0.2);
    const { problem } = parseReply(slip, registry);
    expect(wellFormed(after(`${problem?.reason} Expected: ${problem?.expected}`))).toBeGreaterThan(0.85);
  });

  it('writes line breaks raw until the feedback speaks of them', () => {
    const start = [
      ...opening('Write the changelog'),
      ...say(action('shell', { command: 'cat commits.txt' }), 'feat: a\nfix: b'),
    ];
    const slip = '```action\n{"tool":"write","args":{"path":"CHANGELOG.md","content":"## Added\n"}}\n```';
    const untold = wellFormed([...start, ...say(slip, 'Reply again.')]);
    const hinted = wellFormed([...start, ...say(slip, 'The action is not valid JSON.')]);
    const told = wellFormed([
      ...start,
      ...say(slip, 'Bad control character in string literal in JSON at position 62.'),
    ]);
    expect(untold).toBeLessThan(hinted);
    expect(hinted).toBeLessThan(told);
  });

  it('looks again at cut output only when the output says that it was cut', () => {
    const after = (notice: string) => [
      ...opening('Find the last deploy'),
      ...say(action('read', { path: 'deploys.txt' }), `2026-03-01 api deployed build aaa in 20 s${notice}`),
    ];
    const narrower = (notice: string) => seeds.filter((seed) => reply(after(notice), seed).includes('grep')).length;
    expect(narrower('')).toBe(0);
    const vague = narrower('\n[truncated]');
    expect(vague).toBeGreaterThan(0);
    expect(narrower('\n[900 characters were cut off; use read with offset]')).toBeGreaterThan(vague);
  });

  it('checks its work when asked to', () => {
    const written = [
      ...opening('Add up the orders'),
      ...say(action('shell', { command: 'cat orders.csv' }), 'shelf,60,2'),
      ...say(action('write', { path: 'total.txt', content: '490' }), 'Output of write (ok):\nwrote total.txt'),
    ];
    const checking = (messages: Message[]) => seeds.filter((seed) => reply(messages, seed).includes('check.sh')).length;
    const asked = [...written];
    asked[0] = { role: 'system', content: `${system}\nCheck your work before you submit.` };
    expect(checking(asked)).toBeGreaterThan(2 * checking(written));
  });

  it('forgets the task when the statement is gone', () => {
    const messages = [opening('Merge the notes')[0] as Message, ...say(action('read', { path: 'notes/lima.md' }), 'x')];
    expect(parseReply(reply(messages, 1), registry).action).toEqual({ tool: 'submit', args: {} });
  });

  it('falls back to its own format when the prompt shows none', () => {
    const messages = opening('Fix the range');
    messages[0] = { role: 'system', content: 'You are tinker. Use tools.' };
    expect(reply(messages, 1)).toContain('"arguments"');
  });

  it('is weaker untold than told, by its table', () => {
    expect(Math.min(...Object.values(weaknesses.repeatUntold))).toBeGreaterThanOrEqual(weaknesses.slipHinted);
    expect(weaknesses.slipHinted).toBeGreaterThan(weaknesses.slipTold);
  });
});

describe('its server', () => {
  it('speaks chat completions and refuses what is not a request', async () => {
    const model = await startSimulatedModel();
    try {
      const post = (body: string) => fetch(`${model.baseUrl}/chat/completions`, { method: 'POST', body });
      const good = JSON.stringify({ model: 'm', messages: opening('Fix the range'), seed: 2 });
      let response = await post(good);
      if (response.status === 503) response = await post(good);
      const document = (await response.json()) as { choices: { message: { content: string } }[] };
      expect(document.choices[0]?.message.content).toContain('range.mjs');
      expect((await post('{"messages": []}')).status).toBe(400);
      expect((await post('no json')).status).toBe(400);
      expect((await fetch(`${model.baseUrl}/models`)).status).toBe(404);
    } finally {
      await model.close();
    }
  });
});
