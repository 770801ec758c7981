import { createHash } from 'node:crypto';
import type { Link } from '../links';
import type { WorkOptions } from '../progress';
import type { TraceReader, TraceRun } from '../traces';
import { detectors } from './detectors';
import type { Detector, Observation, RunView, UnitHead } from './detectors/detector';
import { componentOf, moduleOf } from './labels';
import type { Finding } from './model';
import { placeOf } from './place';
import { readTurns } from './turns';

export interface DiagnoseInput {
  run: TraceRun;
  reader: TraceReader;
  /** Links of the steps of this run. */
  links: readonly Link[];
  map: { units: readonly UnitHead[] };
  /** Prompt texts of the harness, see `promptTexts`; without them no instruction is said to be left out. */
  texts?: readonly { file: string; text: string }[];
}

/**
 * Runs every detector on one run. Each finding gets its unit and site from the links of its evidence steps, and none
 * when no step links anywhere. The same run gives the same findings with the same ids.
 */
export async function diagnoseRun(input: DiagnoseInput, work: WorkOptions = {}): Promise<Finding[]> {
  return findingsOf(await viewOf(input, work));
}

/** What detectors look at, read from a run. */
export async function viewOf(input: DiagnoseInput, work: WorkOptions = {}): Promise<RunView> {
  const { run, reader, links, map, texts = [] } = input;
  const byStep = new Map<number, Link[]>();
  for (const link of links) {
    const ofStep = byStep.get(link.step);
    if (ofStep) ofStep.push(link);
    else byStep.set(link.step, [link]);
  }
  const units = new Map(map.units.map((unit) => [unit.id, unit]));
  return {
    ...(await readTurns(reader, work)),
    run,
    linksOf: (step) => byStep.get(step) ?? [],
    unit: (id) => units.get(id),
    units: map.units,
    harnessTexts: texts,
  };
}

/** The findings of every detector on a run that was read. */
export function findingsOf(view: RunView): Finding[] {
  return detectors.flatMap((detector) =>
    detector.detect(view).map((observation) => findingOf(detector, observation, view)),
  );
}

type Source = Pick<Detector, 'id' | 'why' | 'unitKinds' | 'soleKinds' | 'party'>;

/** A finding of one observation, with its place in the harness. */
export function findingOf(detector: Source, observation: Observation, view: RunView): Finding {
  const { run } = view;
  const place = placeOf(detector, observation, view);
  const steps = [...new Set(observation.steps)];
  const why = observation.why ?? detector.why;
  const { explanation, confidence } = observation;
  const module = moduleOf(place?.kind);
  const component = place && componentOf(place.kind, place.site);
  return {
    id: idOf('n', run.id, detector.id, String(steps[0]), ...(observation.why ? [observation.why] : [])),
    detector: detector.id,
    why,
    run: run.id,
    task: run.task,
    steps,
    unit: place?.unit ?? null,
    site: place?.site ?? null,
    explanation: place?.sole
      ? `${explanation} ${place.sole} is the only code of the harness that does this.`
      : explanation,
    confidence: place?.sole ? Math.max(0.1, confidence - 0.1) : confidence,
    runFailed: run.outcome.verdict === 'fail',
    party: observation.party ?? detector.party,
    ...(observation.partyReason ? { partyReason: observation.partyReason } : {}),
    ...(place ? { placeEvidence: place.evidence, alsoUnits: place.also } : {}),
    ...(module ? { module } : {}),
    ...(component ? { component } : {}),
  };
}

/** A short id that is the same for the same parts. */
export function idOf(prefix: string, ...parts: string[]): string {
  return `${prefix}-${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 8)}`;
}

const shortestPrompt = 60;
const mostCharacters = 2_000_000;

/** The texts of a harness that are long enough to tell a model something, from the literals of its graph. */
export function promptTexts(
  literals: readonly { file: string; parts: readonly (string | null)[] }[],
): { file: string; text: string }[] {
  const texts: { file: string; text: string }[] = [];
  let left = mostCharacters;
  for (const { file, parts } of literals) {
    const text = parts.map((part) => part ?? ' ').join('');
    // Names, messages and keys are shorter, and sentences have blanks.
    if (text.length < shortestPrompt || text.length > left || !/\w \w/.test(text)) continue;
    left -= text.length;
    texts.push({ file, text });
  }
  return texts;
}
