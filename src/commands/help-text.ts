// Writes the help of the program and its commands from the cac program.
import { commands } from './command-table.js';
import type { Command, Program } from './program.js';

/** @param command without one, the text of `wf --help` */
export const helpText = (program: Program, command: Command | undefined): string =>
  command === undefined ? generalHelp(program) : commandHelp(command);

type Row = readonly [first: string, second: string];

const columns = (rows: readonly Row[]): string => {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`).join('\n');
};

const rowOf = ({ rawName, description }: Command['options'][number]): Row => [rawName, description];

const generalHelp = ({
  commands,
  globalCommand,
}: Program): string => `wf ${WF_VERSION}: business processes in plain English, run as written

Usage: wf <command> [options]

Commands:
${columns(commands.map(({ usageText = '', description }) => [usageText, description]))}

Options:
${columns(globalCommand.options.map(rowOf))}

Example:
  wf run order.wf --input '{"total": 120}'`;

function commandHelp({ name, usageText = '', description, options, examples }: Command): string {
  const { actions } = commands.find((spec) => spec.name === name) ?? {};
  return `wf ${name}: ${description}

Usage: wf ${usageText} [options]
${actions === undefined ? '' : `\nActions:\n${columns(actions.map(({ flag, text }) => [flag, text]))}\n`}
Options:
${columns([...options.map(rowOf), ['-h, --help', 'Show this help']])}

Example:
  ${examples.join('\n  ')}`;
}
