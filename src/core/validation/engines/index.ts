import type { SuiteConfig } from '../../harness';
import { commandEngine } from './command';
import type { ValidationEngine } from './engine';

export type { TrialEnd, TrialOutcome, TrialRequest, ValidationEngine } from './engine';

const engines: Record<SuiteConfig['engine'], ValidationEngine> = {
  command: commandEngine,
};

/** The engine of a suite. */
export function engineOf(suite: Pick<SuiteConfig, 'engine'>): ValidationEngine {
  return engines[suite.engine];
}
