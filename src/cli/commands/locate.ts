import { InputError } from '../../core/errors';
import { openedHarness } from '../../core/handbook';
import { defaultBudget, LocateAnswer, locate, locateWithModel } from '../../core/locate';
import { type Answer, answerWith, newCommand } from '../command';
import { configuredModel } from '../configuredModel';
import { positive } from '../options';

export const LocateDocument = LocateAnswer;

/** `harnessmith locate "<request>"`: where a behaviour lives. */
export function locateCommand() {
  const command = newCommand('locate', 'rank the units and sites behind a request in words')
    .argument('<request>', 'what you are looking for, in words')
    .option('-k <number>', 'how many sites', '10')
    .option('--llm', 'let the configured model choose, from the overview down')
    .option('--budget <tokens>', 'with --llm: send at most so many tokens', String(defaultBudget));
  answerWith(command, async (context, request: string): Promise<Answer<LocateAnswer>> => {
    if (request.trim() === '') {
      throw new InputError('The request is empty.', { code: 'usage', nextStep: 'Say in words what should be found.' });
    }
    const { harness, graph, map } = await openedHarness(context.folder, context);
    const options = command.opts<{ k: string; llm?: boolean; budget: string }>();
    const limit = positive(options.k, '-k');
    const input = { harness, graph, map, limit, signal: context.signal, progress: context.progress };
    const answer = options.llm
      ? await locateWithModel(request, {
          ...input,
          client: await configuredModel(harness),
          budget: positive(options.budget, '--budget'),
        })
      : await locate(request, input);
    return { document: answer, text: describe(answer), ok: answer.sites.length > 0 };
  });
  return command;
}

function describe(answer: LocateAnswer): string {
  if (answer.sites.length === 0) {
    const nothing =
      'Nothing fits: the harness knows none of these words. Try words of the code, or look through the handbook.';
    return [nothing, ...answer.premises.map(premiseText)].join('\n');
  }
  const lines = answer.sites.map(
    (site, index) =>
      `${String(index + 1).padStart(2)}  ${site.file}:${site.start}-${site.end}  ${site.symbol}\n    ${site.reason}${site.state === 'fresh' ? '' : ` (${site.state})`}`,
  );
  const beside = answer.alsoLookAt
    .slice(0, 5)
    .map(({ file, line, reason }) => `also look at ${file}:${line}: ${reason}`);
  lines.push(...answer.premises.map(premiseText), ...beside, ...modelTexts(answer));
  return lines.join('\n');
}

function premiseText({ mention, found, value, file, line }: LocateAnswer['premises'][number]): string {
  if (found) return `"${mention}" is ${value} at ${file}:${line}`;
  // A value that differs has a place; text that is nowhere has none.
  if (file !== '') return `"${mention}" is not so: the value is ${value} at ${file}:${line}`;
  return `"${mention}" was not found in the code`;
}

function modelTexts({ model }: LocateAnswer): string[] {
  if (!model) return [];
  const { label, sentTokens, receivedTokens, wholeCodeTokens, costUsd, dropped, notes } = model;
  const cost = costUsd === null ? '' : `, ${costUsd.toFixed(4)} USD`;
  return [
    `${label}: ${sentTokens} tokens sent, ${receivedTokens} received${cost}; the whole code is about ${wholeCodeTokens}`,
    ...(dropped > 0
      ? [`${dropped} of the places it named were left out: not offered, named twice or changed since`]
      : []),
    ...notes,
  ];
}
