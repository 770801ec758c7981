import { z } from 'zod';
import type { Proposal } from './model';

const Change = z.object({
  id: z.string(),
  type: z.enum(['new', 'improvement', 'rollback']),
  description: z.string(),
  files: z.array(z.string()),
  failure_pattern: z.string(),
  predicted_fixes: z.array(z.string()),
  risk_tasks: z.array(z.string()),
  constraint_level: z.enum(['middleware', 'tool_impl', 'tool_desc', 'skill', 'prompt']),
  why_this_component: z.string(),
});

/** `change_manifest.json` as the AHE loop (agentic harness engineering) reads and writes it. */
export const ChangeManifest = z.object({ iteration: z.int(), changes: z.array(Change) });
export type ChangeManifest = z.infer<typeof ChangeManifest>;

/**
 * A proposal as a change manifest, one change a decision. The prediction of a proposal is one for all its decisions,
 * so each change carries it whole.
 */
export function exportChangeManifest(proposal: Proposal, iteration = 0): ChangeManifest {
  const { fixes, atRisk } = proposal.prediction;
  return {
    iteration,
    changes: proposal.decisions.map((decision) => {
      const files = [...new Set(decision.edits.map((edit) => edit.file))];
      return {
        id: `${proposal.id}-${decision.id}`,
        type: decision.edits.every((edit) => edit.action === 'create') ? 'new' : 'improvement',
        description: decision.title,
        files,
        failure_pattern: proposal.flaw ?? proposal.request,
        predicted_fixes: fixes,
        risk_tasks: atRisk,
        constraint_level: levelOf(files),
        why_this_component: decision.rationale,
      };
    }),
  };
}

/** The component the most binding file of a decision belongs to, by where harnesses of that loop keep them. */
function levelOf(files: readonly string[]): z.infer<typeof Change>['constraint_level'] {
  const levels = files.map((file) => {
    if (/(^|\/)skills?\//.test(file)) return 'skill';
    if (/\.tool\.ya?ml$|(^|\/)tool_desc/.test(file)) return 'tool_desc';
    if (/\.(md|txt|j2|jinja2?|prompt|hbs)$/.test(file)) return 'prompt';
    return /(^|\/)tools?\//.test(file) ? 'tool_impl' : 'middleware';
  });
  const order = ['middleware', 'tool_impl', 'tool_desc', 'skill', 'prompt'] as const;
  return order.find((level) => levels.includes(level)) ?? 'middleware';
}
