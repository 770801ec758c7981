import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importTraces } from '../../../src/core/traces';
import { claudeLine, jsonLines, temporaryFolders, traceRows, writeFiles } from './helpers';
import { at } from './samples/sample';

const folder = temporaryFolders();
const read = traceRows(folder);

describe('pi sessions', () => {
  const head = { type: 'session', version: 3, id: 's', cwd: '/', parentSession: 'earlier.jsonl' };
  const entry = (id: string, parentId: string | null, message: object) => ({ type: 'message', id, parentId, message });

  it('a stray record does not bring back a branch that was left', async () => {
    const { run, rows } = await read(
      'p.jsonl',
      jsonLines(
        head,
        entry('a', null, { role: 'user', content: 'Go' }),
        entry('b', 'a', { role: 'assistant', content: [{ type: 'text', text: 'left' }] }),
        entry('c', 'a', { role: 'assistant', content: [{ type: 'text', text: 'kept' }] }),
        { type: 'label' },
      ),
    );
    expect(rows).toEqual(['user | "Go"', 'agent | "kept"']);
    expect(run.warnings).toEqual([
      'It continues the session in earlier.jsonl.',
      '1 entries lie on abandoned branches and are not shown.',
    ]);
  });

  it('commands of the person, notes, failures and changes of the model are told apart', async () => {
    const { run, rows } = await read(
      'p.jsonl',
      jsonLines(
        head,
        { type: 'model_change', id: 'm', parentId: null, modelId: 'big' },
        entry('a', 'm', { role: 'bashExecution', command: 'ls', output: 'a.txt' }),
        { type: 'custom_message', id: 'b', parentId: 'a', content: 'remember' },
        entry('c', 'b', { role: 'assistant', content: [], stopReason: 'error', errorMessage: 'overloaded' }),
      ),
    );
    expect(rows).toEqual(['event user_command | "$ ls\\na.txt"', 'event note | "remember"', 'agent | "overloaded"']);
    expect(run).toMatchObject({ model: 'big', counts: { modelTurns: 1, userMessages: 0 } });
  });
});

describe('goose sessions', () => {
  it('an exported document: results name their request, errors are text, summaries are compactions', async () => {
    const message = (role: string, ...content: object[]) => ({ role, created: 1767268800, content });
    const { run, rows } = await read('g.json', {
      id: 'g1',
      working_dir: '/w',
      name: 'A name',
      accumulated_input_tokens: 30,
      input_tokens: 10,
      output_tokens: 4,
      conversation: [
        message('user', { type: 'text', text: 'Go' }),
        message(
          'assistant',
          { type: 'thinking', thinking: 'Hm' },
          { type: 'toolRequest', id: 'r1', toolCall: { value: { name: 'shell', arguments: { command: 'ls' } } } },
          { type: 'frontendToolRequest', id: 'r2', toolCall: { value: { name: 'chart' } } },
        ),
        message(
          'user',
          { type: 'toolResponse', id: 'r2', toolResult: { status: 'error', error: 'refused' } },
          { type: 'toolResponse', id: 'r1', toolResult: { status: 'success', value: [{ type: 'text', text: 'a' }] } },
        ),
        message('assistant', { type: 'summarizationRequested', msg: 'shortened' }),
        { role: 'assistant', content: 'no list' },
        message('assistant', { type: 'text', text: 'Done' }),
      ],
    });
    expect(rows).toEqual([
      'user | "Go"',
      'agent | thinks "Hm" | calls r1 shell {"command":"ls"} | calls r2 chart {}',
      'tool | fails r2 "refused" | answers r1 "a"',
      'event compaction | "shortened"',
      'agent | "Done"',
    ]);
    expect(run).toMatchObject({
      sessionId: 'g1',
      tokens: { input: 30, output: 4 },
      counts: { modelTurns: 2, toolCalls: 2, resultsLinked: 2, toolErrors: 1, compactions: 1 },
      endsTruncated: false,
    });
  });
});

