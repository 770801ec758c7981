import type { Finding } from '../../core/diagnosis/model';
import type { BehaviourMap } from '../../core/handbook/model';
import type { TraceRun } from '../../core/traces/model';
import type { TreeNode } from '../tree/treeNode';
import type { Catalog } from '../work/methods';
import { count, outcomeWords, runFacts, runName } from './words';

export type Grouping = 'task' | 'time' | 'outcome';

export interface TraceTreeInput {
  catalog: Catalog;
  findings: readonly Finding[];
  map: BehaviourMap | null;
  grouping: Grouping;
  /** Text that must occur in task, run name, model or outcome words; empty shows all. */
  filter: string;
}

const tones = { good: 'testing.iconPassed', bad: 'testing.iconFailed', neutral: undefined } as const;

/** The rows of the Traces view: groups with runs, flipping tasks first, unknown files last. */
export function traceTree(input: TraceTreeInput): TreeNode[] {
  const runs = input.catalog.runs.filter((run) => matches(run, input.filter));
  const nodes = grouped(runs, input.grouping).map((group) => groupNode(group, input));
  const { unknown } = input.catalog;
  if (unknown.length > 0) {
    nodes.push({
      id: 'unknown',
      label: `${count(unknown.length, 'file')} not recognised (why?)`,
      icon: { name: 'question' },
      context: 'unknownFiles',
      state: 'leaf',
      target: { kind: 'unknownFiles' },
      command: { id: 'harnessmith.showUnknownFiles', title: 'Show why', arguments: [] },
    });
  }
  return nodes;
}

interface Group {
  key: string;
  label: string;
  runs: TraceRun[];
  passed: number;
  judged: number;
}

function grouped(runs: readonly TraceRun[], grouping: Grouping): Group[] {
  const byKey = new Map<string, TraceRun[]>();
  for (const run of runs) {
    const key = groupKey(run, grouping);
    byKey.set(key, [...(byKey.get(key) ?? []), run]);
  }
  const groups = [...byKey].map(([key, members]): Group => {
    const judged = members.filter((run) => run.outcome.verdict === 'pass' || run.outcome.verdict === 'fail');
    const passed = judged.filter((run) => run.outcome.verdict === 'pass').length;
    return { key, label: key, runs: members.sort(byStart), passed, judged: judged.length };
  });
  if (grouping === 'time') return groups.sort((a, b) => b.key.localeCompare(a.key));
  return groups.sort((a, b) => rank(a) - rank(b) || a.key.localeCompare(b.key, 'en', { numeric: true }));
}

/** Flipping tasks first: the same task both passed and failed, so the runs can be compared. Then all-failed. */
function rank(group: Group): number {
  if (flips(group)) return 0;
  if (group.judged > 0 && group.passed === 0) return 1;
  return group.judged === 0 ? 2 : 3;
}

function flips(group: Group): boolean {
  return group.passed > 0 && group.passed < group.judged;
}

function groupKey(run: TraceRun, grouping: Grouping): string {
  if (grouping === 'time') return run.started?.slice(0, 10) ?? 'no time recorded';
  if (grouping === 'outcome') return outcomeWords(run.outcome).words;
  return run.task ?? 'no task recorded';
}

function byStart(a: TraceRun, b: TraceRun): number {
  return (
    (b.started ?? '').localeCompare(a.started ?? '') || runName(a).localeCompare(runName(b), 'en', { numeric: true })
  );
}

function matches(run: TraceRun, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const text = [run.task, runName(run), run.model, run.agent, outcomeWords(run.outcome).words].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

function groupNode(group: Group, input: TraceTreeInput): TreeNode {
  const unjudged = group.runs.length - group.judged;
  const parts: string[] = [];
  if (group.judged > 0) parts.push(`${group.passed} of ${group.judged} passed`);
  if (unjudged > 0) parts.push(`${unjudged} no verdict`);
  if (flips(group) && input.grouping === 'task') parts.push('flips');
  return {
    id: `${input.grouping}:${group.key}`,
    label: group.label,
    description: parts.join('  '),
    icon: { name: input.grouping === 'time' ? 'calendar' : flips(group) ? 'arrow-swap' : 'beaker' },
    context: input.grouping === 'task' ? 'task' : 'group',
    state: flips(group) ? 'expanded' : 'collapsed',
    target: input.grouping === 'task' ? { kind: 'task', task: group.key } : undefined,
    spoken: `${group.label}, ${parts.join(', ')}`,
    children: () => group.runs.map((run) => runNode(run, input)),
  };
}

function runNode(run: TraceRun, input: TraceTreeInput): TreeNode {
  const outcome = outcomeWords(run.outcome);
  const findings = input.findings.filter((finding) => finding.run === run.id);
  const suspect = findings[0];
  const unit = suspect?.unit ? input.map?.units.find((candidate) => candidate.id === suspect.unit) : undefined;
  const facts = [outcome.words, ...runFacts(run)];
  if (suspect) facts.push(`${suspect.why.replaceAll('_', ' ')}${unit ? `  -> ${unit.title}` : ''}`);
  const step = suspect?.steps[0];
  return {
    id: `run:${run.id}`,
    label: input.grouping === 'task' ? runName(run) : `${run.task ?? 'no task'} - ${runName(run)}`,
    description: facts.join('  '),
    tooltip: [
      run.file,
      `format ${run.format}${run.model ? `, model ${run.model}` : ''}`,
      run.outcome.source ? `verdict from ${run.outcome.source}` : 'no verdict file found beside the trace',
      ...run.warnings,
    ].join('\n'),
    icon: { name: outcome.icon, color: tones[outcome.tone] },
    context: 'run',
    state: 'leaf',
    target: { kind: 'run', run: run.id, step },
    command: { id: 'harnessmith.openTrace', title: 'Open the trace', arguments: [{ run: run.id, step }] },
    spoken: `${runName(run)}, ${facts.join(', ')}`,
  };
}
