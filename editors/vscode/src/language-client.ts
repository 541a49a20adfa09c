// What both kinds of VS Code share: which files the language client is for, and the commands that show a drawing or the rules beside the text.
import * as vscode from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';

export const clientOptions = (): LanguageClientOptions => ({
  documentSelector: [{ language: 'wf' }],
  initializationOptions: { inlayHints: vscode.workspace.getConfiguration('wf').get('inlayHints') === true },
  synchronize: {
    configurationSection: 'wf',
    fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{wf,test.json}'),
  },
});

/** The open workflow; tells the person if there is none. */
export function openWorkflow(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId === 'wf') return document;
  void vscode.window.showInformationMessage('Open a workflow first: a file that ends in .wf.');
  return undefined;
}

export function addViews(context: vscode.ExtensionContext, client: BaseLanguageClient): void {
  const ask = (command: string, document: vscode.TextDocument): Promise<string> =>
    client.sendRequest('workspace/executeCommand', { command, arguments: [document.uri.toString()] });
  context.subscriptions.push(
    vscode.commands.registerCommand('wf.showDrawing', () => showDrawing(context, ask)),
    vscode.commands.registerCommand('wf.showRules', async () => {
      const document = openWorkflow();
      if (document === undefined) return;
      const content = await ask('wf.rules', document);
      const shown = await vscode.workspace.openTextDocument({ content, language: 'plaintext' });
      await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true });
    }),
  );
}

/** Beside the text, and drawn again with each change. */
async function showDrawing(
  context: vscode.ExtensionContext,
  ask: (command: string, document: vscode.TextDocument) => Promise<string>,
): Promise<void> {
  const document = openWorkflow();
  if (document === undefined) return;
  const title = `Drawing of ${vscode.workspace.asRelativePath(document.uri)}`;
  const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const panel = vscode.window.createWebviewPanel('wf.drawing', title, beside, {});
  const draw = async (): Promise<void> => {
    panel.webview.html = drawingPage(await ask('wf.drawing', document));
  };
  const listener = vscode.workspace.onDidChangeTextDocument((change) => {
    if (change.document === document) void draw();
  });
  panel.onDidDispose(() => listener.dispose(), undefined, context.subscriptions);
  await draw();
}

/** Nothing in it runs, and nothing is loaded: the drawing is a picture with its own style. */
const drawingPage = (svg: string): string => `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body{padding:1rem}svg{max-width:none}</style>${svg}`;
