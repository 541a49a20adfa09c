// The program: the only place that knows the process. Wires a command to its streams, its environment and the signals, and turns its
// result into an exit code. Loads nothing that a command does not need.
import type { Io, StopSignal } from './commands/io.js';

/** Exit code of a process that was interrupted twice. */
const INTERRUPTED = 130;

const isColoured = (stream: { readonly isTTY?: boolean }): boolean => {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0' && FORCE_COLOR !== 'false') return true;
  return stream.isTTY === true && (NO_COLOR ?? '') === '' && FORCE_COLOR === undefined && TERM !== 'dumb';
};

function onStop(callback: (signal: StopSignal, count: number) => void): () => void {
  let count = 0;
  const listen = (signal: NodeJS.Signals): void => {
    count++;
    if (count > 1) process.exit(INTERRUPTED);
    callback(signal === 'SIGTERM' ? 'SIGTERM' : 'SIGINT', count);
  };
  process.on('SIGINT', listen);
  process.on('SIGTERM', listen);
  return () => {
    process.off('SIGINT', listen);
    process.off('SIGTERM', listen);
  };
}

async function main(argv: readonly string[]): Promise<number> {
  const { parseArguments } = await import('./commands/parse-arguments.js');
  const parsed = parseArguments(argv);
  if (parsed.kind === 'help') {
    const { commandHelp, generalHelp } = await import('./commands/help-text.js');
    process.stdout.write(`${parsed.command === undefined ? generalHelp() : commandHelp(parsed.command)}\n`);
    return 0;
  }
  const { loadEnvironment } = await import('./engine/environment.js');
  const cwd = process.cwd();
  const env = await loadEnvironment(cwd, process.env);
  const io: Io = {
    cwd,
    env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    colour: { stdout: isColoured(process.stdout), stderr: isColoured(process.stderr) },
    onStop,
  };
  return parsed.command.run(parsed.targets, parsed.values, io);
}

/** What went wrong, for the person at the terminal; a stack only where it was asked for. */
function report(error: unknown): number {
  const isUsage = error instanceof Error && error.name === 'UsageError';
  const message = error instanceof Error ? error.message : String(error);
  const hint = isUsage && 'hint' in error && typeof error.hint === 'string' ? `\n\n    Hint: ${error.hint.replaceAll('\n', '\n    ')}` : '';
  process.stderr.write(isUsage ? `wf: ${message}${hint}\n` : `wf: something went wrong inside wf itself: ${message.split('\n')[0] ?? ''}\n`);
  if (process.env.WF_DEBUG === '1' && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`);
  else if (!isUsage) process.stderr.write('    This is a mistake in wf, not in your workflow. WF_DEBUG=1 shows where it happened.\n');
  return isUsage ? 2 : 1;
}

// A reader that goes away (`wf run … | head`) ends the output, not the run.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

if (process.argv[2] === '--version' || process.argv[2] === '-v') {
  process.stdout.write(`${WF_VERSION}\n`);
} else {
  main(process.argv.slice(2))
    .catch(report)
    .then((code) => {
      process.exitCode = code;
      // Connections that are kept alive must not keep the process; what was written is on its way first.
      process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
    });
}
