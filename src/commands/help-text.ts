// Turns the table of commands into help texts.
import { type CommandSpec, commands, type OptionSpec } from './command-table.js';

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`).join('\n');
};

const HELP: OptionSpec = { flag: '--help', text: 'Show this help' };

/** The text of `wf --help`. */
export const generalHelp = (): string => `wf ${WF_VERSION}: business processes in plain English, run as written

Usage: wf <command> [options]

Commands:
${columns(commands.map(({ name, argument, text }) => [`${name} ${argument}`.trim(), text]))}

Options:
${columns([
  ['--help', 'Show this help; wf <command> --help lists the options of a command'],
  ['--version', 'Show the version'],
])}

Example:
  wf run order.wf --input '{"total": 120}'`;

/** The text of `wf <command> --help`. */
export const commandHelp = ({ name, argument, text, example, options, actions }: CommandSpec): string => `wf ${name}: ${text}

Usage: wf ${[name, argument, '[options]'].filter((part) => part !== '').join(' ')}
${actions === undefined ? '' : `\nActions:\n${columns(actions.map(({ flag, text: meaning }) => [flag, meaning]))}\n`}
Options:
${columns([...options, HELP].map(({ flag, text: meaning }) => [flag, meaning]))}

Example:
  ${example}`;
