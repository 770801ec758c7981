import type { EngineId, SuiteConfig } from '../../harness';
import { commandEngine } from './command';
import type { ValidationEngine } from './engine';
import { harborEngine } from './harbor';
import { inspectEngine } from './inspect';
import { miniSweAgentEngine } from './miniSweAgent';
import { openHandsEngine } from './openhands';
import { promptfooEngine } from './promptfoo';
import { sweAgentEngine } from './sweAgent';
import { sweBenchEngine } from './sweBench';
import { terminalBenchEngine } from './terminalBench';

export type { CommandLine, TrialEnd, TrialOutcome, TrialRequest, ValidationEngine } from './engine';

const engines: Record<EngineId, ValidationEngine> = {
  command: commandEngine,
  inspect: inspectEngine,
  'mini-swe-agent': miniSweAgentEngine,
  harbor: harborEngine,
  'terminal-bench': terminalBenchEngine,
  'swe-bench': sweBenchEngine,
  'swe-agent': sweAgentEngine,
  openhands: openHandsEngine,
  promptfoo: promptfooEngine,
};

/** The engine of a suite. */
export function engineOf(suite: Pick<SuiteConfig, 'engine'>): ValidationEngine {
  return engines[suite.engine];
}
