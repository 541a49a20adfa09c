// Parses the command line into a command with its arguments and options. Reports any mistake in one line, with the fix.
import { closest } from '../compiler/diagnostics/suggest.js';
import { UsageError } from '../engine/usage-error.js';
import { type CommandSpec, commands, type OptionSpec, type Values } from './command-table.js';

export type Parsed =
  | { readonly kind: 'help'; readonly command: CommandSpec | undefined }
  | { readonly kind: 'command'; readonly command: CommandSpec; readonly targets: readonly string[]; readonly values: Values };

/** Options that can replace a command. */
const GLOBAL = ['--help', '--version'];

const nameOf = (flag: string): string => flag.split(' ')[0] ?? flag;
const takesValue = (flag: string): boolean => flag.includes('<');
const camelCase = (name: string): string =>
  name.replace(/^--/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const meant = (near: string | undefined): string => (near === undefined ? '' : ` Did you mean "${near}"?`);

/** @throws UsageError if a command, an option or an argument is wrong */
export function parseArguments(argv: readonly string[]): Parsed {
  const [name, ...rest] = argv;
  if (name === undefined) throw new UsageError('wf needs a command.', 'wf --help lists the commands.');
  if (name === '--help' || name === '-h' || name === 'help') {
    const of = rest.find((word) => word !== '--help' && word !== '-h');
    return { kind: 'help', command: of === undefined ? undefined : commandOf(of) };
  }
  if (name === '--version' || name === '-v') throw new UsageError(`${name} takes no arguments, but got "${rest[0]}".`);
  const command = commandOf(name);
  const read = readWords(rest, command);
  if (read === 'help') return { kind: 'help', command };
  checkTargets(command, read.targets);
  return { kind: 'command', command, ...read };
}

function commandOf(name: string): CommandSpec {
  const command = commands.find((known) => known.name === name);
  if (command !== undefined) return command;
  const what = name.startsWith('-') ? 'option' : 'command';
  const near = closest(name, what === 'option' ? GLOBAL : [...commands.map((known) => known.name), 'help', ...GLOBAL]);
  if (what === 'option' && commands.some(({ options }) => options.some(({ flag }) => nameOf(flag) === name)))
    throw new UsageError(`${name} must come after a command: wf <command> ${name}.`, 'wf --help lists the commands.');
  const hint = name.endsWith('.wf') ? `To run a workflow, type: wf run ${name}` : 'wf --help lists the commands.';
  throw new UsageError(`There is no ${what} "${name}".${meant(near)}`, hint);
}

/** Sorts words into targets and options, as written. Reports unknown options and missing values. */
function readWords(words: readonly string[], command: CommandSpec): { targets: string[]; values: Values } | 'help' {
  const targets: string[] = [];
  const values: Record<string, string | true> = {};
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') {
      targets.push(...words.slice(index + 1));
      break;
    }
    if (word === '--help' || word === '-h') return 'help';
    if (!word.startsWith('-') || word === '-') {
      targets.push(word);
      continue;
    }
    const equals = word.indexOf('=');
    const name = equals === -1 ? word : word.slice(0, equals);
    const { flag } = optionOf(name, command);
    const key = camelCase(name);
    if (values[key] !== undefined) throw new UsageError(`${name} is given more than once.`);
    if (!takesValue(flag)) {
      if (equals !== -1) throw new UsageError(`${name} takes no value.`);
      values[key] = true;
      continue;
    }
    const value = equals === -1 ? words[++index] : word.slice(equals + 1);
    if (value === undefined || (equals === -1 && command.options.some((option) => nameOf(option.flag) === value)))
      throw new UsageError(`${name} needs a value: ${flag}`);
    values[key] = value;
  }
  return { targets, values };
}

function optionOf(name: string, { name: command, options }: CommandSpec): OptionSpec {
  const option = options.find(({ flag }) => nameOf(flag) === name);
  if (option !== undefined) return option;
  const names = options.map(({ flag }) => nameOf(flag));
  throw new UsageError(
    `wf ${command} has no option "${name}".${meant(closest(name, names))}`,
    `wf ${command} --help lists its options.`,
  );
}

function checkTargets({ name, argument, example }: CommandSpec, targets: readonly string[]): void {
  const what = argument.replace(/[<>[\].]/g, '').replace('target', 'file or folder');
  const [first, second] = targets;
  if (first === undefined && argument.startsWith('<'))
    throw new UsageError(`wf ${name} needs a ${what}.`, `For example: ${example}`);
  if (second !== undefined && !argument.includes('...'))
    throw new UsageError(
      `wf ${name} takes ${what === '' ? 'no arguments' : `one ${what}`}, but got "${second}".`,
      `For example: ${example}`,
    );
}
