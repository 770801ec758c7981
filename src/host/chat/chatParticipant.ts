import * as vscode from 'vscode';
import { CancelledError } from '../../core/errors';
import { mapOf } from '../handbook/mapOf';
import { userMessage } from '../log';
import { modelInForce } from '../models/modelKeys';
import { plainMarkdown } from '../review/plainMarkdown';
import { unsavedFiles } from '../review/unsavedFiles';
import type { HostContribution, Services } from '../services';
import { chatSubject } from './chatSubject';

/** `@harnessmith` in the chat of the editor: where something lives, and proposals for a change. */
export const chatContribution: HostContribution = {
  name: 'chat',
  activate(services: Services) {
    // Some builds of the editor come without chat.
    if (typeof vscode.chat?.createChatParticipant !== 'function') return { dispose: () => undefined };
    const participant = vscode.chat.createChatParticipant('harnessmith.chat', async (request, _, response, token) => {
      const abort = new AbortController();
      const subscription = token.onCancellationRequested(() => abort.abort());
      try {
        await answer(services, request, response, abort.signal);
      } catch (error) {
        if (error instanceof CancelledError) return {};
        services.log.error('The chat request failed', error);
        const message = userMessage(error);
        return { errorDetails: { message: message ? `${message.text} ${message.nextStep ?? ''}` : 'It failed.' } };
      } finally {
        subscription.dispose();
      }
      return {};
    });
    participant.iconPath = new vscode.ThemeIcon('tools');
    return participant;
  },
};

async function answer(
  services: Services,
  { command, prompt }: vscode.ChatRequest,
  response: vscode.ChatResponseStream,
  signal: AbortSignal,
): Promise<void> {
  const request = prompt.trim();
  if (request === '') {
    response.markdown(
      'Say what the harness should do differently, or `/where` with a behaviour to see where it lives.',
    );
    return;
  }
  await mapOf(services);
  const root = services.harness.root;
  if (!root) return;
  if (command === 'where') {
    const found = await services.work.call('locate', { root, request, limit: 6 }, { signal });
    if (found.sites.length === 0) response.markdown('Nothing in the harness fits these words.');
    for (const site of found.sites) {
      const uri = vscode.Uri.joinPath(vscode.Uri.file(root), site.file);
      response.anchor(new vscode.Location(uri, new vscode.Position(site.start - 1, 0)), site.symbol || site.file);
      response.markdown(` ${plainMarkdown(site.reason)}\n\n`);
    }
    return;
  }
  if (!vscode.workspace.isTrusted) {
    response.markdown('This folder is not trusted, so nothing is proposed here. Reading and `/where` work.');
    return;
  }
  await propose(services, root, request, response, signal);
}

/** Sends only when the person ran `/send`, after the chat said what would be sent and for how much. */
async function propose(
  services: Services,
  root: string,
  prompt: string,
  response: vscode.ChatResponseStream,
  signal: AbortSignal,
): Promise<void> {
  const { flaws } = services.traces.diagnosis;
  const subject = chatSubject(prompt, flaws);
  const model = await modelInForce(services);
  const params = { root, subject, model, unsaved: unsavedFiles(root) };
  const progress = ({ message }: { message: string }) => response.progress(message);
  const context = await services.work.call('proposalContext', params, { signal, progress });
  if (!context.sendsNothing) {
    response.markdown(`To be sent: ${plainMarkdown(context.summary)}.\n\n`);
    response.button({ command: 'harnessmith.proposeFromChat', title: 'Show it and send', arguments: [subject] });
    return;
  }
  const made = await services.work.call('propose', params, { signal, progress });
  await services.proposals.refresh();
  for (const proposal of made.proposals) {
    const decisions = proposal.decisions.map((one) => `- ${plainMarkdown(one.title)}`).join('\n');
    response.markdown(`**${plainMarkdown(proposal.title)}**\n\n${decisions}\n\n${plainMarkdown(made.spent)}\n\n`);
    const target = { kind: 'proposal', proposal: proposal.id };
    response.button({ command: 'harnessmith.reviewProposal', title: 'Review', arguments: [{ target }] });
  }
  if (made.noChange !== null) response.markdown(`No change is proposed: ${plainMarkdown(made.noChange)}`);
}
