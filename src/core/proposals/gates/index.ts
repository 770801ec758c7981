import ignore from 'ignore';
import { messageOf } from '../../errors';
import type { GateResult } from '../model';
import { applies } from './applies';
import { bloat } from './bloat';
import type { Gate, GateContext, GateProblem } from './gate';
import { leakage } from './leakage';
import { parses } from './parses';
import { premise } from './premise';
import { protectedFiles } from './protectedFiles';
import { scope } from './scope';
import { secrets } from './secrets';
import { defaultSettings, type GateSettings } from './settings';
import { stale } from './stale';

/** All gates, in the order in which they are shown. */
const gates: readonly Gate[] = [applies, stale, parses, scope, protectedFiles, secrets, leakage, bloat, premise];

/**
 * Runs every gate. Gates that have nothing to check with are left out, so a pass always means that something was
 * checked. A gate that breaks is a failed gate with the reason; one that harness.json turns off, and problems that it
 * excuses, are listed with the reason given there.
 */
export async function runGates(context: GateContext): Promise<GateResult[]> {
  const settings = context.settings ?? defaultSettings;
  const results: GateResult[] = [];
  for (const gate of gates) {
    const off = settings.off.find((one) => one.gate === gate.id);
    if (off) {
      results.push({ gate: gate.id, passed: true, problems: [], off: off.reason });
      continue;
    }
    try {
      const problems = await gate.check(context, settings);
      if (problems) results.push(resultOf(gate.id, problems, settings));
    } catch (error) {
      const problems = [{ message: `the check itself failed: ${messageOf(error)}` }];
      results.push({ gate: gate.id, passed: false, problems });
    }
  }
  return results;
}

function resultOf(gate: string, problems: readonly GateProblem[], settings: GateSettings): GateResult {
  const rules = settings.allow
    .filter((one) => one.gate === gate)
    .map(({ files, reason }) => ({ patterns: ignore().add(files), reason }));
  const kept: GateProblem[] = [];
  const excused: NonNullable<GateResult['excused']> = [];
  for (const problem of problems) {
    const { file } = problem;
    // A path that climbs out is no path these patterns could speak of.
    const usable = file !== undefined && ignore.isPathValid(file);
    const rule = usable ? rules.find(({ patterns }) => patterns.ignores(file)) : undefined;
    if (rule) excused.push({ ...problem, reason: rule.reason });
    else kept.push(problem);
  }
  return { gate, passed: kept.length === 0, problems: kept, ...(excused.length > 0 ? { excused } : {}) };
}

export type { GateContext, TaskFacts } from './gate';
