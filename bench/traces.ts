/**
 * Compares what the trace importer counts with an answer file, field by field, and prints every difference.
 *
 *   npm run bench:traces -- --samples DIR --expected FILE.jsonl [--only TEXT] [--warnings]
 *
 * One line of the answer file: `{path, format, runs: [{id, task, model, outcome, modelTurns, …}], mustWarn}`; a field
 * `xOneOf` lists every accepted value of `x`; null is not compared. Exit code 1 when a difference was found.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importTraces, openTrace, type Step, type TraceRun } from '../src/core/traces';

/** A run with its steps, which some fields are counted from. */
interface ReadRun {
  run: TraceRun;
  steps: Step[];
}

const FIELDS: Record<string, (read: ReadRun) => unknown> = {
  id: ({ run }) => run.sessionId,
  task: ({ run }) => run.task,
  model: ({ run }) => run.model,
  outcome: ({ run }) => run.outcome.verdict,
  modelTurns: ({ run }) => run.counts.modelTurns,
  toolCalls: ({ run }) => run.counts.toolCalls,
  toolResultsLinked: ({ run }) => run.counts.resultsLinked,
  toolResultsOrphan: ({ run }) => run.counts.resultsOrphan,
  userMessages: ({ run }) => run.counts.userMessages,
  tokensIn: ({ run }) => run.tokens.input,
  tokensOut: ({ run }) => run.tokens.output,
  tokensCached: ({ run }) => run.tokens.cached,
  tokensCacheWrite: ({ run }) => run.tokens.cacheWrite ?? null,
  tokensInIncludesCached: ({ run }) => run.tokens.inputIncludesCached,
  tokensInTotal: ({ run }) => totalInput(run),
  tokensInSteps: ({ steps }) => sum(steps, (step) => step.tokens?.input),
  tokensOutSteps: ({ steps }) => sum(steps, (step) => step.tokens?.output),
  costUsd: ({ run }) => run.costUsd,
  compactions: ({ run }) => run.counts.compactions,
  subagentRuns: ({ run }) => run.counts.subagentRuns,
  firstTime: ({ run }) => run.started,
  lastTime: ({ run }) => run.ended,
  endsTruncated: ({ run }) => run.endsTruncated,
  exitStatus: ({ run }) => run.exitStatus,
  reward: ({ run }) => run.outcome.reward,
  trial: ({ run }) => (run.trial === null ? null : Number(run.trial)),
  epoch: ({ run }) => (run.trial === null ? null : Number(run.trial)),
  score: ({ run }) => run.scores ?? null,
  scores: ({ run }) => run.scores ?? null,
  formatErrors: ({ steps }) => steps.filter((step) => step.event === 'format_error').length,
};

function totalInput({ tokens }: TraceRun): number | null {
  if (tokens.input === null || tokens.inputIncludesCached !== false) return tokens.input;
  return tokens.input + (tokens.cached ?? 0) + (tokens.cacheWrite ?? 0);
}

function sum(steps: readonly Step[], pick: (step: Step) => number | null | undefined): number {
  return steps.filter((step) => !step.copied).reduce((total, step) => total + (pick(step) ?? 0), 0);
}

interface Row {
  path: string;
  format: string;
  runs: Record<string, unknown>[];
  mustWarn: string[];
  memberOf?: string;
  optionalRuns?: unknown;
  runsMayBeSplit?: boolean;
}

function same(expected: unknown, got: unknown): boolean {
  if (expected === got) return true;
  if (typeof expected === 'number' && typeof got === 'number')
    return Math.abs(expected - got) < 1e-6 * Math.max(1, expected);
  if (typeof expected === 'object' && expected !== null && typeof got === 'object' && got !== null)
    return Object.entries(expected).every(([key, value]) =>
      same(value, Object.entries(got).find(([k]) => k === key)?.[1]),
    );
  if (typeof expected !== 'string' || typeof got !== 'string') return false;
  const [left, right] = [Date.parse(expected), Date.parse(got)];
  return /^\d{4}-/.test(expected) && Math.abs(left - right) <= 1;
}

