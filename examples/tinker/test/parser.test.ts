import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReply } from '../src/parser.ts';
import { ToolRegistry } from '../src/tools/registry.ts';
import { action, shippedConfig } from './support.ts';

const registry = new ToolRegistry(shippedConfig().tools);
const kindOf = (reply: string) => parseReply(reply, registry).problem?.kind;

describe('parseReply', () => {
  it('reads the action out of a reply with a thought', () => {
    expect(parseReply(action('read', { path: 'a.txt', offset: 3 }), registry)).toEqual({
      action: { tool: 'read', args: { path: 'a.txt', offset: 3 } },
    });
  });

  it('names the problem of each malformed reply', () => {
    expect(kindOf('I am done.')).toBe('no_block');
    expect(kindOf('{"tool":"submit","args":{}}')).toBe('no_block');
    expect(kindOf(action('submit') + action('submit').replace('I go on.', '\n'))).toBe('several_blocks');
    expect(kindOf('```action\n{"tool": "write", "args": {"path": "a", "content": "x\ny"}}\n```')).toBe('bad_json');
    expect(kindOf('```action\nnull\n```')).toBe('no_tool');
    expect(kindOf('```action\n{"name": "read", "arguments": {}}\n```')).toBe('no_tool');
    expect(kindOf(action('browse', { url: 'x' }))).toBe('unknown_tool');
    expect(kindOf(action('edit', { path: 'a', old_string: 'x', new_string: 'y' }))).toBe('bad_arguments');
    expect(kindOf(action('read', { path: 7 }))).toBe('bad_arguments');
    expect(kindOf(action('submit', { note: 'x' }))).toBe('bad_arguments');
  });

  it('keeps reason and usage for the one who renders the feedback', () => {
    const { problem } = parseReply(action('edit', { path: 'a', old_string: 'x' }), registry);
    expect(problem?.reason).toContain('"old"');
    expect(problem?.expected).toBe('{"tool": "edit", "args": {"path": <string>, "old": <string>, "new": <string>}}');
  });

  it('never throws and gives back every well-formed action', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const parsed = parseReply(text, registry);
        expect(parsed.action === undefined).toBe(parsed.problem !== undefined);
      }),
    );
    fc.assert(
      fc.property(fc.string(), fc.string(), (path, content) => {
        const args = { path, content };
        expect(parseReply(action('write', args), registry)).toEqual({ action: { tool: 'write', args } });
      }),
    );
  });
});
