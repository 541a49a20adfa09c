// Runs a built module as a program: `node order.mjs --input '{…}'`.
import { exitCodeOf, responseJson } from './run/to-outcome.js';
import { noConnector } from './services/connector-errors.js';
import { type Connectors, connectedKinds } from './services/connector-types.js';
import type { RunFunction, WfRecord } from './types.js';
import { parseJson } from './values/json.js';
import { oneLine } from './values/one-line.js';

/**
 * Runs the workflow if its module is the program that was started, and does nothing otherwise. Prints the response as one line
 * of JSON, and log lines to standard error. Exit codes: 0 completed, 1 error, 2 wrong usage, 3 rejected, 130 interrupted twice.
 * @param moduleUrl `import.meta.url` of the module
 */
export async function runAsProgram(moduleUrl: string, run: RunFunction): Promise<void> {
  const program = process.argv[1];
  if (program === undefined || !(await isSameFile(program, moduleUrl))) return;
  const input = inputOf(process.argv.slice(2));
  if (!input.ok) {
    process.stderr.write(`${input.message}\n`);
    process.exitCode = 2;
    return;
  }
  const stop = new AbortController();
  const interrupt = (): void => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort(new Error('interrupted'));
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const connectors = installedConnectors(moduleUrl);
  const outcome = await run(input.request, {
    env: process.env,
    connectors,
    folder: await folderOf(moduleUrl),
    signal: stop.signal,
    keepLog: false,
    requestIsPlain: true,
    onLog: (entry) => {
      if (entry.type === 'log') process.stderr.write(`${oneLine(entry.message ?? '')}\n`);
    },
  });
  await connectors.close();
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  // The reader may have gone, which is not a failure of the run.
  process.stdout.on('error', () => undefined);
  process.stdout.write(`${responseJson(outcome)}\n`);
  // As `wf run` exits: nothing ran.
  process.exitCode = outcome.error?.problems === undefined ? exitCodeOf(outcome) : 2;
}

async function folderOf(moduleUrl: string): Promise<string> {
  const { fileURLToPath } = await import('node:url');
  return fileURLToPath(new URL('.', moduleUrl)).replace(/(?<=.)[/\\]$/, '');
}

async function isSameFile(program: string, moduleUrl: string): Promise<boolean> {
  // Imported only when needed: importing node:fs makes Node.js load its streams before anything runs.
  const [{ realpathSync }, { fileURLToPath }] = await Promise.all([import('node:fs'), import('node:url')]);
  try {
    return realpathSync(program) === realpathSync(fileURLToPath(moduleUrl));
  } catch {
    // Node.js never resolves `node order` to `order.mjs`. If it is not a file, it is not this one.
    return false;
  }
}

type Input = { readonly ok: true; readonly request: WfRecord } | { readonly ok: false; readonly message: string };

function inputOf(argv: readonly string[]): Input {
  const [first = '', second] = argv;
  if (argv.length === 0) return { ok: true, request: {} };
  const text = first.startsWith('--input=') ? first.slice('--input='.length) : second;
  const count = first.startsWith('--input=') ? 1 : 2;
  if (!/^--input(=|$)/.test(first) || text === undefined || argv.length > count) {
    return {
      ok: false,
      message: `This workflow takes --input '{ … }' and nothing else, but got: ${oneLine(argv.join(' '))}`,
    };
  }
  const parsed = parseJson(text);
  if (!parsed.ok) {
    return {
      ok: false,
      message: `The text after --input is not valid JSON: ${parsed.message} (line ${parsed.line}, column ${parsed.column})`,
    };
  }
  const { value } = parsed;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ok: true, request: value };
  return { ok: false, message: `The text after --input must be a JSON object, such as '{ "id": 7 }'.` };
}

interface Closable extends Connectors {
  close(): Promise<void>;
}

/** @param moduleUrl `import.meta.url` of the module, where the search for the package begins */
function installedConnectors(moduleUrl: string): Closable {
  let found: Promise<Closable | undefined> | undefined;
  return {
    async perform(task, cancellation) {
      found ??= find(moduleUrl);
      return (await found)?.perform(task, cancellation) ?? noConnector(connectedKinds[task.kind]);
    },
    async close() {
      await (await found)?.close();
    },
  };
}

async function find(moduleUrl: string): Promise<Closable | undefined> {
  const { createRequire } = await import('node:module');
  try {
    // Required by path rather than imported, because bundlers would try to resolve an import.
    const { createConnectors } = createRequire(moduleUrl)('wf-lang');
    return typeof createConnectors === 'function' ? createConnectors() : undefined;
  } catch {
    return undefined;
  }
}
