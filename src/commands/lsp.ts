// `wf lsp`: the language server on standard input and output, with the files and the cases of this machine.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createConnection, ResponseError, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { createEngine } from '../engine/engine.js';
import type { Io } from '../engine/io.js';
import { workflowFiles } from '../engine/prepare/workflow-files.js';
import { type CaseResults, type LanguageHost, serveLanguage } from '../language-server/language-server.js';
import { prepareWithCoverage } from '../testing/coverage.js';
import { readCases } from '../testing/read-cases.js';
import { runCase } from '../testing/run-cases.js';

/** Milliseconds for all cases of a file. */
const LONGEST = 5_000;

/** Ends when the client says so, or goes away. */
export async function lspCommand(io: Io): Promise<number> {
  const reader = new StreamMessageReader(io.stdin);
  // Unlike a stream for logs, it must never drop anything.
  const output = new Writable({
    write(chunk, _encoding, done) {
      io.stdout.write(chunk);
      done();
    },
  });
  const writer = new StreamMessageWriter(output);
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

function hostOf(io: Io): LanguageHost {
  const read = (uri: string): string | undefined => {
    const file = pathOf(uri);
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
      return file === undefined ? undefined : workflowFiles(path.basename(file), path.dirname(file));
    },
    async runCases(uri, name) {
      const file = pathOf(uri);
      return file === undefined ? undefined : runCasesOf(file, name, io);
    },
  };
}

async function runCasesOf(file: string, only: string | undefined, io: Io): Promise<CaseResults | undefined> {
  const where = { cwd: path.dirname(file), trace: false };
  let cases: NonNullable<ReturnType<typeof readCases>>['cases'];
  try {
    cases = readCases(path.basename(file), where.cwd)?.cases ?? [];
  } catch {
    // `wf test` says what is wrong with the cases.
    return undefined;
  }
  const prepared = cases.length === 0 ? undefined : await prepareWithCoverage(path.basename(file), where);
  if (prepared?.ok !== true) return undefined;
  const engine = createEngine({ env: {}, mock: true });
  const reached = new Set<number>();
  const results: CaseResults['cases'][number][] = [];
  const signal = AbortSignal.timeout(LONGEST);
  try {
    for (const one of cases.filter((known) => only === undefined || known.name === only)) {
      const { name, differences } = await runCase(engine, prepared.prepared, one, {
        onReach: (index) => void reached.add(index),
        signal,
      });
      results.push({ name, differences, hasPassed: differences.length === 0 });
    }
  } catch (error) {
    io.stderr.write(
      `wf lsp: the cases of ${path.basename(file)} could not be run: ${error instanceof Error ? error.message : 'unknown'}\n`,
    );
    return undefined;
  } finally {
    await engine.close();
  }
  return signal.aborted ? undefined : { reachable: prepared.reachable, reached, cases: results };
}
