// The program: the only place that knows the process. Wires a command to its streams, its environment and the signals, and turns its
// result into an exit code. Loads nothing that a command does not need.
import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { directOutput, hasCode } from './commands/direct-output.js';
import type { Io, Output, StopSignal } from './commands/io.js';
import { keepCode } from './load-chunk.js';

/** Exit code of a process that was interrupted twice. */
const INTERRUPTED = 130;

/** Milliseconds that the readers of the last lines may take before a server or a schedule ends without them, and any other command by a signal. */
const LAST_LINES_MS = 1_000;

type Name = 'stdout' | 'stderr';

const outputs = new Map<Name, Output>();
const streams = new Map<Name, NodeJS.WriteStream>();
/** Why a stream could not take what was written. */
let failure: unknown;
/** Whether the command is one that goes on for long. */
let isLasting = false;

/** Opened at the first use only. */
function output(name: Name): Output {
  const known = outputs.get(name);
  if (known !== undefined) return known;
  const opened = directOutput(name === 'stdout' ? 1 : 2, () => stream(name)) ?? stream(name);
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

/** What begins to be lost is told at once: the command may go on for months. */
async function lasting(name: Name): Promise<Writable> {
  isLasting = true;
  const { lastingStream } = await import('./commands/lasting-stream.js');
  const onLost = async (reason: unknown): Promise<void> => {
    const { fileFault } = await import('./engine/file-fault.js');
    const [what, other]: [string, Name] = name === 'stdout' ? ['standard output', 'stderr'] : ['standard error', 'stdout'];
    output(other).write(`wf: ${what} cannot be written: ${fileFault(reason)}. What is printed until it can is lost.\n`);
  };
  return lastingStream(name === 'stdout' ? 1 : 2, (reason) => void onLost(reason)) ?? stream(name);
}

function isColoured(name: Name): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0' && FORCE_COLOR !== 'false') return true;
  return (NO_COLOR ?? '') === '' && FORCE_COLOR === undefined && TERM !== 'dumb' && output(name).isTTY === true;
}

/** A folder that was removed is still the current one of its shell. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw Object.assign(new Error('The current folder is not there any more.'), {
      name: 'UsageError',
      hint: 'Change to another one.',
    });
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
    return output('stdout');
  },
  get stderr() {
    return output('stderr');
  },
  stream: lasting,
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
    // What the command had to do is done: a signal that comes now must not turn a clean end into a broken one.
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

/** What went wrong, for the person at the terminal; a stack only where it was asked for. */
function report(error: unknown): number {
  const isUsage = error instanceof Error && error.name === 'UsageError';
  const message = error instanceof Error ? error.message : String(error);
  const hint =
    isUsage && 'hint' in error && typeof error.hint === 'string' ? `\n\n    Hint: ${error.hint.replaceAll('\n', '\n    ')}` : '';
  shell.stderr.write(
    isUsage ? `wf: ${message}${hint}\n` : `wf: something went wrong inside wf itself: ${message.split('\n')[0] ?? ''}\n`,
  );
  if (process.env.WF_DEBUG === '1' && error instanceof Error) shell.stderr.write(`${error.stack ?? ''}\n`);
  else if (!isUsage)
    shell.stderr.write('    This is a mistake in wf, not in your workflow. WF_DEBUG=1 shows where it happened.\n');
  return isUsage ? 2 : 1;
}

/** Writes what is left, keeps what speeds up the next start, and ends: connections that are kept alive must not keep the process. */
async function end(code: number): Promise<void> {
  process.exitCode = code;
  keepCode();
  const written = [...streams.values()].map((opened) => new Promise<void>((resolve) => void opened.write('', () => resolve())));
  const late = new Promise((resolve) => setTimeout(resolve, LAST_LINES_MS));
  if (!isLasting) late.then(() => process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM'));
  await Promise.race([Promise.all(written), ...(isLasting ? [late] : [])]);
  const faults = [failure, ...[...outputs.values()].map((direct) => 'failure' in direct && direct.failure)];
  const problem = faults.find((found) => found instanceof Error);
  if (problem === undefined) process.exit(code);
  const { fileFault } = await import('./engine/file-fault.js');
  shell.stderr.write(`wf: what this command prints could not be written: ${fileFault(problem)}.\n`);
  process.exit(code || 1);
}

/** Not through `process.stdout`, which takes longer to set up than all the rest. */
function printVersion(): void {
  try {
    writeSync(1, `${WF_VERSION}\n`);
  } catch (error) {
    if (!hasCode(error, 'EPIPE')) failure = error;
    void end(0);
  }
}

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === '--version' || words[0] === '-v')) printVersion();
else
  import('./commands/dispatch.js')
    .then(({ dispatch }) => dispatch(words, shell))
    .catch(report)
    .then(end);
