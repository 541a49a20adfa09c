// The extension in VS Code for the web: the language server runs in a worker.
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/browser';
import { addViews, clientOptions } from './language-client.js';

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const server = vscode.Uri.joinPath(context.extensionUri, 'out', 'server.js');
  client = new LanguageClient('wf', 'wf', new Worker(server.toString(true)), clientOptions());
  addViews(context, client);
  await client.start();
}

export const deactivate = (): Promise<void> | undefined => client?.stop();
