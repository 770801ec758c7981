import * as vscode from 'vscode';
import type { FromResultsPage } from '../../../webview/shared/protocol';
import { runCommand, trusted } from '../commands';
import type { Services } from '../services';

type Asked = Extract<FromResultsPage, { type: 'override' | 'runMore' | 'export' | 'compareWith' }>;

/** What a person asks for on the results page that needs an answer of theirs first. */
export async function resultsAction(services: Services, run: string, asked: Asked): Promise<void> {
  if (asked.type === 'override') return await override(services, run);
  if (asked.type === 'runMore') return await runMore(services, run);
  if (asked.type === 'compareWith') return await showReport(services, run, asked.run);
  return await exportReport(services, run);
}

async function override(services: Services, run: string): Promise<void> {
  const reason = await vscode.window.showInputBox({
    title: 'Accept against the verdict',
    prompt: 'The verdict stays as it is; your reason is recorded beside it in the ledger.',
    placeHolder: 'Why does the verdict not count?',
    validateInput: (text) =>
      text.trim() === '' ? 'A reason is needed, so that others can follow it later.' : undefined,
  });
  if (reason === undefined) return;
  await services.validation.override(run, reason);
}

async function runMore(services: Services, run: string): Promise<void> {
  if (!trusted('Validating')) return;
  const number = await vscode.window.showInputBox({
    title: 'How many more trials of each task and arm?',
    value: '5',
    prompt: 'This is one of the looks that were planned before the run; the level is lower for it.',
    validateInput: (text) => (/^[1-9]\d{0,2}$/.test(text.trim()) ? undefined : 'A whole number from 1 to 999.'),
  });
  if (number === undefined) return;
  await services.validation.extend(run, Number(number));
  await runCommand('harnessmith.resumeRun', run);
}

/** The comparison of two runs as a Markdown preview; what it says is escaped by the core. */
async function showReport(services: Services, run: string, against: string): Promise<void> {
  const content = await services.validation.report(run, against, 'md');
  const document = await vscode.workspace.openTextDocument({ content, language: 'markdown' });
  await vscode.window.showTextDocument(document, { preview: true });
}

const formats = [
  { label: 'Markdown', detail: 'the sentence, the facts and the task table', format: 'md' },
  { label: 'One HTML file', detail: 'the same, to open in any browser', format: 'html' },
  { label: 'CSV', detail: 'a line a trial', format: 'csv' },
  { label: 'JSON', detail: 'manifest, verdict and trials', format: 'json' },
  { label: 'JUnit XML', detail: 'a test case a task, for build servers', format: 'junit' },
] as const;

async function exportReport(services: Services, run: string): Promise<void> {
  const chosen = await vscode.window.showQuickPick(formats, { title: `Export ${run} as` });
  if (!chosen) return;
  const ending = chosen.format === 'junit' ? 'xml' : chosen.format;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    title: `Export ${run}`,
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, `${run}.${ending}`) } : {}),
  });
  if (!target) return;
  const text = await services.validation.report(run, null, chosen.format);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(target, { preview: true });
}
