/**
 * Compares what the trace importer counts with an answer file, field by field, for the formats that have a reader.
 *
 *   npm run bench:traces -- --samples DIR --expected FILE.jsonl [--all]
 *
 * One line of the answer file: `{path, format, runs: [{id, task, model, outcome, modelTurns, …}], mustWarn}`; a field
 * `xOneOf` lists every accepted value of `x`. Exit code 1 when a difference was found.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importTraces, openTrace, type TraceRun } from '../src/core/traces';

const FORMATS = new Set(['atif', 'mini-swe-agent', 'swe-agent', 'claude-code']);
const FIELDS: Record<string, (run: TraceRun) => unknown> = {
  id: (run) => run.sessionId,
  task: (run) => run.task,
  model: (run) => run.model,
  outcome: (run) => run.outcome.verdict,
  modelTurns: (run) => run.counts.modelTurns,
  toolCalls: (run) => run.counts.toolCalls,
  toolResultsLinked: (run) => run.counts.resultsLinked,
  toolResultsOrphan: (run) => run.counts.resultsOrphan,
  userMessages: (run) => run.counts.userMessages,
  tokensIn: (run) => run.tokens.input,
  tokensOut: (run) => run.tokens.output,
  tokensCached: (run) => run.tokens.cached,
  tokensInIncludesCached: (run) => run.tokens.inputIncludesCached,
  costUsd: (run) => run.costUsd,
  compactions: (run) => run.counts.compactions,
  subagentRuns: (run) => run.counts.subagentRuns,
  firstTime: (run) => run.started,
  lastTime: (run) => run.ended,
  endsTruncated: (run) => run.endsTruncated,
};

interface Row {
  path: string;
  format: string;
  runs: Record<string, unknown>[];
  mustWarn: string[];
}

function same(expected: unknown, got: unknown): boolean {
  if (expected === got) return true;
  if (typeof expected === 'number' && typeof got === 'number')
    return Math.abs(expected - got) < 1e-6 * Math.max(1, expected);
  if (typeof expected !== 'string' || typeof got !== 'string') return false;
  const [left, right] = [Date.parse(expected), Date.parse(got)];
  return /^\d{4}-/.test(expected) && Math.abs(left - right) <= 1;
}

function differences(expected: Record<string, unknown>, run: TraceRun): string[] {
  const found: string[] = [];
  for (const [field, read] of Object.entries(FIELDS)) {
    if (!(field in expected)) continue;
    const oneOf = expected[`${field}OneOf`];
    // Null in the answers means "not determinable", except for facts whose absence is itself the right answer.
    const accepted = Array.isArray(oneOf) ? oneOf : [expected[field]];
    if (!Array.isArray(oneOf) && expected[field] === null && UNDETERMINED.has(field)) continue;
    if (!accepted.some((value) => same(value, read(run)))) {
      found.push(`${field}: expected ${JSON.stringify(accepted)}, got ${JSON.stringify(read(run))}`);
    }
  }
  return found;
}

const UNDETERMINED = new Set(['modelTurns', 'userMessages', 'subagentRuns', 'endsTruncated', 'id']);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { samples: { type: 'string' }, expected: { type: 'string' }, all: { type: 'boolean', default: false } },
  });
  if (values.samples === undefined || values.expected === undefined)
    throw new Error('Give --samples DIR and --expected FILE.jsonl.');
  const rows = (await readFile(values.expected, 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Row => JSON.parse(line));
  let checked = 0;
  let wrong = 0;
  for (const row of rows) {
    const supported = FORMATS.has(row.format);
    if (!supported && !values.all) continue;
    const { runs, unknown } = await importTraces([join(values.samples, row.path)]);
    const run = runs[0];
    if (!supported) {
      console.log(
        `${row.format}\t${row.path}\t${run === undefined ? `unknown: ${unknown[0]?.reason}` : `read as ${run.format}`}`,
      );
      continue;
    }
    checked += 1;
    const found = run === undefined ? [`not read: ${unknown[0]?.reason}`] : differences(row.runs[0] ?? {}, run);
    if (run !== undefined) {
      const reader = await openTrace(run);
      if (reader.stepCount !== run.counts.steps)
        found.push(`steps: ${reader.stepCount} on opening, ${run.counts.steps} on import`);
      for (let n = 1; n <= reader.stepCount; n += 1) await reader.step(n);
      await reader.close();
      if (row.mustWarn.length > 0 && run.warnings.length === 0)
        found.push(`no warning, expected: ${row.mustWarn.join('; ')}`);
    }
    if (found.length === 0 && !values.all) continue;
    if (found.length > 0) wrong += 1;
    console.log(
      `${row.path}\n  ${found.join('\n  ')}${row.mustWarn.length > 0 ? `\n  must warn: ${row.mustWarn}\n  warned: ${run?.warnings.join(' | ')}` : ''}`,
    );
  }
  console.log(`${checked} traces checked, ${checked - wrong} as expected, ${wrong} with differences.`);
  process.exitCode = wrong > 0 ? 1 : 0;
}

await main();
