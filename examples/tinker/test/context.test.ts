import { describe, expect, it } from 'vitest';
import { compact, conversationSize } from '../src/compaction.ts';
import type { ChatMessage } from '../src/model.ts';
import { fillTemplate, Templates } from '../src/templates.ts';
import { truncateOutput } from '../src/truncation.ts';
import { folderWith } from './support.ts';

describe('truncateOutput', () => {
  it('leaves short output alone and keeps the start of long output', () => {
    expect(truncateOutput('abc', 3)).toBe('abc');
    expect(truncateOutput('abcdef', 3).startsWith('abc')).toBe(true);
    expect(truncateOutput('abcdef', 3)).not.toContain('def');
  });
});

describe('compact', () => {
  const messages: ChatMessage[] = [
    { role: 'system', content: 'rules' },
    ...Array.from({ length: 8 }, (_, index): ChatMessage => ({ role: 'user', content: `message ${index}` })),
  ];

  it('does nothing below the limit', () => {
    const limits = { maxChars: conversationSize(messages), keepMessages: 2 };
    expect(compact(messages, limits, () => 'gone')).toEqual({ messages, dropped: 0 });
  });

  it('keeps the system prompt and the newest messages and says how many went', () => {
    const compacted = compact(messages, { maxChars: 20, keepMessages: 2 }, (dropped) => `${dropped} gone`);
    expect(compacted.messages[0]).toEqual(messages[0]);
    expect(compacted.messages.slice(-2)).toEqual(messages.slice(-2));
    expect(compacted.messages.at(-3)?.content).toBe(`${compacted.dropped} gone`);
    expect(compacted.messages.length - 1 + compacted.dropped).toBe(messages.length);
  });

  it('drops nothing when the newest messages alone are too long', () => {
    const few = messages.slice(0, 3);
    expect(compact(few, { maxChars: 1, keepMessages: 4 }, () => 'gone')).toEqual({ messages: few, dropped: 0 });
  });
});

describe('templates', () => {
  it('fills placeholders to the letter, also with text that looks like one', () => {
    expect(fillTemplate('{{a}} and {{b}}', { a: '$& {{b}}', b: 2 })).toBe('$& {{b}} and 2');
  });

  it('refuses a placeholder without a value', () => {
    expect(() => fillTemplate('{{reason}}', {})).toThrow('{{reason}}');
  });

  it('reads the template from its file', async () => {
    const folder = await folderWith({ 'observation.md': 'Output: {{output}}\n' });
    expect(new Templates(folder).render('observation', { output: 'x' })).toBe('Output: x');
  });
});
