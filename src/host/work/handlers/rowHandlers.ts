import { longTrace } from '../../traces/longTrace';
import { relationChips, relationsOf } from '../../traces/relationChips';
import { surveyOf } from '../../traces/survey';
import { traceRow } from '../../traces/traceRows';
import { type LinkSource, readyOr } from '../linkSource';
import type { RunReaders } from '../runReaders';
import type { Handlers } from '../workServer';

/** More rows at once do not fit a message and nobody sees them. */
const windowLimit = 200;

/** Rows of the trace page and the places behind a step. */
export function rowHandlers(
  readers: RunReaders,
  source: LinkSource,
): Pick<Handlers, 'rows' | 'relate' | 'stepLinks' | 'runFindings'> {
  return {
    rows: async ({ root, run, from, to }) => {
      const reader = await readers.get(run);
      const end = Math.min(to, from + windowLimit - 1, reader.stepCount);
      const summaries = await reader.summaries(from, end);
      // A window of a long trace is shown at once; the page asks again when its links are there.
      const long = reader.stepCount > longTrace;
      const links = root === null ? [] : await readyOr(source.links(root, reader), [], long);
      const findings = root === null ? [] : await readyOr(source.findings(root, reader), [], long);
      const marks = await readyOr(surveyOf(reader), [], long);
      // Relations wait until the first pass is done, which the first rows of a long trace do not.
      const relations = marks.length > 0 ? await readyOr(relationsOf(reader), null, long) : null;
      return summaries.map((summary) =>
        traceRow(
          summary,
          links.filter((link) => link.step === summary.n),
          findings,
          (unit) => (root === null ? null : source.unitTitle(root, unit)),
          marks[summary.n - 1]?.same ?? null,
          relationChips(relations?.get(summary.n)),
        ),
      );
    },
    relate: async ({ run }) => {
      await relationsOf(await readers.get(run));
      return null;
    },
    stepLinks: async ({ root, run, step }) => {
      const links = await source.linksOfStep(root, await readers.get(run), step);
      return links.map(({ file, start, end, symbol, reason }) => ({ file, start, end, symbol, reason }));
    },
    runFindings: async ({ root, run }) => (root === null ? [] : source.findings(root, await readers.get(run))),
  };
}
