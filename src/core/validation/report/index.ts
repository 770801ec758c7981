import { csvReport, jsonReport, markdownReport, type RunReport } from './documents';
import { htmlReport } from './html';
import { junitReport } from './junit';

export { factLines, type RunReport } from './documents';
export { equalBudget, type GainReport, gainReport } from './gain';
export { type HistoryEntry, historyOf } from './history';
export { paretoPicks } from './paretoPicks';
export { type PredictionScore, scorePrediction } from './predictions';
export { orderedTasks, shareWords } from './table';

const writers = {
  md: markdownReport,
  csv: csvReport,
  json: jsonReport,
  html: htmlReport,
  junit: junitReport,
} satisfies Record<string, (report: RunReport) => string>;

/** The kinds of written reports. */
export type ReportFormat = keyof typeof writers;
export const reportFormats = Object.keys(writers) as ReportFormat[];

/** A run written down for people (md, html), spreadsheets (csv) or programs (json, junit). */
export function writeReport(format: ReportFormat, report: RunReport): string {
  return writers[format](report);
}