function differences(expected: Record<string, unknown>, read: ReadRun, counter: { fields: number }): string[] {
  const found: string[] = [];
  for (const [field, value] of Object.entries(FIELDS)) {
    const oneOf = expected[`${field}OneOf`];
    const accepted = Array.isArray(oneOf) ? oneOf : [expected[field]];
    // Null, or a field that is not there, means "not determinable with confidence".
    if (!Array.isArray(oneOf) && (expected[field] === null || expected[field] === undefined)) continue;
    if (accepted.every((one) => one === null)) continue;
    counter.fields += 1;
    const got = value(read);
    if (!accepted.some((one) => same(one, got)))
      found.push(
        `${field}: expected ${accepted.map((one) => JSON.stringify(one)).join(' or ')}, got ${JSON.stringify(got)}`,
      );
  }
  return found;
}

/** Reads every step, so that what is counted is what can be opened. */
async function readRun(run: TraceRun, problems: string[]): Promise<ReadRun> {
  const reader = await openTrace(run);
  const steps: Step[] = [];
  if (reader.stepCount !== run.counts.steps)
    problems.push(`steps: ${reader.stepCount} on opening, ${run.counts.steps} on import`);
  for (let n = 1; n <= reader.stepCount; n += 1) {
    steps.push(await reader.step(n));
    await reader.raw(n);
  }
  await reader.close();
  const calls = steps.filter((step) => !step.copied).reduce((total, step) => total + step.calls.length, 0);
  if (calls !== run.counts.toolCalls) problems.push(`calls: ${calls} in the steps, ${run.counts.toolCalls} counted`);
  return { run, steps };
}

async function compareRow(row: Row, samples: string, counter: { fields: number }, warnings: boolean) {
  const { runs, unknown } = await importTraces([join(samples, row.path)]);
  const problems: string[] = [];
  const read: ReadRun[] = [];
  for (const run of runs) read.push(await readRun(run, problems));
  if (row.runs.length !== runs.length && row.runsMayBeSplit !== true && row.optionalRuns === undefined)
    problems.push(
      `runs: expected ${row.runs.length}, got ${runs.length}${unknown[0] ? ` (${unknown[0].reason})` : ''}`,
    );
  for (const [index, expected] of row.runs.entries()) {
    const named = expected.id === null ? undefined : read.find(({ run }) => run.sessionId === expected.id);
    const match = named ?? read[index];
    const name = row.runs.length > 1 ? `run ${expected.id ?? index}: ` : '';
    if (match === undefined) problems.push(`${name}not read`);
    else problems.push(...differences(expected, match, counter).map((found) => name + found));
  }
  const warned = runs.flatMap((run) => run.warnings);
  const said = [...warned, ...unknown.map(({ reason }) => reason)];
  if (row.mustWarn.length > said.length)
    problems.push(`warnings: ${said.length}, expected: ${row.mustWarn.join('; ')}`);
  if (problems.length > 0 || warnings) {
    console.log(
      `${row.path} (${row.format}, read as ${[...new Set(runs.map((run) => run.format))].join(', ') || 'nothing'})`,
    );
    for (const problem of problems) console.log(`  ${problem}`);
    if (warnings) for (const one of row.mustWarn) console.log(`  must warn: ${one}`);
    if (warnings) for (const one of said) console.log(`  said: ${one}`);
  }
  return problems.length === 0;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      samples: { type: 'string' },
      expected: { type: 'string' },
      only: { type: 'string', default: '' },
      warnings: { type: 'boolean', default: false },
    },
  });
  if (values.samples === undefined || values.expected === undefined)
    throw new Error('Give --samples DIR and --expected FILE.jsonl.');
  const rows = (await readFile(values.expected, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Row => JSON.parse(line))
    .filter((row) => `${row.path} ${row.format}`.includes(values.only));
  const byFormat = new Map<string, { right: number; all: number }>();
  const counter = { fields: 0 };
  for (const row of rows) {
    const right = await compareRow(row, values.samples, counter, values.warnings);
    const tally = byFormat.get(row.format) ?? { right: 0, all: 0 };
    byFormat.set(row.format, { right: tally.right + (right ? 1 : 0), all: tally.all + 1 });
  }
  for (const [format, { right, all }] of [...byFormat].sort(([a], [b]) => a.localeCompare(b)))
    console.log(`${format.padEnd(20)} ${right} of ${all}`);
  const right = [...byFormat.values()].reduce((total, one) => total + one.right, 0);
  console.log(
    `${rows.length} rows, ${right} as expected, ${rows.length - right} with differences; ${counter.fields} fields compared.`,
  );
  process.exitCode = right < rows.length ? 1 : 0;
}

await main();
