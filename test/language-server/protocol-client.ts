// A client of `wf lsp`: starts it, talks the protocol over its streams, and keeps what it publishes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import type { Diagnostic } from 'vscode-languageserver';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { cli } from '../root.js';
import { endProcess, endWithTest } from '../temporary-folder.js';
import { until } from '../until.js';

export class ProtocolClient {
  readonly #child: ChildProcess;
  readonly #connection: MessageConnection;
  readonly published: { readonly uri: string; readonly version?: number; readonly diagnostics: readonly Diagnostic[] }[] = [];
  #version = 0;

  constructor(context: TestContext, cwd: string) {
    const child = spawn(process.execPath, [cli, 'lsp'], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    endWithTest(context, () => endProcess(child));
    this.#connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    this.#connection.onNotification('textDocument/publishDiagnostics', (given) => {
      this.published.push(given);
    });
    this.#connection.onRequest('window/showMessageRequest', () => null);
    this.#connection.listen();
  }

  async start(initializationOptions: object = {}): Promise<void> {
    await this.request('initialize', { processId: process.pid, rootUri: null, capabilities: {}, initializationOptions });
    this.notify('initialized', {});
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of a server are what the test is about
  request(method: string, params: object | null): Promise<any> {
    return this.#connection.sendRequest(method, params);
  }

  notify(method: string, params?: object): void {
    void this.#connection.sendNotification(method, params);
  }

  open(uri: string, text: string): void {
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'wf', version: ++this.#version, text } });
  }

  change(uri: string, text: string): void {
    this.notify('textDocument/didChange', { textDocument: { uri, version: ++this.#version }, contentChanges: [{ text }] });
  }

  /** The diagnostics of the newest text. */
  async diagnostics(): Promise<readonly Diagnostic[]> {
    const own = (): readonly Diagnostic[] | undefined =>
      this.published.findLast(({ version }) => version === this.#version)?.diagnostics;
    await until(() => own() !== undefined);
    return own() ?? [];
  }

  /** Ends as an editor does; gives the exit code. */
  async stop(): Promise<number | null> {
    await this.request('shutdown', null);
    this.notify('exit');
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }
}
