// `wf lsp`: the language server on standard input and output, with the files and the cases of this machine.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createConnection, ResponseError, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { createEngine, type Engine } from '../engine/engine.js';
import type { Io } from '../engine/io.js';
import { workflowFiles } from '../engine/prepare/workflow-files.js';
import { valuesBeside } from '../explain/values-beside.js';
import type { CaseResults, LanguageHost, OpenText } from '../language-server/language-host.js';
import { serveLanguage } from '../language-server/language-server.js';
import { inOrderOfSession } from '../language-server/session-gate.js';
import type { CaseValues } from '../language-service/hover.js';
import { runCase } from '../testing/compare-outcome.js';
import { type CoveredPreparation, prepareWithCoverage } from '../testing/coverage.js';
import { readCases } from '../testing/read-cases.js';
import type { TestCase } from '../testing/test-case.js';

/** Milliseconds for all cases of a file. */
const LONGEST = 5_000;
/** Milliseconds between looks at a file. */
const WATCH_EVERY = 1_000;
/** Files that are watched; then the first of them is forgotten. */
const MOST_WATCHED = 200;

/** Ends when the client says so, or goes away. */
export async function lspCommand(io: Io): Promise<number> {
  // Unlike a stream for logs, it must never drop anything.
  const output = new Writable({
    write(chunk, _encoding, done) {
      io.stdout.write(chunk);
      done();
    },
  });
  const writer = new StreamMessageWriter(output);
  const reader = inOrderOfSession(new StreamMessageReader(io.stdin), writer);
  const connection = createConnection(reader, writer);
  let hasShutDown = false;
  const ended = new Promise<number>((resolve) => {
    connection.onShutdown(() => {
      hasShutDown = true;
    });
    connection.onExit(() => resolve(hasShutDown ? 0 : 1));
    reader.onClose(() => resolve(hasShutDown ? 0 : 1));
    io.onStop(() => resolve(0));
  });
  serveLanguage(connection, hostOf(io), (code, message) => new ResponseError(code, message));
  return ended;
}

/** The path of a file; `undefined` for one that is not on this machine. */
function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

/** Differs after each change of a file; empty if it can't be read. */
function changeOf(file: string): string {
  try {
    const { mtimeMs, size } = statSync(file);
    return `${mtimeMs} ${size}`;
  } catch {
    return '';
  }
}

function hostOf(io: Io): LanguageHost {
  /** The text last read for each open file, and when that file had changed. */
  const watched = new Map<string, string>();
  const watch = (file: string): void => {
    if (watched.has(file)) return;
    const [oldest] = watched.size === MOST_WATCHED ? watched.keys() : [];
    if (oldest !== undefined) watched.delete(oldest);
    watched.set(file, changeOf(file));
  };
  const read = (uri: string): string | undefined => {
    const file = pathOf(uri);
    if (file !== undefined) watch(file);
    try {
      return file === undefined ? undefined : readFileSync(file, 'utf8');
    } catch {
      return undefined;
    }
  };
  return {
    read,
    nameOf: (uri) => path.basename(pathOf(uri) ?? uri),
    filesFor(uri) {
      const file = pathOf(uri);
      if (file === undefined) return undefined;
      const files = workflowFiles(path.basename(file), path.dirname(file));
      return {
        ...files,
        read(place) {
          watch(place.path);
          return files.read(place);
        },
      };
    },
    // Few clients tell of files that they have not opened, and none of those outside of the folder.
    onFileChange: (changed) => {
      setInterval(() => {
        if (![...watched].some(([file, before]) => changeOf(file) !== before)) return;
        watched.clear();
        changed();
      }, WATCH_EVERY).unref();
    },
    runCases: (open, name) => withCases(open, name, false, io, resultsOf),
    valuesIn: (open, name) => withCases(open, name, true, io, valuesOf),
  };
}

interface Runnable {
  readonly prepared: Extract<CoveredPreparation, { ok: true }>;
  readonly cases: readonly TestCase[];
  readonly engine: Engine;
  readonly signal: AbortSignal;
}

/** Prepares the text of a file, and the cases on disk: all, or the one with this name. @param trace whether runs report what they set */
async function withCases<T>(
  { uri, text }: OpenText,
  only: string | undefined,
  trace: boolean,
  io: Io,
  task: (given: Runnable) => Promise<T>,
): Promise<T | undefined> {
  const file = pathOf(uri);
  if (file === undefined) return undefined;
  const [name, cwd] = [path.basename(file), path.dirname(file)];
  let cases: readonly TestCase[];
  try {
    cases = readCases(name, cwd)?.cases.filter((one) => only === undefined || one.name === only) ?? [];
  } catch {
    // `wf test` says what is wrong with the cases.
    return undefined;
  }
  const prepared = cases.length === 0 ? undefined : await prepareWithCoverage(name, { cwd, trace, source: Buffer.from(text) });
  if (prepared?.ok !== true) return undefined;
  const engine = createEngine({ env: {}, mock: true });
  const signal = AbortSignal.timeout(LONGEST);
  try {
    const result = await task({ prepared, cases, engine, signal });
    return signal.aborted ? undefined : result;
  } catch (error) {
    io.stderr.write(`wf lsp: the cases of ${name} could not be run: ${error instanceof Error ? error.message : 'unknown'}\n`);
    return undefined;
  } finally {
    await engine.close();
  }
}

async function resultsOf({ prepared, cases, engine, signal }: Runnable): Promise<CaseResults> {
  const reached = new Set<number>();
  const results: CaseResults['cases'][number][] = [];
  for (const one of cases) {
    const onReach = (index: number): void => void reached.add(index);
    const { name, differences } = await runCase(engine, prepared.prepared, one, { onReach, signal });
    results.push({ name, differences, hasPassed: differences.length === 0 });
  }
  return { reachable: prepared.reachable, reached, cases: results };
}

async function valuesOf({ prepared, cases: [first], engine, signal }: Runnable): Promise<CaseValues | undefined> {
  if (first === undefined) return undefined;
  let request: unknown;
  const { checked, reachable } = prepared;
  const lines = await valuesBeside({
    checked,
    reachable,
    request: first.input,
    async execute(_request, { onReach, onLog }) {
      const { record } = await runCase(engine, prepared.prepared, first, {
        onReach: (index) => onReach?.(index, undefined),
        onLog: (entry) => onLog?.(entry),
        signal,
      });
      request = record.redactor.value(first.input);
      return record;
    },
  });
  return { name: first.name, lines: new Map([...lines].map(([line, { shown }]) => [line, shown])), request };
}
