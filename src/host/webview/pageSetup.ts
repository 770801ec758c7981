import * as vscode from 'vscode';
import { makeNonce, type PageRights, pageHtml } from './pageHtml';

/** Gives a webview its rights and its HTML. `page` is a folder name below `webview/`. */
export function setUpPage(
  webview: vscode.Webview,
  extension: vscode.Uri,
  page: string,
  title: string,
  rights: PageRights = {},
): void {
  const folder = vscode.Uri.joinPath(extension, 'dist', 'webview');
  const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  webview.html = pageHtml({
    title,
    script: address(`${page}.js`),
    styles: [address('codicon.css'), address(`${page}.css`)],
    cspSource: webview.cspSource,
    nonce: makeNonce(),
    rights,
  });
}
