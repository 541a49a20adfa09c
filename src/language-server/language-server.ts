// The language server: connects the language service to a connection of the Language Server Protocol, and keeps the open files. Knows neither
// the system nor how the other side is reached, so that it also runs in a browser; its host reads files and runs cases.
import type {
  CodeAction,
  CodeActionContext,
  CodeLens,
  Connection,
  Diagnostic,
  InlayHint,
  Location,
  Range,
  ServerCapabilities,
  TextDocumentIdentifier,
  TextDocumentPositionParams,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { analyseInTurns } from '../analysis/analyse.js';
import { withoutMark } from '../compiler/decode.js';
import type { Diagnostic as Found, LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import type { InTurns } from '../compiler/in-turns.js';
import { diagramOf } from '../diagram/diagram.js';
import { drawSvg } from '../diagram/svg.js';
import { format } from '../format/format.js';
import { coloursOf, colourTypes } from '../language-service/colours.js';
import { complete } from '../language-service/complete.js';
import { WfDocument } from '../language-service/document.js';
import { firstLook, type LastCheck } from '../language-service/first-look.js';
import { hover, inlayHints } from '../language-service/hover.js';
import { foldsOf, outlineOfFile, sectionOf } from '../language-service/outline.js';
import { additionsAt, fixAll, fixesFor, type QuickFix } from '../language-service/quick-fixes.js';
import { rename } from '../language-service/rename.js';
import { rulesOf, rulesText } from '../rules/rules.js';
import {
  completionItems,
  diagnosticOf,
  editOfLines,
  editOfPart,
  editorRange,
  editsOf,
  movedLines,
  type Places,
  placesIn,
  rangeWithin,
  symbolOf,
  tokenData,
} from './conversions.js';
import type { CaseResults, LanguageHost, OpenText } from './language-host.js';
import { faultIn, wanted } from './well-formed.js';

/** Milliseconds without a change before what takes longer: fixes are tried, ways are analysed, and a long file is checked. */
const PAUSE = 200;
/** Milliseconds of work without a look at what the client has sent. */
const TURN = 4;
/** Characters of a file that is checked at each change. */
const QUICK = 100_000;
/** Characters of a file whose check takes no longer than anyone notices. Others show first what is wrong with the form of a line. */
const SHORT = 20_000;
/** Codes of the protocol. */
const REQUEST_FAILED = -32803;
const INVALID_PARAMS = -32602;
const LOG_ERROR = 1;
const UNFINISHED = 'This file has errors, so something may be missing here.\n\n';
const CASES = /\.wf$/;

interface Open {
  readonly document: TextDocument;
  readonly text: Places;
  readonly wf: WfDocument;
  /** Runs of its cases, each made once: what they found, by what they are made of. */
  readonly runs: Map<string, Promise<unknown>>;
  /** The diagnostics of `wf check`, looked for once; `undefined` if the text changed before they were known. */
  everything?: Promise<readonly LocatedDiagnostic[] | undefined>;
}

interface Ran extends Pick<CaseResults, 'cases'> {
  /** Lines that start stretches that no case reaches. */
  readonly missed: readonly number[];
}

/** Answers on this connection until it is closed. `fail` makes the error of a request. */
export function serveLanguage(connection: Connection, host: LanguageHost, fail: (code: number, message: string) => Error): void {
  new LanguageServer(connection, host, fail).listen();
}

class LanguageServer {
  readonly #connection: Connection;
  readonly #host: LanguageHost;
  readonly #fail: (code: number, message: string) => Error;
  readonly #open = new Map<string, Open>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** The findings in the last text of each file that was checked to the end. */
  readonly #looked = new Map<string, LastCheck>();
  /** The results of each file's cases in its last text without errors. */
  readonly #ran = new Map<string, Ran>();
  /** The case whose values are shown, by file: the one that was run last. */
  readonly #chosen = new Map<string, string>();
  #hasInlayHints = false;
  #refreshesLenses = false;

  constructor(connection: Connection, host: LanguageHost, fail: (code: number, message: string) => Error) {
    this.#connection = connection;
    this.#host = host;
    this.#fail = fail;
  }

  listen(): void {
    const connection = this.#connection;
    connection.onInitialize(({ initializationOptions, capabilities: client }) => {
      this.#refreshesLenses = client.workspace?.codeLens?.refreshSupport === true;
      this.#hasInlayHints = (initializationOptions as { inlayHints?: unknown } | undefined)?.inlayHints === true; // whatever a client sends
      return { capabilities, serverInfo: { name: 'wf', version: WF_VERSION } };
    });
    connection.onDidChangeConfiguration((given) => {
      const own = (given as { settings?: { wf?: { inlayHints?: unknown } } } | null)?.settings?.wf; // whatever a client sends
      if (own?.inlayHints !== undefined) this.#hasInlayHints = own.inlayHints === true;
    });
    this.#followTexts();
    this.#answerPlaces();
    this.#answerFiles();
    connection.onExecuteCommand(({ command, arguments: given }) => this.#execute(command, given ?? []));
    connection.listen();
  }

  #followTexts(): void {
    const connection = this.#connection;
    connection.onDidOpenTextDocument((params) => {
      this.#require(params, wanted.opened);
      const { uri, languageId, version, text } = params.textDocument;
      this.#set(TextDocument.create(uri, languageId, version, text));
    });
    connection.onDidChangeTextDocument((params) => {
      this.#require(params, wanted.changes);
      const { textDocument, contentChanges } = params;
      for (const change of contentChanges)
        this.#require(change, 'range' in change ? { ...wanted.change, ...wanted.part } : wanted.change);
      const document = this.#open.get(textDocument.uri)?.document;
      if (document === undefined) return;
      // Each is about the text after the one before, and may reach beyond its end.
      for (const change of contentChanges)
        TextDocument.update(
          document,
          ['range' in change ? { ...change, range: rangeWithin(document, change.range) } : change],
          textDocument.version,
        );
      this.#set(document);
    });
    connection.onDidSaveTextDocument((params) => {
      this.#require(params, wanted.file);
      this.#refresh(params.textDocument.uri);
    });
    connection.onDidChangeWatchedFiles(() => this.#refresh());
    this.#host.onFileChange?.(() => this.#refresh());
    connection.onDidCloseTextDocument((params) => {
      this.#require(params, wanted.file);
      const { uri } = params.textDocument;
      this.#open.delete(uri);
      this.#looked.delete(uri);
      this.#ran.delete(uri);
      clearTimeout(this.#timers.get(uri));
      void connection.sendDiagnostics({ uri, diagnostics: [] });
    });
  }

  /** A client can send anything. */
  #require(message: unknown, fields: Parameters<typeof faultIn>[1]): void {
    const fault = faultIn(message, fields);
    if (fault !== undefined) throw this.#fail(INVALID_PARAMS, fault);
  }

  #set(document: TextDocument): void {
    const [text, written] = [placesIn(document), withoutMark(document.getText())];
    const { uri } = text;
    const [ran, before] = [this.#ran.get(uri), this.#open.get(uri)?.wf.text];
    if (ran !== undefined && before !== undefined)
      this.#ran.set(uri, { ...ran, missed: ran.missed.flatMap(movedLines(before, written)) });
    const wf = new WfDocument(written, this.#host.nameOf(uri), { files: this.#host.filesFor(uri) });
    this.#open.set(uri, { document, text, wf, runs: new Map() });
    // Changes that arrive together are checked once.
    this.#later(uri, 0, () => this.#lookAt(uri));
  }

  /** Instead of what was to be done later for this file. Nobody waits for it, so what goes wrong must not end the server. */
  #later(uri: string, ms: number, look: () => void | Promise<void>): void {
    const guarded = async (): Promise<void> => {
      try {
        await look();
      } catch (error) {
        const message = `${this.#host.nameOf(uri)} can't be checked: ${error instanceof Error ? error.message : error}`;
        void this.#connection.sendNotification('window/logMessage', { type: LOG_ERROR, message });
      }
    };
    clearTimeout(this.#timers.get(uri));
    this.#timers.set(uri, setTimeout(guarded, ms));
  }

  /** Other files may have changed: cases, called workflows, tables. */
  #refresh(changed?: string): void {
    for (const [uri, { document }] of this.#open) if (uri !== changed) this.#set(document);
    // A failure there is the client's concern.
    if (this.#refreshesLenses) this.#connection.sendRequest('workspace/codeLens/refresh').catch(() => undefined);
  }

  #casesOf(uri: string): string {
    return this.#host.read(uri.replace(CASES, '.test.json')) ?? '';
  }

  /** Runs cases of a text once, until the text or the cases change. Files with errors have no runs. */
  #run<T>({ text, wf, runs }: Open, what: string, run: (file: OpenText) => Promise<T | undefined>): Promise<T | undefined> {
    const cases = this.#casesOf(text.uri);
    if (wf.checked.hasErrors || cases === '') return Promise.resolve(undefined);
    const key = `${what}\n${cases}`;
    const known = runs.get(key) ?? run({ uri: text.uri, text: wf.text });
    runs.set(key, known);
    return known as Promise<T | undefined>; // the key includes what was run
  }

  /** Publishes at once what is quickly known, and everything after a pause. */
  #lookAt(uri: string): void {
    const open = this.#open.get(uri);
    if (open === undefined) return;
    const { text, wf } = open;
    const before = this.#looked.get(uri);
    const after = (ms: number, look: () => void | Promise<void>): void => this.#later(uri, ms, look);
    const everything = async (): Promise<void> => {
      const found = await this.#everythingIn(open);
      if (found !== undefined) this.#publish(text, found);
    };
    const check = (): void => {
      this.#publish(
        text,
        wf.checked.diagnostics.filter(({ file }) => file === wf.file),
      );
      after(before === undefined ? 0 : PAUSE, everything);
    };
    if (wf.text.length > SHORT && before !== undefined) this.#publish(text, firstLook(before, wf.text));
    if (wf.text.length <= SHORT) check();
    else if (wf.text.length <= QUICK) after(0, check);
    else after(before === undefined ? 0 : PAUSE, everything);
  }

  #everythingIn(open: Open): NonNullable<Open['everything']> {
    open.everything ??= this.#findEverything(open);
    return open.everything;
  }

  async #findEverything(open: Open): NonNullable<Open['everything']> {
    const { text, wf } = open;
    const found = await this.#inTurns(open, everythingFoundIn(wf));
    if (found !== undefined) this.#looked.set(text.uri, { text: wf.text, diagnostics: found });
    return found;
  }

  /** Does work on a text while the client goes on, and leaves it unfinished once the text has changed. */
  async #inTurns<T>(open: Open, work: InTurns<T>): Promise<T | undefined> {
    while (this.#open.get(open.text.uri) === open) {
      const end = Date.now() + TURN;
      do {
        const { done, value } = work.next();
        if (done === true) return value;
      } while (Date.now() < end);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return undefined;
  }

  #publish(text: Places, found: readonly Found[]): void {
    const diagnostics = found.map((one) => diagnosticOf(text, one));
    void this.#connection.sendDiagnostics({ uri: text.uri, version: text.version, diagnostics });
  }

  /** Answers a request about a place in an open file. */
  #at<T>(params: TextDocumentPositionParams, answer: (open: Open, offset: number) => T): T | null {
    this.#require(params, wanted.place);
    const { textDocument, position } = params;
    const open = this.#open.get(textDocument.uri);
    return open === undefined ? null : answer(open, open.text.offsetAt(position));
  }

  #answerPlaces(): void {
    const connection = this.#connection;
    connection.onCompletion((params) =>
      this.#at(params, ({ text, wf }, offset) => completionItems(text, complete(wf, offset, this.#casesOf(text.uri)), offset)),
    );
    connection.onHover((params) =>
      this.#at(params, async (open, offset) => {
        const { text, wf } = open;
        const chosen = this.#chosen.get(text.uri);
        const values = await this.#run(open, `values ${chosen}`, (file) => this.#host.valuesIn(file, chosen));
        const found = hover(wf, offset, values);
        return found === undefined
          ? null
          : { contents: { kind: 'markdown', value: found.markdown }, range: editorRange(text, found.span) };
      }),
    );
    connection.onDefinition((params) =>
      this.#at(params, ({ text, wf }, offset) => {
        const name = wf.nameAt(offset);
        const definition = name === undefined ? undefined : wf.definitionOf(name);
        return definition === undefined ? null : { uri: text.uri, range: editorRange(text, definition.span) };
      }),
    );
    connection.onReferences((params) =>
      this.#at(params, ({ text, wf }, offset): Location[] => {
        const name = wf.nameAt(offset);
        const places = name === undefined ? [] : wf.placesOf(name);
        const wanted = params.context?.includeDeclaration !== false ? places : places.filter(({ isDefinition }) => !isDefinition);
        return wanted.map(({ span }) => ({ uri: text.uri, range: editorRange(text, span) }));
      }),
    );
    connection.onPrepareRename((params) =>
      this.#at(params, ({ text, wf }, offset): Range | null => {
        const name = wf.nameAt(offset);
        return name === undefined ? null : editorRange(text, name.span);
      }),
    );
    connection.onRenameRequest((params) => {
      this.#require(params, wanted.name);
      return this.#at(params, (open, offset) => this.#rename(open, offset, params.newName));
    });
  }

  #rename({ text, wf }: Open, offset: number, newName: string): WorkspaceEdit {
    const caseUri = text.uri.replace(CASES, '.test.json');
    const cases = this.#host.read(caseUri);
    const renamed = rename(wf, offset, newName, cases);
    if (!renamed.isPossible) throw this.#fail(REQUEST_FAILED, renamed.reason);
    const changes: WorkspaceEdit['changes'] = { [text.uri]: editsOf(text, renamed.edits) };
    if (renamed.caseEdits.length > 0)
      changes[caseUri] = editsOf(placesIn(TextDocument.create(caseUri, 'json', 0, cases ?? '')), renamed.caseEdits);
    return { changes };
  }

  /** Answers a request about an open file. */
  #of<T>(params: { readonly textDocument: TextDocumentIdentifier }, answer: (open: Open) => T): T | null {
    this.#require(params, wanted.file);
    const open = this.#open.get(params.textDocument.uri);
    return open === undefined ? null : answer(open);
  }

  #answerFiles(): void {
    const connection = this.#connection;
    connection.onDocumentSymbol((params) =>
      this.#of(params, ({ text, wf }) => outlineOfFile(wf).map((one) => symbolOf(text, one))),
    );
    connection.onFoldingRanges((params) =>
      this.#of(params, ({ wf }) => foldsOf(wf).map(({ first, last }) => ({ startLine: first - 1, endLine: last - 1 }))),
    );
    connection.languages.semanticTokens.on(
      (params) => this.#of(params, ({ text, wf }) => ({ data: tokenData(text, coloursOf(wf)) })) ?? { data: [] },
    );
    connection.onDocumentFormatting((params) =>
      this.#of(params, ({ text, wf }) => {
        const formatted = format(wf.text);
        return formatted.isReadable ? editsOf(text, editOfLines(wf.text, formatted.text)) : null;
      }),
    );
    connection.onDocumentRangeFormatting((params) => {
      this.#require(params, wanted.range);
      return this.#of(params, ({ text, wf }) => {
        const formatted = format(wf.text);
        const part = { start: text.offsetAt(params.range.start), end: text.offsetAt(params.range.end) };
        return formatted.isReadable ? editsOf(text, editOfPart(wf.text, formatted.text, part)) : null;
      });
    });
    connection.onCodeAction((params) => {
      this.#require(params, wanted.range);
      return this.#of(params, (open) => this.#actions(open, params.range, params.context));
    });
    connection.languages.inlayHint.on((params) =>
      this.#of(params, ({ text, wf }): InlayHint[] =>
        !this.#hasInlayHints
          ? []
          : inlayHints(wf).map(({ offset, label }) => ({ position: text.positionAt(offset), label, paddingLeft: true })),
      ),
    );
    connection.onCodeLens((params) => this.#of(params, (open) => this.#lenses(open)));
  }

  async #actions(open: Open, range: Range, context: CodeActionContext | undefined): Promise<CodeAction[] | null> {
    const { text, wf } = open;
    const given = listOf<Diagnostic>(context?.diagnostics).filter((one) => faultIn(one, wanted.part) === undefined);
    const only = context?.only === undefined ? undefined : listOf<string>(context.only);
    const wants = (kind: string): boolean => only === undefined || only.some((one) => `${kind}.`.startsWith(`${one}.`));
    const action = ({ title, edits, isPreferred }: QuickFix, kind: string): CodeAction => ({
      title,
      kind,
      edit: { changes: { [text.uri]: editsOf(text, edits) } },
      ...(isPreferred ? { isPreferred } : {}),
    });
    const [first, last] = [text.offsetAt(range.start), text.offsetAt(range.end)];
    const found = await this.#everythingIn(open);
    if (found === undefined) return null;
    const fixes = found
      .filter(({ span }) => span.start <= last && span.end >= first)
      .flatMap((one) => {
        const about = given.filter(({ code, range: { start } }) => code === one.code && text.offsetAt(start) === one.span.start);
        return fixesFor(wf, one).map((fix): CodeAction => ({ ...action(fix, 'quickfix'), diagnostics: about }));
      });
    const all = wants('source.fixAll') && only !== undefined ? fixAll(wf) : undefined;
    return [
      ...(wants('quickfix') ? fixes : []),
      ...(wants('refactor') ? additionsAt(wf, range.start.line + 1).map((fix) => action(fix, 'refactor')) : []),
      ...(all === undefined
        ? []
        : [action({ title: 'Correct misspelt words and the indentation', edits: [all], isPreferred: false }, 'source.fixAll')]),
    ];
  }

  /** In a text with errors, those of the last one without: a mistake in another line takes none away. */
  async #lenses(open: Open): Promise<CodeLens[]> {
    const { text, wf } = open;
    const found = await this.#run(open, 'cases', (file) => this.#host.runCases(file));
    const now = found === undefined ? undefined : { missed: missedLines(found), cases: found.cases };
    if (now !== undefined && this.#open.get(text.uri) === open) this.#ran.set(text.uri, now);
    const ran = now ?? (wf.checked.hasErrors ? this.#ran.get(text.uri) : undefined);
    if (ran === undefined) return [];
    const { lineMap } = wf;
    const at = (line: number): Range =>
      editorRange(text, { start: lineMap.startOf(line), end: lineMap.startOf(line) + lineMap.textOf(line).length });
    const head = Math.max(1, wf.lines.find((line) => sectionOf(line, wf.text) === 'workflow')?.number ?? 1);
    return [
      ...ran.cases.slice(0, 20).map(({ name, hasPassed }) => ({
        range: at(head),
        command: { title: `${hasPassed ? '✓' : '✗'} Run "${name}"`, command: 'wf.runCase', arguments: [text.uri, name] },
      })),
      ...ran.missed.map((line) => ({ range: at(line), command: { title: 'No case reaches this', command: '' } })),
    ];
  }

  async #execute(command: string, given: readonly unknown[]): Promise<unknown> {
    const [uri, name] = given;
    const open = typeof uri === 'string' ? this.#open.get(uri) : undefined;
    if (open === undefined || typeof uri !== 'string') throw this.#fail(REQUEST_FAILED, 'This file is not open.');
    const { wf } = open;
    switch (command) {
      case 'wf.drawing':
        return drawSvg(diagramOf(wf.checked.workflow, wf.text, wf.file));
      case 'wf.rules':
        return `${wf.checked.hasErrors ? UNFINISHED : ''}${rulesText(rulesOf(wf.checked, wf.file))}`;
      case 'wf.runCase': {
        const only = typeof name === 'string' ? name : undefined;
        if (only !== undefined) this.#chosen.set(uri, only);
        const results = await this.#host.runCases({ uri, text: wf.text }, only);
        if (results === undefined && wf.checked.hasErrors)
          this.#connection.window.showErrorMessage('This file has errors. Correct them to run its cases.');
        for (const { name: shown, hasPassed, differences } of results?.cases ?? [])
          this.#connection.window[hasPassed ? 'showInformationMessage' : 'showErrorMessage'](
            hasPassed ? `✓ ${shown}` : `✗ ${shown}: ${differences.join('; ')}`,
          );
        return results?.cases ?? [];
      }
      default:
        throw this.#fail(REQUEST_FAILED, `There is no command "${command}".`);
    }
  }
}

