import { z } from 'zod';
import { openHarness } from '../../core/harness';
import { GateResult, recheckGates } from '../../core/proposals';
import { taskTexts } from '../../core/validation';
import { type Answer, answerWith, newCommand } from '../command';

export const ProposalCheckDocument = z.object({ proposal: z.string(), gates: z.array(GateResult) });

/** `harnessmith proposals check ID`: the gates again, on the files as they are now. Exit code 1 when one objects. */
export function checkCommand() {
  const command = newCommand('check', 'run the checks again, on the files as they are now').argument(
    '<proposal>',
    'proposal id',
  );
  answerWith(command, async (context, id: string): Promise<Answer<z.infer<typeof ProposalCheckDocument>>> => {
    const harness = await openHarness(context.folder);
    const gates = await recheckGates(harness, id, { tasks: await taskTexts(harness) });
    const text = gates.flatMap(gateLines).join('\n');
    return { document: { proposal: id, gates }, text, ok: gates.every((gate) => gate.passed) };
  });
  return command;
}

/** A gate in lines: how it went, then each problem with its place, then what harness.json allows. */
export function gateLines({ gate, passed, problems, off, excused = [] }: GateResult): string[] {
  if (off !== undefined) return [`gate ${gate}: off (${off})`];
  const place = ({ file, line }: { file?: string; line?: number }) =>
    file ? `${file}${line ? `:${line}` : ''}: ` : '';
  return [
    `gate ${gate}: ${passed ? 'passed' : 'objects'}`,
    ...problems.map((problem) => `    ${place(problem)}${problem.message}`),
    ...excused.map((problem) => `    allowed: ${place(problem)}${problem.message} (${problem.reason})`),
  ];
}
