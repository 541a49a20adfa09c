// The extension on a desktop: starts the wf of the workspace, or the one that it brings along, with the Node.js of VS Code itself.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { addViews, clientOptions, openWorkflow } from './language-client.js';

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const module = wfOf(context);
  const server = { module, args: ['lsp'], transport: TransportKind.stdio };
  client = new LanguageClient('wf', 'wf', { run: server, debug: server }, clientOptions());
  addViews(context, client);
  addCommands(context);
  await client.start();
}

export const deactivate = (): Promise<void> | undefined => client?.stop();

/** A folder that nobody has trusted must not bring its own program. */
function wfOf({ extensionPath }: vscode.ExtensionContext): string {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const own = folders.map(({ uri }) => path.join(uri.fsPath, 'node_modules', 'wf-lang', 'dist', 'wf.cjs'));
  return own.find((file) => existsSync(file)) ?? path.join(extensionPath, 'out', 'wf', 'wf.cjs');
}

function addCommands(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel('wf');
  const add = (name: string, wordsOf: (file: string) => Promise<readonly string[] | undefined>): void => {
    const command = vscode.commands.registerCommand(name, async () => {
      const document = openWorkflow();
      if (document === undefined || !(await document.save())) return;
      const words = await wordsOf(path.basename(document.fileName));
      if (words !== undefined) show(output, wfOf(context), words, path.dirname(document.fileName));
    });
    context.subscriptions.push(command);
  };
  context.subscriptions.push(output);
  add('wf.test', async (file) => ['test', file]);
  add('wf.run', async (file) => withRequest(['run', file, '--mock', '--verbose']));
  add('wf.explain', async (file) => withRequest(['explain', file]));
}

async function withRequest(words: readonly string[]): Promise<readonly string[] | undefined> {
  const request = await vscode.window.showInputBox({ prompt: 'The request, as JSON', value: '{}', validateInput: faultOf });
  return request === undefined ? undefined : [...words, '--input', request];
}

function faultOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'This is not JSON.';
  }
}

/** Runs wf with the program that runs the extension. */
function show(output: vscode.OutputChannel, wf: string, words: readonly string[], cwd: string): void {
  output.clear();
  output.show(true);
  output.appendLine(`$ wf ${words.map((word) => (/^[\w./-]+$/.test(word) ? word : `'${word}'`)).join(' ')}`);
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', NO_COLOR: '1' };
  const child = execFile(process.execPath, [wf, ...words], { cwd, env });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece: string) => output.append(piece));
  child.on('error', (error) => output.appendLine(`wf could not be started: ${error.message}`));
}
