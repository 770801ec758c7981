import { z } from 'zod';
import type { StoredProposal } from './proposalStore';

const Fix = z.object({
  id: z.string(),
  title: z.string(),
  priority: z.int(),
  target_files: z.array(z.string()),
  target_symbols: z.array(z.string()),
  active_files: z.array(z.string()),
  must_inspect_files: z.array(z.string()),
  problem_statement: z.string(),
  required_behavior_delta: z.string(),
  implementation_steps: z.array(z.string()),
  tests: z.array(z.string()),
  risk_level: z.enum(['low', 'medium', 'high']),
  dependencies: z.array(z.string()),
  regression_risks: z.array(z.string()),
  must_not_change: z.array(z.string()),
});

/** An improvement plan with the keys that the pipeline of HarnessFix reads (`improvement_plans/*.json`). */
export const RepairPlan = z.object({
  plan_metadata: z.object({ round_label: z.string(), summary: z.string(), global_strategy: z.string() }),
  edit_budget: z.object({
    recommended_budget: z.int(),
    max_files_to_modify: z.int(),
    allowed_paths: z.array(z.string()),
    forbidden_paths: z.array(z.string()),
    active_files: z.array(z.string()),
    must_inspect_files: z.array(z.string()),
    do_not_edit_until_inspected: z.array(z.string()),
    rationale: z.string(),
  }),
  fixes: z.array(Fix),
});
export type RepairPlan = z.infer<typeof RepairPlan>;

/** A proposal as such a plan, one fix a decision; the budget is what the proposal changes, in lines. */
export function exportRepairPlan(stored: StoredProposal, protectedPatterns: readonly string[]): RepairPlan {
  const { proposal, hunks, baseTexts } = stored;
  const files = [...baseTexts.keys()];
  const existing = files.filter((file) => baseTexts.get(file) !== null);
  const lines = hunks.reduce((sum, hunk) => sum + hunk.added.length + hunk.removed.length, 0);
  const forbidden = [...protectedPatterns];
  const failed = proposal.gates.some((gate) => !gate.passed);
  return {
    plan_metadata: {
      round_label: proposal.id,
      summary: proposal.title,
      global_strategy: proposal.prediction.expected ?? (proposal.prediction.note || proposal.request),
    },
    edit_budget: {
      recommended_budget: lines,
      max_files_to_modify: files.length,
      allowed_paths: files,
      forbidden_paths: forbidden,
      active_files: files,
      must_inspect_files: existing,
      do_not_edit_until_inspected: existing,
      rationale: proposal.request,
    },
    fixes: proposal.decisions.map((decision, index) => {
      const own = [...new Set(decision.edits.map((edit) => edit.file))];
      return {
        id: `${proposal.id}-${decision.id}`,
        title: decision.title,
        priority: index + 1,
        target_files: own,
        target_symbols: symbolsOf(proposal.declares.modify, own),
        active_files: own,
        must_inspect_files: own.filter((file) => existing.includes(file)),
        problem_statement: proposal.flaw ? `${proposal.flaw}: ${proposal.request}` : proposal.request,
        required_behavior_delta: decision.title,
        implementation_steps: [decision.rationale].filter(Boolean),
        tests: [],
        risk_level: failed ? 'high' : proposal.prediction.atRisk.length > 0 ? 'medium' : 'low',
        dependencies: [],
        regression_risks: [
          ...proposal.prediction.atRisk,
          ...(proposal.prediction.risk ? [proposal.prediction.risk] : []),
        ],
        must_not_change: forbidden,
      };
    }),
  };
}

/** Symbols that declarations of the form `file#symbol` or `file:symbol` name in some files. */
function symbolsOf(declared: readonly string[], files: readonly string[]): string[] {
  return declared.flatMap((entry) => {
    const [, file, symbol] = /^(.+?)(?:#|::?)(.+)$/.exec(entry) ?? [];
    return file !== undefined && symbol !== undefined && files.includes(file) ? [symbol] : [];
  });
}
