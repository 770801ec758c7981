import { createHash } from 'node:crypto';
import type { Link } from '../links';
import type { WorkOptions } from '../progress';
import type { TraceReader, TraceRun } from '../traces';
import { detectors } from './detectors';
import type { Detector, Observation, RunView, UnitHead } from './detectors/detector';
import type { Finding } from './model';
import { readTurns } from './turns';

export interface DiagnoseInput {
  run: TraceRun;
  reader: TraceReader;
  /** Links of the steps of this run. */
  links: readonly Link[];
  map: { units: readonly UnitHead[] };
}

/**
 * Runs every detector on one run. Each finding gets its unit and site from the links of its evidence steps, and none
 * when no step links anywhere. The same run gives the same findings with the same ids.
 */
export async function diagnoseRun(input: DiagnoseInput, work: WorkOptions = {}): Promise<Finding[]> {
  const { run, reader, links, map } = input;
  const byStep = new Map<number, Link[]>();
  for (const link of links) byStep.set(link.step, [...(byStep.get(link.step) ?? []), link]);
  const units = new Map(map.units.map((unit) => [unit.id, unit]));
  const view: RunView = {
    ...(await readTurns(reader, work)),
    run,
    linksOf: (step) => byStep.get(step) ?? [],
    unit: (id) => units.get(id),
  };
  return detectors.flatMap((detector) =>
    detector.detect(view).map((observation) => findingOf(detector, observation, view)),
  );
}

function findingOf(detector: Detector, observation: Observation, view: RunView): Finding {
  const { run } = view;
  const place = placeOf(detector, observation, view);
  const steps = [...new Set(observation.steps)];
  return {
    id: idOf('n', run.id, detector.id, String(steps[0])),
    detector: detector.id,
    why: detector.why,
    run: run.id,
    task: run.task,
    steps,
    unit: place?.unit ?? null,
    site: place ? { file: place.file, symbol: place.symbol, start: place.start, end: place.end } : null,
    explanation: observation.explanation,
    confidence: observation.confidence,
    runFailed: run.outcome.verdict === 'fail',
  };
}

/** The link that explains a finding best: of a unit kind the detector expects, then of the most weight over all steps. */
function placeOf(detector: Detector, { steps }: Observation, view: RunView): Link | undefined {
  const weights = new Map<string, { link: Link; weight: number; rank: number }>();
  for (const step of steps.slice(0, 50)) {
    for (const link of view.linksOf(step)) {
      const kind = (link.unit && view.unit(link.unit)?.kind) || '';
      const expected = detector.unitKinds.indexOf(kind);
      const rank = expected === -1 ? detector.unitKinds.length : expected;
      const key = link.unit ?? `${link.file}#${link.symbol}`;
      const known = weights.get(key);
      if (!known) weights.set(key, { link, weight: link.confidence, rank });
      else {
        known.weight += link.confidence;
        if (link.confidence > known.link.confidence) known.link = link;
      }
    }
  }
  const [best] = [...weights.values()].sort((a, b) => a.rank - b.rank || b.weight - a.weight);
  return best?.link;
}

/** A short id that is the same for the same parts. */
export function idOf(prefix: string, ...parts: string[]): string {
  return `${prefix}-${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 8)}`;
}
