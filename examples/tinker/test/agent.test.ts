import { describe, expect, it } from 'vitest';
import { Agent } from '../src/agent.ts';
import type { Config } from '../src/config.ts';
import { ModelClient, ModelError } from '../src/model.ts';
import { Templates } from '../src/templates.ts';
import { TrajectoryRecorder } from '../src/trajectory.ts';
import { action, folderWith, promptsDir, scriptedModel, shippedConfig } from './support.ts';

async function runAgent(replies: (string | number)[], change: (config: Config) => void = () => {}) {
  const config = shippedConfig();
  config.model.retryDelayMs = 1;
  change(config);
  const { baseUrl, requests } = await scriptedModel(replies);
  const recorder = new TrajectoryRecorder('session', config.model.name);
  const model = new ModelClient(config.model, { baseUrl, seed: 1 });
  const agent = new Agent({ config, model, templates: new Templates(promptsDir), recorder });
  const workDir = await folderWith({ 'a.txt': 'x'.repeat(5000) });
  const status = await agent.run('# A task\nDo it.', workDir);
  return { status, requests, steps: recorder.steps, recorder };
}

describe('Agent', () => {
  it('records exactly the texts that the model saw', async () => {
    const { status, requests, steps } = await runAgent([action('read', { path: 'a.txt' }), action('submit')]);
    expect(status).toBe('submitted');
    const seen = requests.at(-1)?.map((message) => message.content);
    expect(steps.map((step) => step.source)).toEqual(['system', 'user', 'agent', 'agent']);
    expect(seen).toEqual([
      steps[0]?.message,
      steps[1]?.message,
      steps[2]?.message,
      steps[2]?.observation?.results[0]?.content,
    ]);
    expect(steps[2]?.extra).toEqual({ output_chars: 5000 });
  });

  it('links calls to their results and adds the tokens up', async () => {
    const { steps, recorder } = await runAgent([action('shell', { command: 'ls' }), action('submit')]);
    const call = steps[2]?.tool_calls?.[0];
    expect(call).toMatchObject({ function_name: 'shell', arguments: { command: 'ls' } });
    expect(steps[2]?.observation?.results[0]?.source_call_id).toBe(call?.tool_call_id);
    expect(recorder.totals).toEqual({ promptTokens: 20, completionTokens: 4 });
  });

  it('answers malformed replies from the template and ends at the limit', async () => {
    const { status, steps } = await runAgent(['no action here'], (config) => {
      config.limits.formatErrors = 3;
    });
    expect(status).toBe('format_error_limit');
    const errors = steps.filter((step) => step.extra?.format_error === 'no_block');
    expect(errors).toHaveLength(3);
    const problem = { reason: 'The reply holds 0 action blocks.', expected: '' };
    expect(errors[0]?.observation?.results[0]?.content).toBe(new Templates(promptsDir).render('format_error', problem));
    expect(errors[0]?.tool_calls).toBeUndefined();
  });

  it('sends an unchecked submission back once', async () => {
    const replies = [action('write', { path: 'b.txt', content: 'x' }), action('submit'), action('submit')];
    const { status, steps } = await runAgent(replies);
    expect(status).toBe('submitted');
    expect(steps[3]?.observation?.results[0]?.content).toBe(new Templates(promptsDir).render('completion'));
    expect(steps).toHaveLength(5);
  });

  it('compacts a long conversation and records it', async () => {
    const { status, steps, requests } = await runAgent([action('read', { path: 'a.txt' })], (config) => {
      config.limits.turns = 8;
    });
    expect(status).toBe('turn_limit');
    const notices = steps.filter((step) => step.extra?.compaction);
    expect(notices.length).toBeGreaterThan(0);
    expect(requests.at(-1)?.length).toBeLessThan(2 * 8);
    expect(requests.at(-1)?.map((message) => message.content)).toContain(notices.at(-1)?.message);
  });

  it('repeats a request that failed for a passing reason', async () => {
    expect((await runAgent([503, 429, action('submit')])).status).toBe('submitted');
  });

  it('gives up on lasting failures and on wrong requests', async () => {
    await expect(runAgent([500])).rejects.toThrow(ModelError);
    await expect(runAgent([401, action('submit')])).rejects.toThrow('401');
  });
});
