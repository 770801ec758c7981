import type { Unit, UnitKind } from '../model';

/** A stage with more units than this is read by groups. */
const mostUngrouped = 12;

const families: [string, UnitKind[]][] = [
  ['Start and configuration', ['entry', 'config_load', 'config_defaults']],
  ['Text and context for the model', ['prompt_assembly', 'system_prompt', 'memory_files', 'compaction']],
  ['Asking the model', ['model_call', 'retry', 'response_parse', 'format_error']],
  [
    'Carrying out actions',
    ['tool_registry', 'tool_dispatch', 'permission', 'exec_boundary', 'observation', 'truncation'],
  ],
  ['Tools', ['tool_shell', 'tool_read', 'tool_edit', 'tool_write', 'tool_search', 'tool_submit']],
  ['Limits and ends', ['limits', 'termination', 'stop']],
  ['Records and cost', ['trajectory', 'accounting']],
  ['Sub-agents', ['subagents']],
  ['The loop', ['main_loop', 'loop_step']],
];

/** Headings under which the units of a full stage are listed, by unit; empty for a stage that is short enough to read. */
export function groupsOf(units: readonly Unit[]): Map<string, string> {
  const groups = new Map<string, string>();
  if (units.length <= mostUngrouped) return groups;
  for (const unit of units) {
    const family = families.find(([, kinds]) => kinds.includes(unit.kind))?.[0];
    const file = unit.sites[0]?.file ?? '';
    const isTool = unit.id.startsWith('unit:other:tools:');
    groups.set(unit.id, family ?? unit.area ?? (isTool ? 'Tools' : `Code of ${folderOf(file)}`));
  }
  return groups;
}

function folderOf(file: string): string {
  const parts = file.split('/');
  return parts.slice(0, Math.max(1, Math.min(4, parts.length - 1))).join('/');
}
