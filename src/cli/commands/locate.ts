import { InputError } from '../../core/errors';
import { LocateAnswer, locate } from '../../core/locate';
import { type Answer, answerWith, newCommand } from '../command';
import { openedHarness } from '../openedHarness';
import { positive } from '../options';

export const LocateDocument = LocateAnswer;

/** `harnessmith locate "<request>"`: where a behaviour lives. */
export function locateCommand() {
  const command = newCommand('locate', 'rank the units and sites behind a request in words')
    .argument('<request>', 'what you are looking for, in words')
    .option('-k <number>', 'how many sites', '10');
  answerWith(command, async (context, request: string): Promise<Answer<LocateAnswer>> => {
    if (request.trim() === '') {
      throw new InputError('The request is empty.', { code: 'usage', nextStep: 'Say in words what should be found.' });
    }
    const { harness, graph, map } = await openedHarness(context.folder, context);
    const answer = await locate(request, {
      harness,
      graph,
      map,
      limit: positive(command.opts<{ k: string }>().k, '-k'),
    });
    return { document: answer, text: describe(answer), ok: answer.sites.length > 0 };
  });
  return command;
}

function describe(answer: LocateAnswer): string {
  if (answer.sites.length === 0) {
    return 'Nothing fits these words. Try words of the code, or look through the handbook.';
  }
  const lines = answer.sites.map(
    (site, index) =>
      `${String(index + 1).padStart(2)}  ${site.file}:${site.start}-${site.end}  ${site.symbol}\n    ${site.reason}${site.state === 'fresh' ? '' : ` (${site.state})`}`,
  );
  lines.push(...answer.premises.map(premiseText));
  return lines.join('\n');
}

function premiseText({ mention, found, value, file, line }: LocateAnswer['premises'][number]): string {
  if (found) return `"${mention}" is ${value} at ${file}:${line}`;
  // A value that differs has a place; text that is nowhere has none.
  if (file !== '') return `"${mention}" is not so: the value is ${value} at ${file}:${line}`;
  return `"${mention}" was not found in the code`;
}
