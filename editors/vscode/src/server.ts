// The language server as a worker. It has no disk: called workflows, files of tables and test cases stay unknown.
import { BrowserMessageReader, BrowserMessageWriter, createConnection, ResponseError } from 'vscode-languageserver/browser';
import { serveLanguage } from '../../../src/language-server/language-server.js';

const connection = createConnection(new BrowserMessageReader(self), new BrowserMessageWriter(self));

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
