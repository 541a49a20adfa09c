// The language server as a worker. It has no disk: called workflows, files of tables and test cases stay unknown.
import { BrowserMessageReader, BrowserMessageWriter, createConnection, ResponseError } from 'vscode-languageserver/browser';
import { serveLanguage } from '../../../src/language-server/language-server.js';
import { inOrderOfSession } from '../../../src/language-server/session-gate.js';

const writer = new BrowserMessageWriter(self);
const connection = createConnection(inOrderOfSession(new BrowserMessageReader(self), writer), writer);

serveLanguage(
  connection,
  {
    nameOf: (uri) => decodeURIComponent(uri.slice(uri.lastIndexOf('/') + 1)),
    filesFor: () => undefined,
    read: () => undefined,
    runCases: () => Promise.resolve(undefined),
    valuesIn: () => Promise.resolve(undefined),
  },
  (code, message) => new ResponseError(code, message),
);
