/**
 * How often each detector speaks on passing and on failing runs.
 *
 *   npm run bench:detectors -- [--traces DIR ...] [--show DETECTOR]
 *
 * Reads the recorded runs of the example with its source, and further traces without one: places are not judged here.
 * A finding on a passing run is called a false alarm, although some tell of real trouble that did no harm that time.
 */
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { detectors, diagnoseRuns, type Finding, promptTexts } from '../src/core/diagnosis';
import { acrossDetectors } from '../src/core/diagnosis/detectors';
import { indexHarness } from '../src/core/graph';
import { buildHandbook } from '../src/core/handbook';
import { openHarness } from '../src/core/harness';
import { buildLinkIndex, linkRun } from '../src/core/links';
import { importTraces, type TraceRun } from '../src/core/traces';

type Verdict = 'pass' | 'fail' | 'other';

async function example() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'harnessmith-bench-')));
  try {
    await cp(resolve('examples/tinker'), root, { recursive: true });
    const harness = await openHarness(root);
    const { graph } = await indexHarness(harness);
    const map = await buildHandbook(graph, harness);
    const index = buildLinkIndex(graph, map);
    const { runs } = await importTraces([join(root, 'traces')]);
    const texts = promptTexts(graph.data.literals);
    const { findings } = await diagnoseRuns({ runs, map, texts, linksOf: (reader) => linkRun(index, reader) });
    return { runs, findings };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Runs with at least one turn; the same run in several files counts once. */
async function others(folders: readonly string[]) {
  const { runs } = await importTraces(folders.map((folder) => resolve(folder)));
  const seen = new Set<string>();
  const single = runs.filter((run) => {
    const { modelTurns, toolCalls } = run.counts;
    const key = [run.format, run.task, run.started, run.model, modelTurns, toolCalls].join('\n');
    if (modelTurns === 0 || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  const { findings } = await diagnoseRuns({ runs: single, map: { units: [] }, linksOf: async () => [] });
  return { runs: single, findings };
}

function verdictOf({ outcome }: TraceRun): Verdict {
  return outcome.verdict === 'pass' || outcome.verdict === 'fail' ? outcome.verdict : 'other';
}

function table(title: string, runs: readonly TraceRun[], findings: readonly Finding[]): string {
  const of = (verdict: Verdict) => runs.filter((run) => verdictOf(run) === verdict);
  const [passing, failing, unjudged] = [of('pass'), of('fail'), of('other')];
  const runsWith = (group: readonly TraceRun[], id?: string) =>
    group.filter((run) => findings.some((one) => one.run === run.id && (id === undefined || one.detector === id)))
      .length;
  const cell = (group: readonly TraceRun[], id?: string) => {
    if (group.length === 0) return '-';
    return `${runsWith(group, id)} (${Math.round((100 * runsWith(group, id)) / group.length)} %)`;
  };
  const per = (group: readonly TraceRun[]) => {
    const count = findings.filter((one) => group.some((run) => run.id === one.run)).length;
    return group.length === 0 ? '-' : (count / group.length).toFixed(2);
  };
  const ids = [...detectors, ...acrossDetectors].map(({ id }) => id);
  return [
    `${title}`,
    `| detector | of ${passing.length} passing runs | of ${failing.length} failing runs | of ${unjudged.length} without a verdict |`,
    '|---|---|---|---|',
    ...ids.map((id) => `| ${id} | ${cell(passing, id)} | ${cell(failing, id)} | ${cell(unjudged, id)} |`),
    `| any | ${cell(passing)} | ${cell(failing)} | ${cell(unjudged)} |`,
    `| findings a run | ${per(passing)} | ${per(failing)} | ${per(unjudged)} |`,
    '',
  ].join('\n');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { traces: { type: 'string', multiple: true, default: [] }, show: { type: 'string' } },
  });
  const sets = [{ title: 'Recorded runs of the example', ...(await example()) }];
  if (values.traces.length > 0) sets.push({ title: 'Further traces', ...(await others(values.traces)) });
  for (const { title, runs, findings } of sets) {
    console.log(table(title, runs, findings));
    for (const finding of findings.filter((one) => one.detector === values.show || values.show === 'all')) {
      const run = runs.find((one) => one.id === finding.run)!;
      const name = run.file.split('/').slice(-2).join('/');
      console.log(
        `  ${run.outcome.verdict} ${finding.detector} ${name} ${finding.steps.slice(0, 4).join(',')}: ${finding.explanation}`,
      );
    }
  }
}

await main();
