import { serve } from '../../mcp';
import { type Answer, answerWith, newCommand } from '../command';

/** `harnessmith mcp`: serves the harness over standard input and output until the client goes. */
export function mcpCommand() {
  const command = newCommand('mcp', 'serve the handbook, traces and run statistics over stdio');
  answerWith(command, async (context): Promise<Answer<Record<string, never>>> => {
    context.note('Serving over standard input and output; Ctrl+C ends.');
    await serve(context.folder, context.signal);
    return { document: {}, text: '', silent: true };
  });
  return command;
}
