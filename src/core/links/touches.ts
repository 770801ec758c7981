import type { TraceRun } from '../traces';
import type { Link, SiteTouches } from './model';

/** Links below this say "possible" at most; counting them would touch half of the code with every step. */
const LEAST_CONFIDENCE = 0.4;

/** The way back: for every linked place the steps that touched it, with failing and passing runs. Most touched first. */
export function siteTouches(runs: readonly { run: TraceRun; links: readonly Link[] }[]): SiteTouches[] {
  const found = new Map<string, SiteTouches & { failed: Set<string>; passed: Set<string> }>();
  for (const { run, links } of runs) {
    const failing = run.outcome.verdict === 'fail';
    for (const link of links) {
      if (link.confidence < LEAST_CONFIDENCE) continue;
      const { file, symbol, start, end, kind, step } = link;
      const key = `${file}\0${symbol}\0${start}\0${end}`;
      const touches = found.get(key) ?? {
        file,
        symbol,
        start,
        end,
        steps: [],
        failingRuns: 0,
        passingRuns: 0,
        failed: new Set(),
        passed: new Set(),
      };
      found.set(key, touches);
      touches.steps.push({ run: run.id, task: run.task, step, failing, kind });
      if (failing) touches.failed.add(run.id);
      else if (run.outcome.verdict === 'pass') touches.passed.add(run.id);
    }
  }
  return [...found.values()]
    .map(({ failed, passed, ...touches }) => ({ ...touches, failingRuns: failed.size, passingRuns: passed.size }))
    .sort(
      (left, right) =>
        right.steps.length - left.steps.length || left.file.localeCompare(right.file) || left.start - right.start,
    );
}
