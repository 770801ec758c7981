import type { ComponentLabel, Finding, ModuleLabel, RepairOperator, WhyLabel } from './model';

const modules: Record<ModuleLabel, readonly string[]> = {
  'Agent Loop': ['main_loop', 'loop_step', 'limits', 'retry', 'model_call', 'subagents', 'entry', 'stop'],
  'Tool Use': ['tool_', 'response_parse', 'format_error', 'permission', 'exec_boundary'],
  'Observation Management': ['observation', 'truncation'],
  'Context Management': ['prompt_assembly', 'system_prompt', 'compaction', 'memory_files'],
  'Task Completion Detection': ['termination', 'tool_submit'],
};

const components: Partial<Record<string, ComponentLabel>> = {
  system_prompt: 'system prompt',
  prompt_assembly: 'system prompt',
  tool_registry: 'tool description',
  tool_dispatch: 'tool implementation',
  config_load: 'configuration',
  config_defaults: 'configuration',
  subagents: 'sub-agent',
  memory_files: 'long-term memory',
};

/** The module a unit kind belongs to; undefined for kinds that belong to none, such as `trajectory`. */
export function moduleOf(kind: string | undefined): ModuleLabel | undefined {
  if (kind === undefined) return undefined;
  if (kind === 'tool_submit') return 'Task Completion Detection';
  const found = Object.entries(modules).find(([, kinds]) =>
    kinds.some((one) => (one.endsWith('_') ? kind.startsWith(one) : kind === one)),
  );
  return found?.[0] as ModuleLabel | undefined;
}

/** The component an edit would change; the file says it where it is no code. */
export function componentOf(kind: string | undefined, site: Finding['site']): ComponentLabel | undefined {
  const file = site?.file ?? '';
  if (/(?:^|\/)skills?\/|SKILL\.md$/i.test(file)) return 'skill';
  if (/\.(?:ya?ml|json|toml|ini)$/i.test(file)) return /tool/i.test(file) ? 'tool description' : 'configuration';
  if (/\.(?:md|txt|j2|jinja2?|hbs|prompt)$/i.test(file)) return 'system prompt';
  if (kind === undefined) return undefined;
  return components[kind] ?? (kind.startsWith('tool_') ? 'tool implementation' : 'middleware');
}

/** What usually repairs each pathology; a proposal may do something else and has to say why. */
export const operatorsOf: Record<WhyLabel, readonly RepairOperator[]> = {
  format_violation: ['explain error to the model', 'reword prompt', 'change parser'],
  wrong_tool_or_arguments: ['describe tool', 'explain error to the model'],
  tool_affordance_missing: ['change tool', 'describe tool', 'explain error to the model'],
  parser_rejects_valid_output: ['change parser'],
  observation_truncated: ['announce what was left out', 'change limit'],
  evidence_absent: ['keep in context', 'change tool', 'add instruction'],
  evidence_unused: ['add check before completion', 'reword prompt'],
  instruction_not_activated: ['keep in context', 'repair code'],
  instruction_not_followed: ['reword prompt', 'add check before completion'],
  context_overflow: ['keep in context', 'change limit', 'announce what was left out'],
  lost_in_compaction: ['keep in context'],
  loop_or_stagnation: ['change limit', 'explain error to the model', 'add instruction'],
  no_action_turn: ['reword prompt', 'explain error to the model', 'change parser'],
  premature_completion: ['add check before completion', 'reword prompt'],
  missing_verification: ['add check before completion', 'add instruction'],
  completion_without_effect: ['change tool', 'add check before completion'],
  limit_or_timeout: ['change limit', 'explain error to the model'],
  recovery_missing: ['add retry or fallback'],
  state_corruption: ['repair code'],
  orchestration_error: ['repair code', 'add retry or fallback'],
  permission_block: ['change permission', 'explain error to the model'],
  environment_fault: ['add retry or fallback', 'no harness edit'],
  wrong_file: ['add instruction', 'change tool'],
  reasoning_error: ['add instruction', 'no harness edit'],
};
