// Declares the command line as one cac program, made from the command table. Parsing and help texts read it;
// completion also needs the values that the table lists.
import { CAC, type Command } from 'cac';
import type { CommandSpec } from './command-spec.js';
import { commands } from './command-table.js';

export type { Command } from 'cac';

/** The program leaves it to others to print help and the version. */
export class Program extends CAC {
  /** Whether the parsed words ask for help. */
  wantsHelp = false;

  override outputHelp(): void {
    this.wantsHelp = true;
  }

  override outputVersion(): void {}

  /** The command with this name. */
  commandCalled(name: string): Command | undefined {
    return this.commands.find((command) => command.isMatched(name));
  }
}

/** `<target...>` as cac writes it: `[...target]`. Optional, so that a missing one is reported in our words. */
const argumentOf = (argument: string): string =>
  argument === '' ? '' : ` [${argument.includes('...') ? '...' : ''}${argument.replace(/[<>[\].]/g, '')}]`;

function declare(program: Program, { name, argument, text, example, options }: CommandSpec): void {
  const command = program
    .command(`${name}${argumentOf(argument)}`, text)
    .usage(`${name} ${argument}`.trim())
    .example(example);
  for (const { flag, text: meaning } of options) command.option(flag, meaning);
}

/** @param name a command: the program has only this one, because declaring all takes two milliseconds. Another word, or none, declares all. */
export function createProgram(name?: string): Program {
  const program = new Program('wf');
  program.help().version(WF_VERSION);
  const named = commands.filter((spec) => spec.name === name);
  for (const spec of named.length > 0 ? named : commands) declare(program, spec);
  const texts = { help: 'Show this help; wf <command> --help lists the options of a command', version: 'Show the version' };
  for (const option of program.globalCommand.options) option.description = option.name === 'help' ? texts.help : texts.version;
  return program;
}
