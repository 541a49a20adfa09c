// The program: the only place that knows the process. Wires a command to its streams, its environment and the signals, and turns its
// result into an exit code. Loads nothing that a command does not need.
import { writeSync } from 'node:fs';
import type { Io, StopSignal } from './commands/io.js';

/** Exit code of a process that was interrupted twice. */
const INTERRUPTED = 130;

/** The streams of the process are set up at their first use only: that takes longer than the work of a small command. */
const opened = new Set<'stdout' | 'stderr'>();

function open(name: 'stdout' | 'stderr'): NodeJS.WriteStream {
  const stream = process[name];
  if (!opened.has(name)) {
    opened.add(name);
    // A reader that goes away (`wf run … | head`) ends the output, not the run.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  return stream;
}

function isColoured(name: 'stdout' | 'stderr'): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0' && FORCE_COLOR !== 'false') return true;
  return (NO_COLOR ?? '') === '' && FORCE_COLOR === undefined && TERM !== 'dumb' && open(name).isTTY === true;
}

const shell: Io = {
  cwd: process.cwd(),
  env: process.env,
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return open('stdout');
  },
  get stderr() {
    return open('stderr');
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
  const { keepCode } = await import('./load-chunk.js');
  keepCode();
  await Promise.all([...opened].map((name) => new Promise<void>((resolve) => void process[name].write('', () => resolve()))));
  process.exit(code);
}

if (process.argv[2] === '--version' || process.argv[2] === '-v') {
  // Not through process.stdout, for the same reason.
  writeSync(1, `${WF_VERSION}\n`);
} else {
  import('./commands/dispatch.js')
    .then(({ dispatch }) => dispatch(process.argv.slice(2), shell))
    .catch(report)
    .then(end);
}
