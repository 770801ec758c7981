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
    units: map.units,
  };
  return detectors.flatMap((detector) =>
    detector.detect(view).map((observation) => findingOf(detector, observation, view)),
  );
}

function findingOf(detector: Detector, observation: Observation, view: RunView): Finding {
  const { run } = view;
  const linked = placeOf(detector, observation, view);
  const sole = linked?.kind === detector.soleKind ? undefined : soleUnit(detector, view);
  const place = sole ?? linked;
  const steps = [...new Set(observation.steps)];
  return {
    id: idOf('n', run.id, detector.id, String(steps[0])),
    detector: detector.id,
    why: detector.why,
    run: run.id,
    task: run.task,
    steps,
    unit: place?.unit ?? null,
    site: place?.site ?? null,
    explanation:
      observation.explanation + (sole ? ` ${sole.title} is the only code of the harness that does this.` : ''),
    confidence: sole ? Math.max(0.1, observation.confidence - 0.1) : observation.confidence,
    runFailed: run.outcome.verdict === 'fail',
  };
}

interface Place {
  unit: string | null;
  kind: string | undefined;
  site: NonNullable<Finding['site']>;
}

/** The one unit in code of the kind that must have done it; none when there are several. */
function soleUnit({ soleKind }: Detector, view: RunView): (Place & { title: string }) | undefined {
  if (soleKind === undefined) return undefined;
  const ofKind = view.units.filter(
    ({ kind, sites = [] }) => kind === soleKind && sites.some((one) => one.symbol !== ''),
  );
  // A region that only calls the code is of the same kind, but the work is done in what it calls.
  const workers = ofKind.filter(({ calls = [] }) => !ofKind.some((other) => calls.includes(other.id)));
  const [unit, ...others] = workers;
  if (!unit || others.length > 0) return undefined;
  const site = unit.sites!.find((one) => one.symbol !== '')!;
  return { unit: unit.id, kind: unit.kind, title: unit.title, site: siteOf(site) };
}

/** The link that explains a finding best: of a unit kind the detector expects, then of the most weight over all steps. */
function placeOf(detector: Detector, { steps }: Observation, view: RunView): Place | undefined {
  const weights = new Map<string, { link: Link; weight: number; rank: number }>();
  for (const step of steps.slice(0, 50)) {
    for (const [key, link] of bestByPlace(view.linksOf(step))) {
      const kind = (link.unit && view.unit(link.unit)?.kind) || '';
      const expected = detector.unitKinds.indexOf(kind);
      const rank = expected === -1 ? detector.unitKinds.length : expected;
      const known = weights.get(key);
      if (!known) weights.set(key, { link, weight: link.confidence, rank });
      else {
        known.weight += link.confidence;
        if (link.confidence > known.link.confidence) known.link = link;
      }
    }
  }
  const [best] = [...weights.values()].sort((a, b) => a.rank - b.rank || b.weight - a.weight);
  if (!best) return undefined;
  const { link } = best;
  return { unit: link.unit, kind: link.unit === null ? undefined : view.unit(link.unit)?.kind, site: siteOf(link) };
}

/** The surest link of each place; a place does not gain by being linked twice from one step. */
function bestByPlace(links: readonly Link[]): Map<string, Link> {
  const best = new Map<string, Link>();
  for (const link of links) {
    const key = link.unit ?? `${link.file}#${link.symbol}`;
    const known = best.get(key);
    if (!known || link.confidence > known.confidence) best.set(key, link);
  }
  return best;
}

function siteOf({ file, symbol, start, end }: NonNullable<Finding['site']>): NonNullable<Finding['site']> {
  return { file, symbol, start, end };
}

/** A short id that is the same for the same parts. */
export function idOf(prefix: string, ...parts: string[]): string {
  return `${prefix}-${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 8)}`;
}
