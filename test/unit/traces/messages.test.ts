import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joined, messagesIn, textOf } from '../../../src/core/traces/formats/anyMessages';
import { rowOf } from './rows';

function rows(value: unknown, role: 'user' | 'assistant' = 'user'): string[] {
  return messagesIn(value, role).map((body) => rowOf({ n: 1, ...body }));
}

describe('messages in what instrumentations record', () => {
  it.each<[string, unknown, string[]]>([
    ['bare text', 'Go', ['user | "Go"']],
    ['a number', 3, ['user | "3"']],
    ['nothing', null, []],
    ['JSON in a string', '[{"role":"user","content":"Go"}]', ['user | "Go"']],
    ['JSON encoded twice', JSON.stringify(JSON.stringify({ role: 'user', content: 'Go' })), ['user | "Go"']],
    ['text that only looks like JSON', '{not json', ['user | "{not json"']],
    [
      'messages and a system prompt',
      { system: 'Rules', messages: [{ role: 'user', content: 'Go' }] },
      ['system | "Rules"', 'user | "Go"'],
    ],
    ['a prompt of the AI SDK', { prompt: 'Go' }, ['user | "Go"']],
    ['a list of lists, as LangChain batches', [[{ role: 'user', content: 'Go' }]], ['user | "Go"']],
    [
      'blocks',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'A' },
            { type: 'text', text: 'B' },
          ],
        },
      ],
      ['user | "A\\nB"'],
    ],
    [
      'calls and results of the chat protocol',
      [
        { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{"a":1}' } }] },
        { role: 'tool', tool_call_id: 'c', content: 'x' },
      ],
      ['agent | calls c f {"a":1}', 'tool | answers c "x"'],
    ],
    [
      'calls and results of Anthropic',
      [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'x', is_error: true }] },
      ],
      ['agent | calls c f {"a":1}', 'tool | fails c "x"'],
    ],
    [
      'parts of OpenTelemetry',
      [
        {
          role: 'assistant',
          parts: [
            { type: 'text', content: 'Look' },
            { type: 'tool_call', id: 'c', name: 'f', arguments: { a: 1 } },
          ],
        },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: { ok: true } }] },
      ],
      ['agent | "Look" | calls c f {"a":1}', 'tool | answers c "{\\"ok\\":true}"'],
    ],
    [
      'parts of the AI SDK',
      [
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'f', input: { a: 1 } }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', output: 'x' }] },
      ],
      ['agent | calls c f {"a":1}', 'tool | answers c "x"'],
    ],
    [
      'parts of Gemini, in both spellings',
      [
        { role: 'model', parts: [{ text: 'Hm', thought: true }, { function_call: { name: 'f', args: { a: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { id: 'c', response: { output: 'x' } } }] },
      ],
      ['agent | thinks "Hm" | calls unnamed f {"a":1}', 'tool | answers c "x"'],
    ],
    [
      'items of Responses: those of one answer are one message',
      [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Look' }] },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'x' },
      ],
      ['agent | "Look" | calls c f {}', 'tool | answers c "x"'],
    ],
    [
      'LangChain messages, plain and serialized',
      [
        { type: 'system', content: 'S' },
        { id: ['langchain', 'HumanMessage'], kwargs: { content: 'Go' } },
        {
          id: ['langchain', 'AIMessageChunk'],
          kwargs: { content: '', tool_calls: [{ id: 'c', name: 'f', args: { a: 1 } }] },
        },
        {
          id: ['langchain', 'AIMessage'],
          kwargs: {
            content: '',
            additional_kwargs: { tool_calls: [{ id: 'd', function: { name: 'g', arguments: '{}' } }] },
          },
        },
        { type: 'tool', tool_call_id: 'c', content: 'x' },
      ],
      ['system | "S"', 'user | "Go"', 'agent | calls c f {"a":1}', 'agent | calls d g {}', 'tool | answers c "x"'],
    ],
  ])('%s', (_, value, expected) => {
    expect(rows(value)).toEqual(expected);
  });

  it.each<[string, unknown, string[]]>([
    ['a completion', { choices: [{ message: { role: 'assistant', content: 'Hi' } }] }, ['agent | "Hi"']],
    [
      'generations of LangChain',
      { generations: [[{ message: { id: ['x', 'AIMessage'], kwargs: { content: 'Hi' } } }]] },
      ['agent | "Hi"'],
    ],
    [
      'candidates of Gemini',
      { candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] } }] },
      ['agent | "Hi"'],
    ],
    ['the text of an answer alone', { text: 'Hi', finish_reason: 'stop' }, ['agent | "Hi"']],
    [
      'calls of the AI SDK alone',
      [{ toolCallId: 'c', toolName: 'f', input: '{"a":1}' }],
      ['agent | calls c f {"a":1}'],
    ],
  ])('as an answer: %s', (_, value, expected) => {
    expect(rows(value, 'assistant')).toEqual(expected);
  });

  it('ends for any value, however deep, and gives bodies that are whole', () => {
    const deep = fc.integer({ min: 1, max: 60 }).map((depth) => {
      let value: unknown = { role: 'user', content: 'x' };
      for (let level = 0; level < depth; level += 1)
        value = level % 2 === 0 ? { messages: [value] } : { output: value };
      return value;
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          deep,
          fc.jsonValue().map((value) => JSON.stringify(value)),
        ),
        (value) => {
          for (const body of messagesIn(value, 'user')) {
            expect(['system', 'user', 'agent', 'tool', 'event']).toContain(body.kind);
            expect(typeof body.text).toBe('string');
            for (const call of body.calls) expect(typeof call.name).toBe('string');
          }
        },
      ),
    );
  });
});

describe('one answer recorded as several messages', () => {
  it('is one step: no empty line for a message without text, and all calls in their order', () => {
    const call = (id: string) => ({
      role: 'assistant',
      tool_calls: [{ id, function: { name: 'f', arguments: '{}' } }],
    });
    const said = (content: string) => ({ role: 'assistant', content });
    const answer = joined(messagesIn([call('c'), said('Look'), call('d'), said('again')], 'assistant'));
    expect(rowOf({ n: 1, ...answer })).toBe('agent | "Look\\nagain" | calls c f {} | calls d f {}');
    expect(joined([])).toEqual({ kind: 'agent', text: '', calls: [], results: [] });
  });
});

describe('what a tool gave back, as text', () => {
  it.each<[unknown, string]>([
    [undefined, ''],
    ['plain', 'plain'],
    ['"quoted"', 'quoted'],
    ['{"content":[{"type":"text","text":"inside"}]}', 'inside'],
    [{ temperature: 64 }, '{"temperature":64}'],
    [
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      'a\nb',
    ],
    [[1, 2], '[1,2]'],
    [{ kwargs: { content: 'of LangChain' } }, 'of LangChain'],
  ])('%j', (value, expected) => {
    expect(textOf(value)).toBe(expected);
  });
});
