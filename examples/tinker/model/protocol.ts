/** A tool call as the simulated model means it. */
export interface Call {
  tool: string;
  args: Record<string, string | number>;
}

/** How the harness wants calls to be written, as far as its texts show it. */
export interface Protocol {
  fence: string;
  toolKey: string;
  argsKey: string;
}

/** What the model writes when no text shows it another way. */
const habit: Protocol = { fence: 'json', toolKey: 'name', argsKey: 'arguments' };

const example = /```(\w+)[^\S\n]*\n\s*(\{[\s\S]*?\})\s*\n```/;

/** Learns the protocol from the first fenced example in the given texts. */
export function learnProtocol(texts: string[]): Protocol {
  for (const text of texts) {
    const match = example.exec(text);
    if (!match) continue;
    try {
      const entries = Object.entries(JSON.parse(match[2] ?? '') as Record<string, unknown>);
      const toolKey = entries.find(([, value]) => typeof value === 'string')?.[0];
      const argsKey = entries.find(([, value]) => typeof value === 'object' && value !== null)?.[0];
      if (toolKey && argsKey) return { fence: match[1] ?? '', toolKey, argsKey };
    } catch {
      // An example that is not JSON teaches nothing.
    }
  }
  return habit;
}

/** The bad habits of the model. */
export type Slip = 'raw_newline' | 'wrong_field' | 'no_fence';

/** Names that the model prefers for arguments, against what the harness calls them. */
const preferredNames: Record<string, string> = { old: 'old_string', new: 'new_string' };

/** The slip that this call invites, if any. */
export function temptation(call: Call): Slip | null {
  if (Object.values(call.args).some((value) => String(value).includes('\n'))) return 'raw_newline';
  if ('old' in call.args) return 'wrong_field';
  return null;
}

/** Writes a reply: a thought and the call, with or without a slip. */
export function writeReply(thought: string, call: Call, protocol: Protocol, slip: Slip | null): string {
  const renamed = Object.entries(call.args).map(([key, value]) => [preferredNames[key] ?? key, value]);
  const args = slip === 'wrong_field' ? Object.fromEntries(renamed) : call.args;
  const json = JSON.stringify({ [protocol.toolKey]: call.tool, [protocol.argsKey]: args });
  const body = slip === 'raw_newline' ? json.replaceAll('\\n', '\n') : json;
  return slip === 'no_fence' ? `${thought}\n\n${body}` : `${thought}\n\n\`\`\`${protocol.fence}\n${body}\n\`\`\``;
}

/** Reads an own earlier reply: the call it held, or the slip that spoiled it. */
export function readReply(reply: string, protocol: Protocol): { call: Call } | { slip: Slip } {
  const block = new RegExp(`\`\`\`${protocol.fence}\\n([\\s\\S]*?)\\n\`\`\``).exec(reply)?.[1];
  if (block === undefined) return { slip: 'no_fence' };
  try {
    const value = JSON.parse(block) as Record<string, unknown>;
    const call: Call = {
      tool: String(value[protocol.toolKey]),
      args: (value[protocol.argsKey] ?? {}) as Call['args'],
    };
    return Object.values(preferredNames).some((name) => name in call.args) ? { slip: 'wrong_field' } : { call };
  } catch {
    return { slip: 'raw_newline' };
  }
}

/**
 * How far the texts of the harness (system prompt and answers to malformed replies, not tool output) tell what is wrong
 * with a slip: 1 plainly, 0.5 they hint at it, 0 not at all.
 */
export function told(slip: Slip, instructions: string[]): number {
  const text = instructions.join('\n');
  switch (slip) {
    case 'raw_newline':
      if (/control character|\\n|escape[ds]? (?:the )?(?:line|newline)|line breaks?/i.test(text)) return 1;
      return /not (?:valid|proper) JSON|invalid JSON|valid JSON/i.test(text) ? 0.5 : 0;
    case 'wrong_field':
      return /["'`]old["'`]/.test(text) ? 1 : /old_string|unknown argument|missing argument/i.test(text) ? 0.5 : 0;
    case 'no_fence':
      return /```\w+/.test(text) ? 1 : /fence|block/i.test(text) ? 0.5 : 0;
  }
}
