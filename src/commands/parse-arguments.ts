// Parses the command line into a command with its arguments and options. Reports any mistake in one line, with the fix.
import { closest } from '../compiler/diagnostics/suggest.js';
import { UsageError } from '../engine/usage-error.js';
import { type CommandSpec, commands, type Values } from './command-table.js';
import { type SortedWords, sortWords } from './sort-words.js';

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
  const sorted = sortWords(command, rest);
  if (sorted.wantsHelp) return { kind: 'help', command };
  const values = checkOptions(command, rest, sorted);
  checkTargets(command, sorted.args);
  return { kind: 'command', command, targets: sorted.args, values };
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

/** Reports unknown options, missing values and repeated options. */
function checkOptions(command: CommandSpec, words: readonly string[], { options, unknown, stray }: SortedWords): Values {
  if (unknown !== undefined) throw unknownOption(nameBefore(unknown), command);
  const values: Record<string, string | true> = {};
  for (const { flag } of command.options) {
    const name = nameOf(flag);
    const key = camelCase(name);
    const value = options[key];
    if (value === undefined) continue;
    if (Array.isArray(value)) throw new UsageError(`${name} is given more than once.`);
    if (takesValue(flag) && typeof value !== 'string')
      throw new UsageError(`${name} needs a value: ${flag}`, valueHint(name, words));
    values[key] = typeof value === 'string' ? value : true;
  }
  if (stray !== undefined) {
    const word = words.find((written) => written.startsWith('-') && written.endsWith(`=${stray}`)) ?? '';
    throw new UsageError(`${nameBefore(word)} takes no value.`);
  }
  return values;
}

const nameBefore = (word: string): string => word.split('=')[0] ?? word;

/** For `--comment -x`: only an equals sign makes a value of what looks like an option. */
function valueHint(name: string, words: readonly string[]): string | undefined {
  const next = words[words.indexOf(name) + 1];
  return next?.startsWith('-') === true ? `If ${next} is the value, write ${name}=${next}` : undefined;
}

function unknownOption(name: string, { name: command, options }: CommandSpec): UsageError {
  const names = options.map(({ flag }) => nameOf(flag));
  return new UsageError(
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
