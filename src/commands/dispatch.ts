// Finds the command that the command line names and runs it. Every start loads this file and what it imports as a single chunk.

import { deriveIo, type Io } from '../engine/io.js';
import { loadEnvironment } from '../engine/prepare/environment.js';
import { parseArguments } from './parse-arguments.js';

/** Runs the command that `argv` names and returns the exit code. `shell.env` is the environment before `.env` is read. */
export async function dispatch(argv: readonly string[], shell: Io): Promise<number> {
  const parsed = parseArguments(argv);
  if (parsed.kind === 'help') {
    const { commandHelp, generalHelp } = await import('./help-text.js');
    shell.stdout.write(`${parsed.command === undefined ? generalHelp() : commandHelp(parsed.command)}\n`);
    return 0;
  }
  const env = await loadEnvironment(shell.cwd, shell.env);
  return parsed.command.run(parsed.targets, parsed.values, deriveIo(shell, { env }));
}
