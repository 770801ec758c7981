import type { Config } from '../config.ts';

/** What a tool does to the work folder: the completion check needs it. */
export type ToolEffect = 'looks' | 'changes' | 'runs' | 'submits';

export interface ToolParameter {
  type: 'string' | 'number';
  required: boolean;
  description: string;
}

export type ToolArguments = Record<string, string | number>;

export interface ToolContext {
  /** Absolute real path of the work folder. */
  workDir: string;
  config: Config;
}

export interface ToolResult {
  output: string;
  /** Shown beside the tool's name, for example "ok" or "exit code 1". */
  status: string;
}

/** Descriptor and implementation of one tool. */
export interface Tool {
  name: string;
  description: string;
  parameters: Record<string, ToolParameter>;
  effect: ToolEffect;
  run(args: ToolArguments, context: ToolContext): Promise<ToolResult>;
}

/** A mistake of the model that it can repair, such as a file that does not exist. */
export class ToolError extends Error {}
