// The program: connects a command to the process (streams, environment, signals) and turns its result into an exit code. Nothing else
// touches the process. Loads only what the command needs.
import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { oneLine } from '../runtime/values/one-line.js';
import { keepCode } from './engine/cache/code-cache.js';
import type { Io, Output, OutputWrap, StopSignal } from './engine/io.js';
import { UsageError } from './engine/usage-error.js';
import { cachingRequire, keepChunks } from './load-chunk.js';
import { hasCode, syncStdio } from './sync-stdio.js';

// From here on, the chunks that this file imports come through the code cache.
// biome-ignore lint/suspicious/noGlobalAssign: in CommonJS, which this becomes, it is a parameter of this file alone
require = cachingRequire(require);

/** Exit code after a second interrupt. */
const INTERRUPTED = 130;

/**
 * Milliseconds that readers of the last lines get. After that, servers and schedules exit; other commands can be ended by a
 * signal.
 */
const LAST_LINES_MS = 1_000;

/** Milliseconds after which most servers and schedules have started, and have time for other things. */
const STARTED_MS = 300;

type Name = 'stdout' | 'stderr';

const outputs = new Map<Name, Output>();
const streams = new Map<Name, NodeJS.WriteStream>();
/** The reason why a write to a stream failed. */
let failure: unknown;
/** Whether the command runs until stopped: a server or a schedule. */
let isLasting = false;

/** Transforms everything that is printed, unless it is printed as it is. */
let wrap: OutputWrap | undefined;

/** Opens an output on first use. */
function output(name: Name): Output {
  const known = outputs.get(name);
  if (known !== undefined) return known;
  const opened = syncStdio(name === 'stdout' ? 1 : 2, () => stream(name)) ?? stream(name);
  outputs.set(name, opened);
  return opened;
}

function stream(name: Name): NodeJS.WriteStream {
  const known = streams.get(name);
  if (known !== undefined) return known;
  const opened = process[name];
  streams.set(name, opened);
  // A reader that goes away (`wf run … | head`) ends the output, not the run.
  opened.on('error', (error) => {
    if (!hasCode(error, 'EPIPE')) failure ??= error;
  });
  return opened;
}

/** An output that drops lines it can't write. Reports the first lost line at once, because the command may run for months. */
async function lasting(name: Name): Promise<Writable> {
  if (!isLasting) setTimeout(keepChunks, STARTED_MS).unref();
  isLasting = true;
  const { lossyFileStream } = await import('./commands/lossy-file-stream.js');
  const onLost = async (reason: unknown): Promise<void> => {
    const { fileFault } = await import('./engine/files/file-fault.js');
    const [what, other]: [string, Name] = name === 'stdout' ? ['standard output', 'stderr'] : ['standard error', 'stdout'];
    shell[other].write(`wf: ${what} can't be written: ${fileFault(reason)}. Output is lost until it can be written again.\n`);
  };
  return lossyFileStream(name === 'stdout' ? 1 : 2, (reason) => void onLost(reason)) ?? stream(name);
}

function isColoured(name: Name): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0' && FORCE_COLOR !== 'false') return true;
  return (NO_COLOR ?? '') === '' && FORCE_COLOR === undefined && TERM !== 'dumb' && output(name).isTTY === true;
}

/** A shell can stay in a folder after someone has deleted it. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('The current folder no longer exists.', 'Change to another folder.');
  }
}

const shell: Io = {
  get cwd() {
    return currentFolder();
  },
  env: process.env,
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return wrap?.(output('stdout'), 'info') ?? output('stdout');
  },
  get stderr() {
    return wrap?.(output('stderr'), 'error') ?? output('stderr');
  },
  stream: lasting,
  printThrough(given) {
    wrap = given;
  },
  colour: {
    get stdout() {
      return isColoured('stdout');
    },
    get stderr() {
      return isColoured('stderr');
    },
  },
  onStop,
};

function onStop(callback: (signal: StopSignal, count: number) => void): () => void {
  let count = 0;
  let isOver = false;
  const listen = (signal: NodeJS.Signals): void => {
    // The command has finished: a late signal must not turn its clean exit into a failure.
    if (isOver) return;
    count++;
    if (count > 1) process.exit(INTERRUPTED);
    callback(signal === 'SIGTERM' ? 'SIGTERM' : 'SIGINT', count);
  };
  process.on('SIGINT', listen);
  process.on('SIGTERM', listen);
  return () => {
    isOver = true;
  };
}

/** `EX_TEMPFAIL` of sysexits.h. */
const TEMPORARY_FAILURE = 75;

/** Prints what went wrong. The stack only appears with WF_DEBUG=1. */
function report(error: unknown): number {
  const isUsage = error instanceof UsageError;
  const text = error instanceof Error ? error.message : String(error);
  const message = isUsage ? text : oneLine(text.split('\n')[0] ?? '');
  const hint = isUsage && error.hint !== undefined ? `\n\n    Hint: ${error.hint.replaceAll('\n', '\n    ')}` : '';
  const plain = hint.replace(/\s+/g, ' ');
  if (wrap !== undefined) shell.stderr.write(isUsage ? `${message}${plain}` : `Internal error: ${message}`);
  else shell.stderr.write(isUsage ? `wf: ${message}${hint}\n` : `wf: internal error: ${message}\n`);
  if (process.env.WF_DEBUG === '1' && error instanceof Error) shell.stderr.write(`${error.stack ?? ''}\n`);
  else if (!isUsage)
    shell.stderr.write('    This is a bug in wf, not in your workflow. Set WF_DEBUG=1 to see where it happened.\n');
  if (!isUsage) return 1;
  return error.mayPass ? TEMPORARY_FAILURE : 2;
}

/** Flushes the output, saves the code cache and exits, even if kept-alive connections are still open. */
async function end(code: number): Promise<void> {
  process.exitCode = code;
  keepCode();
  if (streams.size > 0) await lastLines();
  const faults = [failure, ...[...outputs.values()].map((direct) => 'failure' in direct && direct.failure)];
  const problem = faults.find((found) => found instanceof Error);
  if (problem === undefined) process.exit(code);
  const { fileFault } = await import('./engine/files/file-fault.js');
  shell.stderr.write(`wf: the output of this command could not be written: ${fileFault(problem)}.\n`);
  process.exit(code || 1);
}

/** Waits until the readers of the streams have everything. */
async function lastLines(): Promise<void> {
  const written = [...streams.values()].map((opened) => new Promise<void>((resolve) => void opened.write('', () => resolve())));
  const late = new Promise((resolve) => setTimeout(resolve, LAST_LINES_MS));
  if (!isLasting) late.then(() => process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM'));
  await Promise.race([Promise.all(written), ...(isLasting ? [late] : [])]);
}

/** Avoids `process.stdout`, which takes longer to create than everything else here. */
function printVersion(): void {
  try {
    writeSync(1, `${WF_VERSION}\n`);
  } catch (error) {
    if (!hasCode(error, 'EPIPE')) failure = error;
    void end(0);
  }
}

// Last, because it uses everything above.
const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === '--version' || words[0] === '-v')) printVersion();
else
  import('./commands/dispatch.js')
    .then(({ dispatch }) => dispatch(words, shell))
    .catch(report)
    .then(end);
