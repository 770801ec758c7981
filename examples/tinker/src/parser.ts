import type { ToolRegistry } from './tools/registry.ts';
import { usage } from './tools/registry.ts';
import type { ToolArguments } from './tools/tool.ts';

export interface Action {
  tool: string;
  args: ToolArguments;
}

/** Why a reply is not an action, and what would be one. */
export interface FormatProblem {
  kind: 'no_block' | 'several_blocks' | 'bad_json' | 'no_tool' | 'unknown_tool' | 'bad_arguments';
  reason: string;
  expected: string;
}

export type ParsedReply = { action: Action; problem?: undefined } | { action?: undefined; problem: FormatProblem };

const actionBlock = /^```action[^\S\n]*\n([\s\S]*?)\n?^```/gm;
const anyAction =
  'one block that starts with ```action, holds {"tool": <name>, "args": {<arguments>}}, and ends with ```';

/** Reads the action out of a reply. Problems are returned, not thrown: they go back to the model. */
export function parseReply(reply: string, registry: ToolRegistry): ParsedReply {
  const blocks = [...reply.matchAll(actionBlock)].map((match) => match[1] ?? '');
  if (blocks.length !== 1) {
    const kind = blocks.length === 0 ? 'no_block' : 'several_blocks';
    return { problem: { kind, reason: `The reply holds ${blocks.length} action blocks.`, expected: anyAction } };
  }
  let value: unknown;
  try {
    value = JSON.parse(blocks[0] ?? '');
  } catch {
    return { problem: { kind: 'bad_json', reason: 'The action is not valid JSON.', expected: anyAction } };
  }
  return readAction(value, registry);
}

function readAction(value: unknown, registry: ToolRegistry): ParsedReply {
  const { tool: name, args } = (value ?? {}) as { tool?: unknown; args?: unknown };
  if (typeof name !== 'string' || typeof args !== 'object' || args === null) {
    return { problem: { kind: 'no_tool', reason: 'The action needs "tool" and "args".', expected: anyAction } };
  }
  const tool = registry.get(name);
  if (!tool) {
    const reason = `There is no tool "${name}".`;
    return { problem: { kind: 'unknown_tool', reason, expected: `one of ${registry.names.join(', ')}` } };
  }
  const given = args as Record<string, unknown>;
  for (const [key, parameter] of Object.entries(tool.parameters)) {
    if (given[key] === undefined && !parameter.required) continue;
    if (typeof given[key] !== parameter.type) {
      const reason = `The tool ${name} needs the argument "${key}", a ${parameter.type}.`;
      return { problem: { kind: 'bad_arguments', reason, expected: usage(tool) } };
    }
  }
  const unknown = Object.keys(given).find((key) => !(key in tool.parameters));
  if (unknown !== undefined) {
    const reason = `The tool ${name} has no argument "${unknown}".`;
    return { problem: { kind: 'bad_arguments', reason, expected: usage(tool) } };
  }
  return { action: { tool: name, args: given as ToolArguments } };
}