describe('Gemini', () => {
  it('messages taken back and histories replaced leave what is there at the end', async () => {
    const user = (id: string, content: string) => ({ type: 'user', id, content });
    const { run, rows } = await read(
      'g.jsonl',
      jsonLines(
        { sessionId: 's', projectHash: 'h' },
        user('1', 'one'),
        user('2', 'two'),
        { type: 'gemini', id: '3', content: 'three' },
        { $rewindTo: '2' },
        { $rewindTo: 'nowhere' },
        { $set: { lastUpdated: 'now' } },
        { $set: { messages: [user('1', 'one'), { type: 'gemini', content: 'kept' }] } },
        { type: 'error', content: 'quota' },
      ),
    );
    expect(rows).toEqual(['user | "one"', 'agent | "kept"', 'event exception | "quota"']);
    expect(run.warnings.join()).toContain('1 times the whole history was replaced');
  });

  it('a call that was cancelled failed, one without a response has no result', async () => {
    const call = (id: string, more: object) => ({ id, name: 'ls', args: {}, ...more });
    const response = [{ functionResponse: { id: 'a', response: { output: 'half' } } }];
    const { run, rows } = await read('session.jsonl', {
      sessionId: 's',
      projectHash: 'h',
      messages: [
        {
          type: 'gemini',
          toolCalls: [call('a', { status: 'cancelled', result: response }), call('b', { result: [] })],
        },
      ],
    });
    expect(rows).toEqual(['agent | calls a ls {} | calls b ls {} | fails a "half"']);
    expect(run.endsTruncated).toBe(true);
    expect(run.warnings).toContain('It is one JSON document, although its name says JSON lines.');
  });

  it('contents in lines: calls without identifiers are matched by name and order, files are named', async () => {
    const call = (name: string) => ({ functionCall: { name, args: {} } });
    const answer = (name: string, response: object) => ({ functionResponse: { name, response } });
    const { run, rows } = await read(
      'c.jsonl',
      jsonLines(
        { role: 'user', parts: [{ text: 'Look' }, { inlineData: { mimeType: 'image/png', data: 'x' } }] },
        { role: 'model', parts: [call('a'), call('b'), call('a')] },
        { role: 'user', parts: [answer('b', { output: 'B' }), answer('a', { error: 'A1' }), answer('a', { n: 2 })] },
        { role: 'user', parts: [answer('c', { output: 'who' })] },
      ),
    );
    expect(rows).toEqual([
      'user | "Look\\n[image/png data]"',
      'agent | calls call-1 a {} | calls call-2 b {} | calls call-3 a {}',
      'tool | answers call-2 "B" | fails call-1 "A1" | answers call-3 "{\\"n\\":2}"',
      'tool | answers response-4 "who"',
    ]);
    expect(run.counts).toMatchObject({ toolCalls: 3, resultsLinked: 3, resultsOrphan: 1, toolErrors: 1 });
  });
});

describe('the panel of Cline', () => {
  it('drafts count nothing, not even what they cost; failures and thoughts are no turns', async () => {
    const say = (ts: number, what: string, text: string, more: object = {}) => ({
      ts,
      type: 'say',
      say: what,
      text,
      ...more,
    });
    const request = JSON.stringify({ tokensIn: 5, tokensOut: 2, cost: 0.25 });
    const { run, rows } = await read('ui_messages.json', [
      say(1, 'task', 'Go'),
      say(2, 'api_req_started', request, { partial: true }),
      say(3, 'api_req_started', request),
      say(4, 'reasoning', 'Hm'),
      say(5, 'text', 'Loo', { partial: true }),
      say(6, 'text', 'Look'),
      { ts: 7, type: 'ask', ask: 'command', text: 'ls' },
      say(8, 'command_output', 'a'),
      say(9, 'command_output', 'b'),
      say(10, 'api_req_failed', 'quota'),
    ]);
    expect(rows).toEqual([
      'user | "Go"',
      'event reasoning | thinks "Hm"',
      'agent | "Look"',
      'agent | calls at-7 command {"command":"ls"}',
      'tool | answers at-7 "a"',
      'tool | answers null "b"',
      'event exception | "quota"',
    ]);
    expect(run).toMatchObject({ tokens: { input: 5, output: 2 }, costUsd: 0.25, counts: { resultsOrphan: 1 } });
  });
});

