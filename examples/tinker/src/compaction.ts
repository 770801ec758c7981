import type { ChatMessage } from './model.ts';

export interface CompactionLimits {
  /** Total characters of all messages above which old messages are removed. */
  maxChars: number;
  /** How many of the newest messages stay. */
  keepMessages: number;
}

export interface Compacted {
  messages: ChatMessage[];
  dropped: number;
}

export function conversationSize(messages: ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + message.content.length, 0);
}

/**
 * Removes the oldest messages when the conversation is too long. The system prompt and the newest messages stay; `notice`
 * renders the text that takes the place of the others. Returns the same list when nothing has to go.
 */
export function compact(
  messages: ChatMessage[],
  limits: CompactionLimits,
  notice: (dropped: number) => string,
): Compacted {
  if (conversationSize(messages) <= limits.maxChars) return { messages, dropped: 0 };
  const head = messages.slice(0, 1);
  const tail = messages.slice(head.length).slice(-limits.keepMessages);
  const dropped = messages.length - head.length - tail.length;
  if (dropped <= 0) return { messages, dropped: 0 };
  return { messages: [...head, { role: 'user', content: notice(dropped) }, ...tail], dropped };
}
