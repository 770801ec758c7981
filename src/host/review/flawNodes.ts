import type { FlawRecord } from '../../core/diagnosis/model';
import { count } from '../traces/words';
import type { TreeNode } from '../tree/treeNode';

/** The suspected flaws, each with the steps to look at first and passing runs without it. */
export function flawNode(flaw: FlawRecord): TreeNode {
  const { exemplars = [], counterExamples = [] } = flaw;
  const whose = flaw.party ? `laid to: ${flaw.party}${flaw.partyReason ? `, ${flaw.partyReason}` : ''}` : '';
  return {
    id: `flaw:${flaw.id}`,
    label: flaw.title,
    description: `${flaw.failingRuns} failing, ${flaw.passingRuns} passing of ${count(flaw.runsLookedAt, 'run')}`,
    tooltip: [
      `${flaw.state}: ${flaw.why.replaceAll('_', ' ')} in ${flaw.whereTitle}`,
      `tasks: ${flaw.tasks.join(', ')}`,
      whose,
    ]
      .filter(Boolean)
      .join('\n'),
    icon: { name: 'bug' },
    context: 'flaw',
    state: exemplars.length > 0 ? 'collapsed' : 'leaf',
    target: { kind: 'flaw', flaw: flaw.id },
    command: flaw.site
      ? { id: 'harnessmith.openSite', title: 'Open the code', arguments: [{ ...flaw.site }] }
      : undefined,
    children: () => [
      ...exemplars.map(({ run, step }) => runNode(flaw, run, step)),
      ...counterExamples.map((run) => runNode(flaw, run)),
    ],
  };
}

/** A step that shows the flaw or, without one, a passing run that does not. */
function runNode(flaw: FlawRecord, run: string, step?: number): TreeNode {
  const name = run.split(/[\\/]/).slice(-3).join('/');
  const shows = step === undefined ? 'passes without it' : `step ${step}`;
  return {
    id: `flaw:${flaw.id}/${run}/${step ?? 'passes'}`,
    label: name,
    description: shows,
    tooltip: run,
    icon: { name: step === undefined ? 'pass' : 'debug-breakpoint' },
    context: 'run',
    state: 'leaf',
    target: { kind: 'run', run, step },
    command: { id: 'harnessmith.openTrace', title: 'Open the trace', arguments: [{ run, step }] },
    spoken: `${name}, ${shows}`,
  };
}