describe('OpenHands', () => {
  it('V1 as a list: one response with two calls is one turn, refusals and errors fail', async () => {
    const event = (kind: string, more: object) => ({ kind, source: 'agent', ...more });
    const action = (id: string) =>
      event('ActionEvent', {
        tool_name: 'run',
        tool_call_id: id,
        llm_response_id: 'r',
        thinking_blocks: [{ thinking: 'A' }, {}, { thinking: 'B' }],
        tool_call: { function: { arguments: `{"id":"${id}"}` } },
      });
    const { run, rows } = await read('e.json', [
      event('SystemPromptEvent', { system_prompt: { text: 'Rules' } }),
      event('ConversationStateUpdateEvent', { key: 'x' }),
      action('a'),
      action('b'),
      event('UserRejectObservation', { tool_call_id: 'b', rejection_reason: 'no' }),
      event('ObservationEvent', { action_id: 'a', observation: { content: 'x', exit_code: 2 } }),
      event('ConversationErrorEvent', { code: 'Budget', detail: 'spent' }),
    ]);
    expect(rows).toEqual([
      'system | "Rules"',
      'agent | thinks "A\\nB" | calls a run {"id":"a"}',
      'agent | thinks "A\\nB" | calls b run {"id":"b"}',
      'tool | fails b "no"',
      'tool | fails a "x"',
      'event exception | "Budget: spent"',
    ]);
    expect(run.counts).toMatchObject({ modelTurns: 1, toolCalls: 2, resultsLinked: 2, toolErrors: 2 });
  });

  it('V0: what only steers the program is no step, and usage of an instance is the sum of its parts', async () => {
    const instance = {
      instance_id: 'i-1',
      instruction: 'Fix',
      metrics: {
        token_usages: [{ prompt_tokens: 3, completion_tokens: 1 }, { prompt_tokens: 4 }],
        accumulated_cost: 2,
      },
      history: [
        { id: 0, action: 'system', args: { content: 'Rules' } },
        { id: 1, action: 'message', args: { content: 'Fix' } },
        { id: 2, action: 'recall', args: {} },
        { id: 3, observation: 'recall', content: 'x' },
        { id: 4, source: 'agent', action: 'run', args: { command: 'ls', thought: 'Look' } },
        { id: 5, observation: 'run', cause: 4, content: 'a', extras: { metadata: { exit_code: 1 } } },
      ],
    };
    const { run, rows } = await read('output.json', instance);
    expect(rows).toEqual([
      'system | "Rules"',
      'user | "Fix"',
      'event recall | "x"',
      'agent | "Look" | calls 4 run {"command":"ls"}',
      'tool | fails 4 "a"',
    ]);
    expect(run).toMatchObject({ task: 'i-1', tokens: { input: 7, output: 1 }, costUsd: 2, endsTruncated: true });
  });
});

describe('Responses', () => {
  it('a paused run waits and is not cut, unless its file is', async () => {
    const state = {
      $schemaVersion: '1.0',
      model_responses: [],
      original_input: 'Go',
      current_step: { type: 'next_step_interruption' },
      trace: { id: 'trace_1' },
      context: { usage: { input_tokens: 8, output_tokens: 3 } },
      generated_items: [{ raw_item: { type: 'function_call', call_id: 'c', name: 'rm', arguments: '{"path":"x"}' } }],
    };
    const { run, rows } = await read('state.json', state);
    expect(rows).toEqual(['user | "Go"', 'agent | calls c rm {"path":"x"}']);
    expect(run).toMatchObject({
      sessionId: 'trace_1',
      exitStatus: 'waiting for approval',
      tokens: { input: 8, output: 3 },
      endsTruncated: false,
    });
    const text = JSON.stringify({ ...state, last: 'cut here' });
    const cut = await read('state.json', text.slice(0, text.indexOf('here')));
    expect(cut.rows).toEqual(rows);
    expect(cut.run.endsTruncated).toBe(true);
  });

  it('a stream that was cut shows the items, else the text, that had come', async () => {
    const stream = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    const created = { type: 'response.created', response: { object: 'response', id: 'r', model: 'm' } };
    const delta = (text: string) => ({ type: 'response.output_text.delta', delta: text });
    expect((await read('s.sse', stream(created, delta('Hel'), delta('lo')))).rows[0]).toContain('agent | "Hello"');
    const item = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
    const { rows } = await read('s.sse', stream(created, { type: 'response.output_item.done', item }, delta('x')));
    expect(rows[0]).toContain('calls c f {}');
  });
});

