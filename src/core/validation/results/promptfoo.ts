import { basename } from 'node:path';
import { z } from 'zod';
import { readDocument } from './document';
import { type FoundTrial, type ResultReader, trialsOf } from './resultReader';

const Row = z.looseObject({
  testIdx: z.int().nullish(),
  promptIdx: z.int().nullish(),
  provider: z.looseObject({ id: z.string().nullish(), label: z.string().nullish() }).nullish(),
  vars: z.record(z.string(), z.unknown()).nullish(),
  prompt: z.looseObject({ raw: z.string().nullish(), label: z.string().nullish() }).nullish(),
  testCase: z.looseObject({ description: z.string().nullish(), assert: z.unknown().optional() }).nullish(),
  success: z.boolean(),
  score: z.number().nullish(),
  /** 0 none, 1 an assertion, 2 an error before anything could be judged. */
  failureReason: z.int().nullish(),
  error: z.string().nullish(),
  latencyMs: z.number().nullish(),
  cost: z.number().nullish(),
  response: z.looseObject({ tokenUsage: z.looseObject({ total: z.number().nullish() }).nullish() }).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
type Row = z.infer<typeof Row>;

const Output = z.looseObject({ results: z.looseObject({ results: z.array(Row) }) });

/**
 * Output of `promptfoo eval -o`. With `--repeat` its rows carry ever new test numbers and no repeat, so rows of the same
 * prompt, provider, variables and assertions are taken for repeats of one task.
 */
export const promptfooResults: ResultReader = {
  id: 'promptfoo',
  looksFor: 'the JSON output of promptfoo',
  async recognizes(path) {
    return (await readDocument(path, Output)) !== null;
  },
  async read(path) {
    const rows = (await readDocument(path, Output))?.results.results ?? [];
    return trialsOf(basename(path, '.json'), foundTrials([...rows].sort(byTest), basename(path)));
  },
};

function byTest(one: Row, other: Row): number {
  return (one.testIdx ?? 0) - (other.testIdx ?? 0) || (one.promptIdx ?? 0) - (other.promptIdx ?? 0);
}

function foundTrials(rows: readonly Row[], output: string): FoundTrial[] {
  const providers = new Set(rows.map(({ provider }) => provider?.label ?? provider?.id));
  const names = new Map<string, string>();
  return rows.map((row) => {
    const identity = identityOf(row);
    const task = names.get(identity) ?? unused(nameOf(row, providers.size > 1), new Set(names.values()));
    names.set(identity, task);
    return foundTrial(row, task, output);
  });
}

function identityOf({ prompt, provider, vars, testCase }: Row): string {
  return JSON.stringify([prompt?.raw, provider?.id, provider?.label, vars ?? {}, testCase?.assert ?? null]);
}

function nameOf({ testCase, vars, provider, testIdx }: Row, withProvider: boolean): string {
  const values = Object.entries(vars ?? {}).map(([key, value]) => `${key}=${plain(value)}`);
  const name = testCase?.description || values.join(', ').slice(0, 120) || `test ${(testIdx ?? 0) + 1}`;
  return withProvider ? `${name} (${provider?.label || provider?.id || 'no provider'})` : name;
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function unused(name: string, taken: ReadonlySet<string>): string {
  let unique = name;
  for (let count = 2; taken.has(unique); count++) unique = `${name} #${count}`;
  return unique;
}

function foundTrial(row: Row, task: string, output: string): FoundTrial {
  const errored = row.failureReason === 2;
  const repeatIndex = row.metadata?.repeatIndex;
  const score = row.score ?? Number(row.success);
  return {
    task,
    repeat: typeof repeatIndex === 'number' && Number.isInteger(repeatIndex) ? repeatIndex + 1 : undefined,
    verdict: errored ? 'missing' : row.success ? 'pass' : 'fail',
    reward: errored || !(score >= 0 && score <= 1) ? null : score,
    exception: errored ? { type: 'ProviderError', message: row.error ?? '' } : null,
    infrastructure: errored,
    seconds: (row.latencyMs ?? 0) / 1000,
    tokens: row.response?.tokenUsage?.total ?? null,
    costUsd: row.cost ?? null,
    output,
  };
}
