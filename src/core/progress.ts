/** One report of long work. `done` and `total` count the same things; both absent means "unknown length". */
export interface ProgressReport {
  message: string;
  done?: number;
  total?: number;
}

/** Where long work tells how far it is. The host shows a notification, the command line a bar. */
export type Progress = (report: ProgressReport) => void;

/** What nearly every long function takes: both optional, so tests and scripts can leave them out. */
export interface WorkOptions {
  signal?: AbortSignal;
  progress?: Progress;
}