const listOf = <T>(given: readonly T[] | undefined): readonly T[] => (Array.isArray(given) ? given : []);

function* everythingFoundIn(wf: WfDocument): InTurns<readonly LocatedDiagnostic[]> {
  const explained = yield* wf.explainedInTurns();
  const found = explained.hasErrors ? explained.diagnostics : yield* analyseInTurns(explained, wf.file);
  return found.filter(({ file }) => file === wf.file);
}

/** The first of each stretch of lines that no case reaches. */
function missedLines({ reachable, reached }: CaseResults): number[] {
  const stretches: number[] = [];
  let wasReached = true;
  for (const [index, { kind, line }] of reachable.entries()) {
    if (kind !== 'statement' && kind !== 'log') continue;
    if (wasReached && !reached.has(index)) stretches.push(line);
    wasReached = reached.has(index);
  }
  return stretches;
}

const capabilities: ServerCapabilities = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: 2, save: true },
  completionProvider: { triggerCharacters: ['.', '{', '"'] },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  codeActionProvider: { codeActionKinds: ['quickfix', 'refactor', 'source.fixAll'] },
  codeLensProvider: {},
  inlayHintProvider: true,
  semanticTokensProvider: { legend: { tokenTypes: [...colourTypes], tokenModifiers: [] }, full: true },
  executeCommandProvider: { commands: ['wf.drawing', 'wf.rules', 'wf.runCase'] },
};
