import type { Call } from './protocol.ts';

export type Facts = Record<string, string>;

/** One thing the model means to do for a task. */
export interface Intent {
  thought: string;
  kind: 'look' | 'change';
  call(facts: Facts): Call;
  /** For a look: the narrower call that shows what was cut off, used only when the harness says that something was. */
  narrow?: Call;
  /** For a change: the careless version of it. */
  careless?(facts: Facts): Call;
}

/** How the simulated model goes about one task. */
export interface Script {
  /** First line of the task statement; the model recognises the task by it. */
  title: string;
  intents: Intent[];
  /** Facts that are read out of what looks showed: the last match counts, `guess` stands in when nothing matches. */
  facts?: Record<string, { pattern: RegExp; guess: string }>;
  /** The command that shows whether the work is right. */
  check?: string;
  /** How likely the careless version of the changes is, 0 to 1. */
  carelessness?: number;
}

export const lines = (...text: string[]): string => text.join('\n');
export const shell = (command: string): Call => ({ tool: 'shell', args: { command } });
export const read = (path: string): Call => ({ tool: 'read', args: { path } });
export const write = (path: string, content: string): Call => ({ tool: 'write', args: { path, content } });
export const edit = (path: string, before: string, after: string): Call => ({
  tool: 'edit',
  args: { path, old: before, new: after },
});
export const search = (text: string): Call => ({ tool: 'search', args: { text } });

export function look(thought: string, call: Call, narrow?: Call): Intent {
  return { thought, kind: 'look', call: () => call, ...(narrow ? { narrow } : {}) };
}

export function change(thought: string, call: (facts: Facts) => Call, careless?: (facts: Facts) => Call): Intent {
  return { thought, kind: 'change', call, ...(careless ? { careless } : {}) };
}
