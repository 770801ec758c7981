import * as vscode from 'vscode';
import { DisposableStore } from '../disposable';
import { schemes } from '../ids';

const uri = vscode.Uri.from({ scheme: schemes.context, path: '/What is sent.md' });

/** The document that shows every word a model is going to be sent. */
export class ContextDocument extends DisposableStore {
  private text = '';
  private readonly changed = this.add(new vscode.EventEmitter<vscode.Uri>());

  constructor() {
    super();
    const provider = { onDidChange: this.changed.event, provideTextDocumentContent: () => this.text };
    this.add(vscode.workspace.registerTextDocumentContentProvider(schemes.context, provider));
  }

  /** Shows the context beside a question, and gives true when the person wants it sent. */
  async confirm({ text, summary }: { text: string; summary: string }): Promise<boolean> {
    this.text = text;
    this.changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
    const send = { label: 'Send', description: summary };
    const picked = await vscode.window.showQuickPick([send, { label: 'Do not send' }], {
      title: 'Send what the document shows?',
      placeHolder: 'Every word that is sent stands in the editor behind this list',
      ignoreFocusOut: true,
    });
    return picked === send;
  }
}
