// The words of the command line → the command that they name, with its environment. One part of the program, so that every start
// loads it with one file.
import { loadEnvironment } from '../engine/environment.js';
import { commandHelp, generalHelp } from './help-text.js';
import type { Io } from './io.js';
import { parseArguments } from './parse-arguments.js';

/** Runs the command that `argv` names; `shell.env` is what the shell sets. Gives the exit code. */
export async function dispatch(argv: readonly string[], shell: Io): Promise<number> {
  const parsed = parseArguments(argv);
  if (parsed.kind === 'help') {
    shell.stdout.write(`${parsed.command === undefined ? generalHelp() : commandHelp(parsed.command)}\n`);
    return 0;
  }
  const env = await loadEnvironment(shell.cwd, shell.env);
  // Not a copy: its streams are set up where they are read.
  const io: Io = Object.create(shell, { env: { value: env } });
  return parsed.command.run(parsed.targets, parsed.values, io);
}