describe('other readers', () => {
  it('OpenTelemetry: every type of a value, and kinds that the AI SDK names', async () => {
    const value = (key: string, typed: object) => ({ key, value: typed });
    const span = (spanId: string, attributes: object[]) => ({
      traceId: 't',
      spanId,
      name: spanId,
      startTimeUnixNano: '1767268800000000000',
      endTimeUnixNano: '1767268801000000000',
      attributes,
    });
    const prompt = {
      kvlistValue: { values: [value('role', { stringValue: 'user' }), value('content', { stringValue: 'Hi' })] },
    };
    const { run, rows } = await read('o.json', {
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                span('outer', [value('ai.operationId', { stringValue: 'ai.generateText' })]),
                span('inner', [
                  value('ai.operationId', { stringValue: 'ai.generateText.doGenerate' }),
                  value('gen_ai.input.messages', { arrayValue: { values: [prompt] } }),
                  value('ai.response.text', { stringValue: 'Hello' }),
                  value('gen_ai.usage.input_tokens', { doubleValue: 7 }),
                  value('gen_ai.usage.output_tokens', { intValue: '2' }),
                  value('ai.streamed', { boolValue: false }),
                ]),
              ],
            },
          ],
        },
      ],
    });
    expect(rows[0]).toBe('user | "Hi"');
    expect(rows[1]).toContain('agent | "Hello"');
    expect(run).toMatchObject({ tokens: { input: 7, output: 2 }, counts: { modelTurns: 1 } });
  });

  it('Copilot: what a sub-agent does is its own; an abort ends the run', async () => {
    const line = (type: string, data: object) => ({ type, timestamp: at(1), data });
    const { run, rows } = await read(
      'c.jsonl',
      jsonLines(
        line('session.start', { sessionId: 's' }),
        line('system.message', { content: 'Rules' }),
        line('assistant.message', { content: '', toolRequests: [{ toolCallId: 'a', name: 'task', arguments: {} }] }),
        line('subagent.started', { toolCallId: 'a', agentName: 'helper' }),
        line('assistant.message', { content: 'inside', parentToolCallId: 'a' }),
        line('tool.execution_complete', { toolCallId: 'b', parentToolCallId: 'a', success: true }),
        line('session.error', { message: 'lost' }),
        line('abort', { reason: 'user' }),
      ),
    );
    expect(rows).toEqual([
      'system | "Rules"',
      'agent | calls a task {}',
      'event subagent | "helper"',
      'event subagent_message | "inside"',
      'event exception | "lost"',
      'event aborted | "user"',
    ]);
    expect(run).toMatchObject({ endsTruncated: false, counts: { subagentRuns: 1, modelTurns: 1, resultsLinked: 0 } });
  });

  it('Claude Code: a result links to its call wherever it stands; usage of one message counts once', async () => {
    const use = (id: string) => [{ type: 'tool_use', id, name: 'Bash', input: {} }];
    const answer = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: id }];
    const { run } = await read(
      'c.jsonl',
      jsonLines(
        claudeLine(1, 'user', answer('late')),
        claudeLine(2, 'assistant', use('early')),
        claudeLine(2, 'assistant', [{ type: 'text', text: 'again' }]),
        claudeLine(3, 'assistant', use('late')),
        claudeLine(4, 'user', answer('never')),
        claudeLine(5, 'user', answer('early')),
      ),
    );
    expect(run.counts).toMatchObject({ toolCalls: 2, resultsLinked: 2, resultsOrphan: 1, modelTurns: 2 });
    expect(run.tokens).toMatchObject({ input: 6, output: 5 });
    expect(run.warnings).toContain('1 tool result without a call in the trace.');
  });

  it('tau: one simulation with ticks says that they are not shown; a record that is none is told', async () => {
    const simulation = (id: string, reward: number | null) => ({
      id,
      task_id: id,
      termination_reason: 'user_stop',
      reward_info: reward === null ? null : { reward },
      ...(id === 'v' ? { ticks: [] } : { messages: [{ role: 'user', content: 'Hi' }] }),
    });
    const voice = await read('v.json', simulation('v', null));
    expect(voice.run).toMatchObject({ outcome: { verdict: 'unknown' }, exitStatus: 'user_stop' });
    expect(voice.run.warnings.join()).toContain('voice simulation');
    const place = await folder();
    await writeFiles(place, { 't.jsonl': jsonLines(simulation('a', 1), 7, simulation('b', 0.5)) });
    const { runs } = await importTraces([join(place, 't.jsonl')]);
    expect(runs.map((run) => [run.task, run.outcome.verdict, run.outcome.reward])).toEqual([
      ['a', 'pass', 1],
      ['b', 'fail', 0.5],
    ]);
    expect(runs[0]?.warnings).toContain('1 record is none of this format and left out.');
  });
});
