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

type Ask = (command: string, workflow: vscode.Uri) => Promise<string>;

/** The scheme of texts that nobody is asked to save. */
const RULES = 'wf-rules';

export function addViews({ subscriptions }: vscode.ExtensionContext, client: BaseLanguageClient): void {
  const ask: Ask = (command, workflow) =>
    client.sendRequest('workspace/executeCommand', { command, arguments: [workflow.toString()] });
  const changes = new vscode.EventEmitter<vscode.Uri>();
  subscriptions.push(
    vscode.commands.registerCommand('wf.showDrawing', () => showDrawing(subscriptions, ask)),
    vscode.commands.registerCommand('wf.showRules', showRules),
    vscode.workspace.registerTextDocumentContentProvider(RULES, {
      onDidChange: changes.event,
      provideTextDocumentContent: ({ query }) => ask('wf.rules', vscode.Uri.parse(query)),
    }),
    vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => {
      if (vscode.workspace.textDocuments.some((shown) => shown.uri.toString() === rulesOf(uri).toString()))
        changes.fire(rulesOf(uri));
    }),
  );
}

/** Beside the text, and written again with each change. */
async function showRules(): Promise<void> {
  const document = openWorkflow();
  if (document !== undefined) await vscode.window.showTextDocument(rulesOf(document.uri), { ...beside, preview: true });
}

const rulesOf = (workflow: vscode.Uri): vscode.Uri =>
  vscode.Uri.from({ scheme: RULES, path: `Rules of ${nameOf(workflow)}`, query: workflow.toString() });

const nameOf = (workflow: vscode.Uri): string => workflow.path.replace(/^.*\//, '');

const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };

/** Beside the text, and drawn again with each change of it or of the colours. */
async function showDrawing(subscriptions: vscode.Disposable[], ask: Ask): Promise<void> {
  const document = openWorkflow();
  if (document === undefined) return;
  const panel = vscode.window.createWebviewPanel('wf.drawing', `Drawing of ${nameOf(document.uri)}`, beside, {});
  const draw = async (): Promise<void> => {
    if (!document.isClosed) panel.webview.html = drawingPage(await ask('wf.drawing', document.uri));
  };
  const listening = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument((change) => {
      if (change.document === document) void draw();
    }),
    vscode.window.onDidChangeActiveColorTheme(draw),
  );
  panel.onDidDispose(() => listening.dispose(), undefined, subscriptions);
  await draw();
}

/** The colours of the editor, which need not be those of the system. */
function themed(svg: string): string {
  const { Dark, HighContrast } = vscode.ColorThemeKind;
  const isDark = [Dark, HighContrast].includes(vscode.window.activeColorTheme.kind);
  return svg.replace('@media (prefers-color-scheme:dark)', `@media ${isDark ? 'all' : 'not all'}`);
}

/** Nothing in it runs, and nothing is loaded: the drawing is a picture with its own style. */
const drawingPage = (svg: string): string => `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>body{padding:1rem}
svg{max-width:none}
svg>.page{fill:none!important}
.vscode-high-contrast svg :is(rect:not(.page),path:not(.tip)){stroke:var(--vscode-foreground)!important}
.vscode-high-contrast svg .tip{fill:var(--vscode-foreground)!important}</style>${themed(svg)}`;
