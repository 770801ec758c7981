import { messageOf } from '../../errors';
import type { GateResult } from '../model';
import { applies } from './applies';
import { bloat } from './bloat';
import type { Gate, GateContext } from './gate';
import { leakage } from './leakage';
import { parses } from './parses';
import { premise } from './premise';
import { protectedFiles } from './protectedFiles';
import { scope } from './scope';
import { secrets } from './secrets';

/** All gates, in the order in which they are shown. */
const gates: readonly Gate[] = [applies, parses, scope, protectedFiles, secrets, leakage, bloat, premise];

/**
 * Runs every gate. Gates that have nothing to check with are left out, so a pass always means that something was
 * checked. A gate that breaks is a failed gate with the reason.
 */
export async function runGates(context: GateContext): Promise<GateResult[]> {
  const results: GateResult[] = [];
  for (const gate of gates) {
    try {
      const problems = await gate.check(context);
      if (problems) results.push({ gate: gate.id, passed: problems.length === 0, problems });
    } catch (error) {
      const problems = [{ message: `the check itself failed: ${messageOf(error)}` }];
      results.push({ gate: gate.id, passed: false, problems });
    }
  }
  return results;
}

export type { GateContext } from './gate';
