import { InputError } from '../core/errors';
import { loadProposal } from '../core/proposals';
import { writeFileAtomic } from '../core/store';
import {
  type ReportFormat,
  type RunReport,
  reportFormats,
  scorePrediction,
  type Verdict,
  writeReport,
} from '../core/validation';

/** A format by its name. @throws InputError */
export function reportFormat(name: string): ReportFormat {
  const known = reportFormats.find((each) => each === name);
  if (known) return known;
  throw new InputError(`--format ${name} is no format of a report.`, {
    code: 'usage',
    nextStep: `Give one of ${reportFormats.join(', ')}.`,
  });
}

/** The score of the prediction that the proposal of a run made; null without one. */
export async function predictionOf(root: string, proposal: string | null, verdict: Verdict) {
  if (proposal === null) return null;
  const known = await loadProposal(root, proposal).catch(() => null); // the proposal may be deleted; the run is not
  const prediction = known?.prediction;
  if (!prediction || prediction.fixes.length + prediction.atRisk.length === 0) return null;
  return scorePrediction(prediction, verdict);
}

/** Writes a report into a file; replaces the file as a whole. */
export async function saveReport(file: string, format: ReportFormat, report: RunReport): Promise<void> {
  await writeFileAtomic(file, writeReport(format, report));
}
