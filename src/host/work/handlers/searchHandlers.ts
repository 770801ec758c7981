import { searchWords } from '../../../../webview/shared/markedText';
import { throwIfCancelled } from '../../../core/errors';
import { matchesWords } from '../../traces/searchText';
import { type StepMark, surveyOf } from '../../traces/survey';
import type { LinkSource } from '../linkSource';
import type { Params, Result } from '../methods';
import type { RunReaders } from '../runReaders';
import type { HandlerContext, Handlers } from '../workServer';

/** Units with the most steps; a list of more cannot be chosen from. */
const unitsShown = 200;

/** Filters and searches over the steps of a run. */
export function searchHandlers(readers: RunReaders, source: LinkSource): Pick<Handlers, 'findSteps' | 'runUnits'> {
  return {
    findSteps: (params, context) => findSteps(readers, source, params, context),
    runUnits: async ({ root, run }) => {
      if (root === null) return [];
      const steps = new Map<string, Set<number>>();
      for (const { unit, step } of await source.links(root, await readers.get(run))) {
        if (unit) steps.set(unit, (steps.get(unit) ?? new Set()).add(step));
      }
      return [...steps]
        .map(([id, found]) => ({ id, label: (source.unitTitle(root, id) ?? id).slice(0, 100), steps: found.size }))
        .sort((a, b) => b.steps - a.steps || a.label.localeCompare(b.label))
        .slice(0, unitsShown);
    },
  };
}

async function findSteps(
  readers: RunReaders,
  source: LinkSource,
  { root, run, filter, from, to }: Params<'findSteps'>,
  { signal }: HandlerContext,
): Promise<Result<'findSteps'>> {
  const reader = await readers.get(run);
  // Who speaks, errors and tools are known of each step once all were gone through; the first search waits for it.
  const hides = filter.kinds.length > 0 || filter.tools.length > 0 || filter.errorsOnly;
  const marks = hides ? await surveyOf(reader) : null;
  const ofUnit = root !== null && filter.unit !== null ? await stepsOfUnit(source, root, reader, filter.unit) : null;
  const words = searchWords(filter.text);
  const steps: number[] = [];
  const hits: number[] = [];
  for (let n = Math.max(1, from); n <= Math.min(to, reader.stepCount); n++) {
    throwIfCancelled(signal, 'The search');
    if (marks && !passes(marks[n - 1], filter)) continue;
    if (ofUnit && !ofUnit.has(n)) continue;
    const hit = words.length > 0 && matchesWords(await reader.step(n), words);
    if (hit) hits.push(n);
    if (hit || !filter.onlyHits || words.length === 0) steps.push(n);
  }
  return { steps, hits };
}

async function stepsOfUnit(source: LinkSource, root: string, reader: Parameters<LinkSource['links']>[1], unit: string) {
  const links = await source.links(root, reader);
  return new Set(links.filter((link) => link.unit === unit).map((link) => link.step));
}

/** True when the step passes the filters on who speaks, tools and errors. */
export function passes(mark: StepMark | undefined, filter: Params<'findSteps'>['filter']): boolean {
  if (!mark) return true;
  if (filter.kinds.length > 0 && !filter.kinds.includes(mark.kind)) return false;
  if (filter.tools.length > 0 && !mark.tools.some((tool) => filter.tools.includes(tool))) return false;
  return !filter.errorsOnly || mark.isError;
}
