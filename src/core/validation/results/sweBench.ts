import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { readDocument } from './document';
import { type FoundTrial, type ResultReader, trialsOf } from './resultReader';

const ids = z.array(z.string()).default([]);

/** `<model>.<run>.json` of `swebench report`, schema version 2; version 5 of the tool keeps infrastructure failures apart. */
const Summary = z.looseObject({
  resolved_ids: z.array(z.string()),
  unresolved_ids: ids,
  submitted_ids: ids,
  empty_patch_ids: ids,
  error_ids: ids,
  infra_failure_ids: ids,
  ambiguous_failure_ids: ids,
});
type Summary = z.infer<typeof Summary>;

/** `report.json` of one instance: its id and what the tests said. */
const InstanceReports = z.record(z.string(), z.looseObject({ resolved: z.boolean() }));

/** Results of SWE-bench: the summary of a run, or the folder of its logs with a report an instance. */
export const sweBenchResults: ResultReader = {
  id: 'swe-bench',
  looksFor: 'a SWE-bench summary <model>.<run>.json or its folder of instances with report.json',
  async recognizes(path) {
    return (await readDocument(path, Summary)) !== null || (await reported(path)).length > 0;
  },
  async read(path) {
    const summary = await readDocument(path, Summary);
    if (summary !== null) return trialsOf(basename(path, '.json'), fromSummary(summary, basename(path)));
    return trialsOf(basename(path), await reported(path));
  },
};

function fromSummary(summary: Summary, output: string): FoundTrial[] {
  const found = new Map<string, FoundTrial>();
  const put = (list: readonly string[], rest: Omit<FoundTrial, 'task' | 'output'>) => {
    // An instance may stand in a wide list (submitted) and a narrow one; the narrow one, set last, says more.
    for (const task of list) found.set(task, { task, output, ...rest });
  };
  const exception = (type: string, message: string) => ({ type, message });
  put(summary.submitted_ids, {
    verdict: 'missing',
    exception: exception('NotEvaluated', 'It was submitted and stands in no list of results.'),
  });
  put(summary.unresolved_ids, { verdict: 'fail' });
  put(summary.empty_patch_ids, { verdict: 'fail', exception: exception('EmptyPatch', 'The patch was empty.') });
  put(summary.error_ids, {
    verdict: 'missing',
    exception: exception('EvaluationError', 'The evaluation of the patch ended with an error.'),
  });
  put(summary.ambiguous_failure_ids, {
    verdict: 'missing',
    exception: exception('AmbiguousFailure', 'Neither the patch nor the environment is clearly to blame.'),
  });
  put(summary.infra_failure_ids, {
    verdict: 'missing',
    infrastructure: true,
    exception: exception('InfrastructureFailure', 'The evaluation could not be carried out.'),
  });
  put(summary.resolved_ids, { verdict: 'pass' });
  return [...found.values()];
}

/** One trial an instance folder; a folder whose evaluation left no report is a trial without a verdict. */
async function reported(path: string): Promise<FoundTrial[]> {
  if (basename(path) === 'report.json') return fromReport(path, basename(dirname(path)));
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const found: FoundTrial[] = [];
  for (const entry of entries.filter((each) => each.isDirectory())) {
    const folder = join(path, entry.name);
    const files = await readdir(folder).catch(() => [] as string[]);
    if (files.includes('report.json')) found.push(...(await fromReport(join(folder, 'report.json'), entry.name)));
    else if (files.includes('run_instance.log') || files.includes('patch.diff')) {
      const exception = { type: 'ReportMissing', message: `${entry.name} has no report.json.` };
      found.push({ task: entry.name, verdict: 'missing', infrastructure: true, exception, output: entry.name });
    }
  }
  return found;
}

async function fromReport(file: string, folder: string): Promise<FoundTrial[]> {
  const reports = await readDocument(file, InstanceReports);
  return Object.entries(reports ?? {}).map(([task, { resolved }]) => ({
    task,
    verdict: resolved ? 'pass' : 'fail',
    output: `${folder}/report.json`,
  }));
}
