import { readFileSync } from 'node:fs';

export interface Config {
  model: {
    name: string;
    temperature: number;
    maxTokens: number;
    timeoutSeconds: number;
    /** How often a request is repeated after a network error, 429 or 5xx. */
    retries: number;
    retryDelayMs: number;
  };
  limits: { turns: number; formatErrors: number; seconds: number };
  shell: { timeoutSeconds: number };
  observation: { maxChars: number };
  context: { maxChars: number; keepMessages: number };
  completion: { requireRun: boolean; maxRefusals: number };
  tools: string[];
}

/** The configuration file is not usable; the message names the key. */
export class ConfigError extends Error {}

type Section = Record<string, unknown>;

function section(parent: Section, key: string): Section {
  const value = parent[key];
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ConfigError(`"${key}" must be an object`);
  return value as Section;
}

function numberAt(parent: Section, key: string, least: number): number {
  const value = parent[key];
  if (typeof value !== 'number' || !Number.isFinite(value) || value < least) {
    throw new ConfigError(`"${key}" must be a number of at least ${least}`);
  }
  return value;
}

/** Checks a parsed configuration. Throws ConfigError that names the first wrong key. */
export function readConfig(value: unknown): Config {
  const root = section({ config: value }, 'config');
  const model = section(root, 'model');
  const limits = section(root, 'limits');
  const context = section(root, 'context');
  const completion = section(root, 'completion');
  const { name } = model;
  const { tools } = root;
  if (typeof name !== 'string') throw new ConfigError('"model.name" must be a string');
  if (typeof completion.requireRun !== 'boolean')
    throw new ConfigError('"completion.requireRun" must be true or false');
  if (!Array.isArray(tools) || !tools.every((tool) => typeof tool === 'string')) {
    throw new ConfigError('"tools" must be a list of tool names');
  }
  return {
    model: {
      name,
      temperature: numberAt(model, 'temperature', 0),
      maxTokens: numberAt(model, 'maxTokens', 1),
      timeoutSeconds: numberAt(model, 'timeoutSeconds', 0.001),
      retries: numberAt(model, 'retries', 0),
      retryDelayMs: numberAt(model, 'retryDelayMs', 0),
    },
    limits: {
      turns: numberAt(limits, 'turns', 1),
      formatErrors: numberAt(limits, 'formatErrors', 1),
      seconds: numberAt(limits, 'seconds', 1),
    },
    shell: { timeoutSeconds: numberAt(section(root, 'shell'), 'timeoutSeconds', 0.001) },
    observation: { maxChars: numberAt(section(root, 'observation'), 'maxChars', 1) },
    context: { maxChars: numberAt(context, 'maxChars', 1), keepMessages: numberAt(context, 'keepMessages', 1) },
    completion: { requireRun: completion.requireRun, maxRefusals: numberAt(completion, 'maxRefusals', 0) },
    tools,
  };
}

/** Reads and checks the configuration file. */
export function loadConfig(file: string): Config {
  try {
    return readConfig(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new ConfigError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
