import { compareCommand } from './compare';
import { diagnoseCommand } from './diagnose';
import { doctor } from './doctor';
import { handbookCommand } from './handbook';
import { indexCommand } from './indexHarness';
import { linkCommand } from './link';
import { locateCommand } from './locate';
import { mcpCommand } from './mcp';
import { proposalsCommand } from './proposals';
import { proposeCommand } from './propose';
import { recordCommand } from './record';
import { runsCommand } from './runs';
import { suiteCommand } from './suite';
import { tracesCommand } from './traces';
import { validateCommand } from './validate';
import { workerCommand } from './worker';

/** All commands, in the order of the work. */
export function commands() {
  return [
    indexCommand(),
    handbookCommand(),
    locateCommand(),
    tracesCommand(),
    linkCommand(),
    recordCommand(),
    diagnoseCommand(),
    proposeCommand(),
    proposalsCommand(),
    suiteCommand(),
    validateCommand(),
    compareCommand(),
    runsCommand(),
    workerCommand(),
    mcpCommand(),
    doctor(),
  ];
}
