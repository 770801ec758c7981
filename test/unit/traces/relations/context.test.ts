import { describe, expect, it } from 'vitest';
import { inputChange, marksOf, modelInputOf } from '../../../../src/core/traces/relations/modelInput';
import { truncationsIn } from '../../../../src/core/traces/relations/truncation';

describe('marks of truncation', () => {
  it.each([
    ['<elided_chars>\n27751 characters elided\n</elided_chars>', 27751, 'character'],
    ['[Truncated: 263 characters omitted]', 263, 'character'],
    ['Old environment output: (42 lines omitted)', 42, 'line'],
    ['... 1,200 more lines omitted', 1200, 'line'],
    ['[... 12 tokens truncated ...]', 12, 'token'],
  ])('%s: how much is missing', (mark, count, unit) => {
    expect(truncationsIn(`before\n${mark}\nafter`)[0]?.missing).toEqual({ count, unit });
  });

  it.each([
    '<response clipped><NOTE>To save on context only part of this file has been shown to you.</NOTE>',
    '[Old tool result content cleared]',
    'The output was truncated because it is too long.',
    'Output too large. See the file.',
  ])('%s', (mark) => {
    expect(truncationsIn(mark)).toHaveLength(1);
  });

  it.each([
    'all good',
    '<div className="overflow-hidden truncate">',
    '(a larger hidden size than before)',
    'I will not cut anything.',
    'truncate table users',
  ])('%s: none', (text) => {
    expect(truncationsIn(text)).toEqual([]);
  });

  it('finds one in the middle of a long text', () => {
    const half = 'line of output\n'.repeat(4000);
    expect(truncationsIn(`${half}[7 lines truncated]\n${half}`)).toHaveLength(1);
  });
});

describe('what a model was given', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
  ];
  const expected = [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Hi' },
  ];
  it.each<[string, unknown]>([
    ['a request', { request: { messages } }],
    ['an evaluation event', { event: 'model', input: messages, output: {} }],
    ['a traced run', { run_type: 'llm', inputs: { messages } }],
    ['JSON in an attribute', { attributes: { 'gen_ai.input.messages': JSON.stringify(messages) } }],
    ['a span', { attributes: [{ key: 'ai.prompt.messages', value: { stringValue: JSON.stringify(messages) } }] }],
    [
      'numbered attributes',
      {
        attributes: {
          'llm.input_messages.1.message.role': 'user',
          'llm.input_messages.1.message.content': 'Hi',
          'llm.input_messages.0.message.role': 'system',
          'llm.input_messages.0.message.content': 'Be brief.',
        },
      },
    ],
    ['a system prompt apart', { request: { system: 'Be brief.', messages: messages.slice(1) } }],
  ])('%s', (_, record) => {
    expect(modelInputOf(JSON.stringify(record))?.messages).toEqual(expected);
  });

  it('tools beside it, and nothing where there is none', () => {
    const tools = [{ name: 'shell' }];
    expect(modelInputOf(JSON.stringify({ request: { messages, tools } }))?.tools).toBe(JSON.stringify(tools));
    expect(modelInputOf(JSON.stringify({ role: 'assistant', content: 'Hi' }))).toBeNull();
    expect(modelInputOf('no JSON')).toBeNull();
    expect(modelInputOf('[]')).toBeNull();
  });

  const marks = (...texts: string[]) =>
    marksOf({ messages: texts.map((text) => ({ role: 'user', text })), tools: null });
  const long = 'a long observation that goes on '.repeat(20);

  it.each<[string, string[], string[], object]>([
    ['grows', ['a', 'b'], ['a', 'b', 'c', 'd'], { kept: 2, added: 2, dropped: 0, shortened: 0 }],
    ['is compacted', ['a', 'b', 'c'], ['a', 'summary'], { kept: 1, added: 1, dropped: 2, shortened: 0 }],
    ['is cut in place', ['a', long, 'c'], ['a', long.slice(0, 99), 'c'], { kept: 2, shortened: 1, dropped: 0 }],
    ['is replaced in place', ['a', long, 'c'], ['a', '[cleared]', 'c', 'd'], { kept: 2, shortened: 1, added: 1 }],
    ['starts anew', ['a'], ['b'], { kept: 0, dropped: 1, added: 1 }],
  ])('an input that %s', (_, before, after, change) => {
    expect(inputChange(marks(...before), marks(...after))).toMatchObject(change);
  });
});
