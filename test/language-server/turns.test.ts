// The language server between two keystrokes: work on a text takes turns with what the client sends, and ends with the text.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import {
  createConnection,
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { serveLanguage } from '../../src/language-server/language-server.js';
import { workflow } from '../commands/wf.js';

const uri = 'untitled:a';

/** A client of a server in this process: both take turns in one event loop, so that what comes first depends on no clock. */
function connected(): MessageConnection {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const server = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient));
  const none = (): undefined => undefined;
  const later = (): Promise<undefined> => Promise.resolve(undefined);
  const host = { nameOf: () => 'a.wf', filesFor: none, read: none, runCases: later, valuesIn: later };
  serveLanguage(server, host, (code, message) => new ResponseError(code, message));
  const client = createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  client.listen();
  return client;
}

/** What the server publishes when the text changes as soon as the first text was looked at: versions, with the number of diagnostics. */
async function publishedFor(first: string, second: string): Promise<[number, number][]> {
  const client = connected();
  await client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
  const published: [number, number][] = [];
  const isDone = new Promise<void>((resolve) => {
    client.onNotification('textDocument/publishDiagnostics', ({ version, diagnostics }) => {
      published.push([version, diagnostics.length]);
      if (published.length === 1)
        void client.sendNotification('textDocument/didChange', {
          textDocument: { uri, version: 2 },
          contentChanges: [{ text: second }],
        });
      if (version === 2) resolve();
    });
  });
  const textDocument = { uri, languageId: 'wf', version: 1, text: first };
  await client.sendNotification('textDocument/didOpen', { textDocument });
  await isDone;
  return published;
}

const short = workflow('    log "short"\n    complete');

test('a change does not wait until the ways of the text before it are analysed', async () => {
  const many = Array.from(
    { length: 400 },
    (_, n) => `    if request.n${n} is above ${n}:\n        set total to total plus ${n}\n`,
  );
  const never = '    if request.a is above 1:\n        log "one"\n    otherwise if request.a is above 2:\n        log "two"\n';
  const long = workflow(`    set total to 0\n${many.join('')}${never}    complete with total total`);
  assert.deepEqual(await publishedFor(long, short), [
    [1, 0],
    [2, 0],
  ]);
});

test('nothing is offered for a text that has changed since', async () => {
  const client = connected();
  await client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {} });
  const wrong = Array.from({ length: 400 }, (_, n) => `    sett value-${n} to ${n}\n`);
  const textDocument = { uri, languageId: 'wf', version: 1, text: workflow(`${wrong.join('')}    complete`) };
  await client.sendNotification('textDocument/didOpen', { textDocument });
  const range = { start: { line: 0, character: 0 }, end: { line: 499, character: 0 } };
  const asked = client.sendRequest('textDocument/codeAction', { textDocument: { uri }, range, context: { diagnostics: [] } });
  const contentChanges = [{ text: short }];
  await client.sendNotification('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges });
  assert.equal(await asked, null);
});
