// `wf lsp` as an editor meets it.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Diagnostic } from 'vscode-languageserver';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { folderWith, workflow } from '../commands/wf.js';
import { cli } from '../root.js';
import { endProcess, endWithTest } from '../temporary-folder.js';
import { until } from '../until.js';

// A client of `wf lsp`: starts it, talks the protocol over its streams, and keeps what it publishes.

class ProtocolClient {
  readonly #child: ChildProcess;
  readonly #connection: MessageConnection;
  readonly published: { readonly uri: string; readonly version?: number; readonly diagnostics: readonly Diagnostic[] }[] = [];
  readonly shown: string[] = [];
  readonly logged: string[] = [];
  #version = 0;

  constructor(context: TestContext, cwd: string) {
    const child = spawn(process.execPath, [cli, 'lsp'], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    endWithTest(context, () => endProcess(child));
    this.#connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    this.#connection.onNotification('textDocument/publishDiagnostics', (given) => {
      this.published.push(given);
    });
    this.#connection.onNotification('window/logMessage', ({ message }: { readonly message: string }) => {
      this.logged.push(message);
    });
    this.#connection.onRequest('window/showMessageRequest', ({ message }: { readonly message: string }) => {
      this.shown.push(message);
      return null;
    });
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
    this.edit(uri, [{ text }]);
  }

  edit(uri: string, contentChanges: unknown): void {
    this.notify('textDocument/didChange', { textDocument: { uri, version: ++this.#version }, contentChanges });
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
    return this.ended();
  }

  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }
}

const text = workflow('    set total to request.a\n    log "😀 {totl}"\n    complete with total total');

test('errors by columns of UTF-16, a fix for them, and an end', async (context) => {
  const { path: folder } = folderWith(context);
  const client = new ProtocolClient(context, folder);
  await client.start();
  const uri = pathToFileURL(path.join(folder, 'a.wf')).href;
  client.open(uri, text);
  const [found, ...more] = await client.diagnostics();
  assert.deepEqual(more, []);
  const column = text.split('\n')[8]?.indexOf('totl') ?? -1;
  assert.deepEqual(found?.range, { start: { line: 8, character: column }, end: { line: 8, character: column + 4 } });
  const [action] = await client.request('textDocument/codeAction', {
    textDocument: { uri },
    range: found?.range,
    context: { diagnostics: [found] },
  });
  assert.deepEqual(action.edit.changes[uri], [{ range: found?.range, newText: 'total' }]);
  client.change(uri, text.replace('totl', 'total'));
  assert.deepEqual(await client.diagnostics(), []);
  assert.equal(await client.stop(), 0);
});

test('requests out of their order are refused with the code of the protocol', async (context) => {
  const { path: folder } = folderWith(context);
  const client = new ProtocolClient(context, folder);
  const hover = { textDocument: { uri: 'untitled:a' }, position: { line: 0, character: 0 } };
  await assert.rejects(client.request('textDocument/hover', hover), { code: -32002 });
  await assert.rejects(client.request('shutdown', null), { code: -32002 });
  client.open('untitled:a', text);
  await client.start();
  assert.equal(await client.request('textDocument/hover', hover), null);
  await assert.rejects(client.request('initialize', { processId: null, rootUri: null, capabilities: {} }), { code: -32600 });
  await client.request('shutdown', null);
  await assert.rejects(client.request('textDocument/hover', hover), { code: -32600 });
  assert.deepEqual(client.published, []);
  client.notify('exit');
  assert.equal(await client.ended(), 0);
});

test('a name that cannot be one, a method and a command that there are not', async (context) => {
  const { path: folder } = folderWith(context);
  const client = new ProtocolClient(context, folder);
  await client.start();
  client.open('untitled:a', text);
  const position = { line: 7, character: 9 };
  await assert.rejects(
    client.request('textDocument/rename', { textDocument: { uri: 'untitled:a' }, position, newName: '9' }),
    /can't be a name/,
  );
  await assert.rejects(client.request('wf/other', {}), { code: -32601 });
  await assert.rejects(
    client.request('workspace/executeCommand', { command: 'wf.other', arguments: ['untitled:a'] }),
    /no command/,
  );
  assert.equal(await client.request('textDocument/hover', { textDocument: { uri: 'file:///none.wf' }, position }), null);
  assert.equal(await client.stop(), 0);
});

test('what a client must send and does not is said, and nothing else happens', async (context) => {
  const { path: folder } = folderWith(context);
  const client = new ProtocolClient(context, folder);
  await client.start();
  client.open('untitled:a', text);
  const textDocument = { uri: 'untitled:a' };
  const range = { start: { line: 8, character: 0 }, end: { line: 999, character: 0 } };
  const refused = (method: string, params: object, path: string): Promise<void> =>
    assert.rejects(client.request(method, params), { code: -32602, message: new RegExp(`"${path}" must be`) });
  await refused('textDocument/hover', {}, 'textDocument.uri');
  await refused('textDocument/hover', { textDocument, position: null }, 'position.line');
  await refused('textDocument/completion', { textDocument, position: { line: 1, character: null } }, 'position.character');
  await refused('textDocument/rename', { textDocument, position: range.start, newName: 5 }, 'newName');
  await refused('textDocument/codeAction', { textDocument }, 'range.start.line');
  await refused('textDocument/formatting', { textDocument: {} }, 'textDocument.uri');
  const [action] = await client.request('textDocument/codeAction', { textDocument, range });
  assert.equal(action.title, 'Write "total"');
  const change = (contentChanges: unknown): void =>
    client.notify('textDocument/didChange', { textDocument: { ...textDocument, version: 9 }, contentChanges });
  client.notify('textDocument/didOpen', { textDocument });
  for (const wrong of [undefined, [{ text: '' }, {}], [{ range: {}, text: '' }]]) change(wrong);
  await until(() => client.logged.length === 4);
  for (const line of client.logged) assert.match(line, /"[\w.]+" must be/);
  const [same] = await client.request('textDocument/codeAction', { textDocument, range });
  assert.equal(same.title, 'Write "total"');
  assert.equal(await client.stop(), 0);
});

test('a byte order mark, half characters and edits beyond the end', async (context) => {
  const { path: folder } = folderWith(context);
  const client = new ProtocolClient(context, folder);
  await client.start();
  const uri = 'untitled:a';
  client.open(uri, `\ufeff${text.replace('set total', 'set   total')}`);
  const [found] = await client.diagnostics();
  const column = text.split('\n')[8]?.indexOf('totl') ?? -1;
  assert.deepEqual(found?.range.start, { line: 8, character: column });
  const [edit] = await client.request('textDocument/formatting', { textDocument: { uri } });
  assert.deepEqual(edit.range.start, { line: 7, character: 0 });
  const [first] = await client.request('textDocument/documentSymbol', { textDocument: { uri } });
  assert.deepEqual(first.range.start, { line: 0, character: 1 });

  const place = (line: number, character: number): object => ({ line, character });
  client.open(uri, text);
  const edits = [
    // The first half of the emoji goes, and comes back.
    { range: { start: place(8, 9), end: place(8, 10) }, text: '' },
    { range: { start: place(8, 9), end: place(8, 9) }, text: '\ud83d' },
    { range: { start: place(8, column), end: place(8, column + 4) }, text: 'total' },
    { range: { start: place(400, 7), end: place(999, 7) }, text: '    log nobody\n' },
    { range: { start: place(7, 8), end: place(7, 13) }, text: 'amount' },
  ];
  client.edit(uri, edits);
  const at = place(7, 9);
  const places = await client.request('textDocument/references', { textDocument: { uri }, position: at });
  assert.equal(places.length, 1);
  const problems = await client.diagnostics();
  assert.deepEqual(
    problems.map(({ range, code }) => [range.start.line, code]),
    [
      [8, 'WF020'],
      [10, 'WF104'],
      [10, 'WF020'],
    ],
  );
  assert.equal(await client.stop(), 0);
});

test('a part of a text is formatted, as whole lines, and the rest stays as it is', async (context) => {
  const client = new ProtocolClient(context, folderWith(context, {}).path);
  await client.start();
  const uri = 'untitled:part';
  const text = workflow('    set  a  to 1\n\n\n    if a is  1:\n        log  "x"\n    complete').replaceAll('\n', '\r\n');
  const lines = text.split('\r\n');
  const first = lines.findIndex((line) => line.includes('set  a'));
  client.open(uri, text);
  const formatted = async (from: number, start: number, to: number, end: number): Promise<unknown[]> => {
    const range = { start: { line: from, character: start }, end: { line: to, character: end } };
    const edits: readonly { readonly range: object; readonly newText: string }[] = await client.request(
      'textDocument/rangeFormatting',
      { textDocument: { uri }, range, options: { tabSize: 4, insertSpaces: true } },
    );
    return edits.map((edit) => [edit.range, edit.newText]);
  };
  const all = (from: number, to: number): object => ({
    start: { line: from, character: 0 },
    end: { line: to, character: lines[to]?.length },
  });
  assert.deepEqual(await formatted(first, 6, first, 6), [[all(first, first), '    set a to 1']]);
  // Chosen lines end at the beginning of the next one, which is not chosen.
  assert.deepEqual(await formatted(first + 3, 0, first + 4, 0), [[all(first + 3, first + 3), '    if a is 1:']]);
  assert.deepEqual(await formatted(first, 8, first + 4, 1), [
    [all(first, first + 4), '    set a to 1\n\n    if a is 1:\n        log "x"'],
  ]);
  assert.deepEqual(await formatted(first + 1, 0, first + 1, 0), []);
  assert.deepEqual(await formatted(first + 5, 0, first + 5, 3), []);
  client.change(uri, text.replace('log  "x"', 'log  "x'));
  assert.equal(await client.request('textDocument/rangeFormatting', { textDocument: { uri }, range: all(first, first) }), null);
  assert.equal(await client.stop(), 0);
});

test('lenses, the drawing and the rules of a saved file, hints if they are wanted', async (context) => {
  const valid = workflow('    set limit to 3\n    if request.a is above limit:\n        reject with "no"\n    complete');
  const cases = JSON.stringify([{ name: 'small', input: { a: 1 }, expect: { status: 'completed' } }]);
  const { path: folder } = folderWith(context, { 'a.wf': valid, 'a.test.json': cases });
  const client = new ProtocolClient(context, folder);
  await client.start({ inlayHints: true });
  const uri = pathToFileURL(path.join(folder, 'a.wf')).href;
  client.open(uri, valid);
  const textDocument = { uri };
  const lenses = await client.request('textDocument/codeLens', { textDocument });
  assert.deepEqual(
    lenses.map(
      (lens: { readonly range: { readonly start: { readonly line: number } }; readonly command: { readonly title: string } }) => [
        lens.range.start.line,
        lens.command.title,
      ],
    ),
    [
      [4, '✓ Run "small"'],
      [9, 'No case reaches this'],
    ],
  );
  assert.match(await client.request('workspace/executeCommand', { command: 'wf.drawing', arguments: [uri] }), /^<svg /);
  assert.match(await client.request('workspace/executeCommand', { command: 'wf.rules', arguments: [uri] }), /no/);
  const [ran] = await client.request('workspace/executeCommand', { command: 'wf.runCase', arguments: [uri, 'small'] });
  assert.equal(ran.hasPassed, true);
  const range = { start: { line: 0, character: 0 }, end: { line: 20, character: 0 } };
  const [hint] = await client.request('textDocument/inlayHint', { textDocument, range });
  assert.deepEqual(hint, { position: { line: 7, character: 13 }, label: 'a number', paddingLeft: true });
  const titles = async (): Promise<string[]> =>
    (await client.request('textDocument/codeLens', { textDocument })).map(
      ({ command }: { readonly command: { readonly title: string } }) => command.title,
    );
  client.change(uri, valid.replace('limit to 3', 'limit to 0'));
  assert.deepEqual(await titles(), ['✗ Run "small"', 'No case reaches this']);
  client.change(uri, valid.replace('limit to 3', 'limit to'));
  assert.deepEqual(await titles(), ['✗ Run "small"', 'No case reaches this']);
  client.change(uri, valid.replace('limit to 3', 'limit to').replace('    complete', '    complete with'));
  assert.deepEqual(await titles(), ['✗ Run "small"']);
  assert.deepEqual(await client.request('workspace/executeCommand', { command: 'wf.runCase', arguments: [uri, 'small'] }), []);
  assert.match(client.shown.at(-1) ?? '', /Correct them/);
  assert.match(await client.request('workspace/executeCommand', { command: 'wf.rules', arguments: [uri] }), /errors.*no/s);
});

test('hovering shows the values of the chosen case, also of a text that is not saved', async (context) => {
  const valid = workflow(
    '    set limit to 3\n    if request.a is above limit:\n        reject with "no"\n    complete with rest limit',
  );
  const cases = JSON.stringify([
    { name: 'small', input: { a: 1, note: 'x' }, expect: { status: 'completed' } },
    { name: 'large', input: { a: 9 }, expect: { status: 'rejected' } },
  ]);
  const { path: folder } = folderWith(context, { 'a.wf': '', 'a.test.json': cases });
  const client = new ProtocolClient(context, folder);
  await client.start();
  const uri = pathToFileURL(path.join(folder, 'a.wf')).href;
  client.open(uri, valid);
  const lines = valid.split('\n');
  const at = async (word: string, line: number): Promise<string> => {
    const position = { line, character: lines[line]?.indexOf(word) };
    return (await client.request('textDocument/hover', { textDocument: { uri }, position })).contents.value;
  };
  const branch = lines.findIndex((line) => line.includes('is above'));
  assert.match(await at('limit', branch), /A variable: a number\..*In the case ``"small"``:\n\n````wf\nlimit = 3\n/s);
  assert.match(await at('if', branch), /In the case ``"small"``:\n\n````wf\n1 is above 3: no\n/);
  await client.request('workspace/executeCommand', { command: 'wf.runCase', arguments: [uri, 'large'] });
  assert.match(await at('if', branch), /In the case ``"large"``:\n\n````wf\n9 is above 3: yes\n/);
  const position = { line: branch, character: (lines[branch]?.indexOf('request.') ?? 0) + 'request.'.length };
  const { items = [], ...others } = await client.request('textDocument/completion', { textDocument: { uri }, position });
  assert.match(JSON.stringify([items, others]), /"note"/);
});

test('after a pause come fixes, and warnings about ways through the file', async (context) => {
  const { path: folder } = folderWith(context);
  const client = new ProtocolClient(context, folder);
  await client.start();
  const uri = 'untitled:ways';
  const published = (): string[] =>
    client.published.map(({ diagnostics }) => diagnostics.map(({ message }) => message).join('\n'));
  client.open(uri, text);
  await until(() => published().some((messages) => messages.includes('Did you mean "total"?')));
  client.change(
    uri,
    workflow(
      '    if request.a is above 10:\n        log "a"\n    otherwise if request.a is below 10:\n        log "b"\n    complete',
    ),
  );
  await until(() => published().some((messages) => messages.includes('exactly 10 fits no line')));
});

test('a long file shows at once what is wrong with the form of a line, and then which names it lacks', async (context) => {
  const { path: folder } = folderWith(context);
  const client = new ProtocolClient(context, folder);
  await client.start();
  const uri = 'untitled:long';
  const rest = `    log "so that it is checked in a pause"\n`.repeat(3_000);
  client.open(uri, workflow(`    set total to 1\n${rest}    complete with total total`));
  assert.deepEqual(await client.diagnostics(), []);
  client.change(uri, workflow(`    set totl to\n    log "{other}"\n${rest}    complete with total total`));
  const lines = (one: readonly { readonly range: { readonly start: { readonly line: number } } }[] = []): number[] =>
    one.map(({ range }) => range.start.line);
  assert.deepEqual(lines(await client.diagnostics()), [7]);
  await until(() => client.published.length > 2);
  assert.deepEqual(lines(client.published.at(-1)?.diagnostics), [7, 8, 3_009]);
});

test('a change of a called workflow or of a table, which no client tells of, is seen', async (context) => {
  const part = (limit: string): string =>
    `config:\n    name: "Part"\n    version: 1\n\ninputs:\n    total is a number${limit}\n\nworkflow:\n    trigger: t\n\n    complete\n`;
  const files = { 'shared/part.wf': part(''), 'shared/fees.csv': 'country is,fee\nDE,5\nany,7\n', 'own/a.wf': '' };
  const { path: folder } = folderWith(context, files);
  const client = new ProtocolClient(context, path.join(folder, 'own'));
  await client.start();
  const sections =
    'services:\n    Part is a workflow at "../shared/part.wf"\n\ntables:\n    Fees is a table at "../shared/fees.csv"\n\nworkflow:';
  const body = workflow(
    '    look up fee in Fees with country "DE"\n    get part using Part with total 5\n    complete with fee fee',
  );
  client.open(pathToFileURL(path.join(folder, 'own/a.wf')).href, body.replace('workflow:', sections));
  assert.deepEqual(await client.diagnostics(), []);
  const isFound = (words: RegExp): Promise<void> => until(() => words.test(JSON.stringify(client.published.at(-1)?.diagnostics)));
  writeFileSync(path.join(folder, 'shared/part.wf'), part(' above 10'));
  await isFound(/above 10/);
  writeFileSync(path.join(folder, 'shared/fees.csv'), 'country is,price\nDE,5\nany,7\n');
  await isFound(/"fee/);
});
