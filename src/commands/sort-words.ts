// Sorts the words after a command into arguments and options with cac, using the options in the command table. `help-text.ts` and
// `parse-arguments.ts` print help and errors, which cac would print in its own words.
import { CAC } from 'cac';
import type { CommandSpec } from './command-table.js';

export interface SortedWords {
  readonly args: readonly string[];
  /** By name in camel case. An option without a value is `true`; one that occurs several times has a list. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The first option that the command doesn't have. */
  readonly unknown?: string;
  /** The value given to a flag that takes none: `yes` in `--json=yes`. */
  readonly stray?: string;
  readonly wantsHelp: boolean;
}

/** Marks a word as a value: cac would read `007` as a number and `-5` as an option. */
const VALUE = '\u0001';
/** Marks a value joined to its option by an equals sign. cac would make it an argument if the option takes no value. */
const JOINED = '\u0002';

const HELP = ['--help', '-h'];

/** Words like `-5`, `- a note` and `-` are values. */
const isOption = (word: string): boolean => /^--?[^\s\d-]/.test(word);

class Program extends CAC {
  wantsHelp = false;

  override outputHelp(): void {
    this.wantsHelp = true;
  }
}

/** `<target...>` as cac writes it: `[...target]`, optional, because `parse-arguments.ts` reports what is missing. */
const argumentOf = (argument: string): string =>
  argument === '' ? '' : ` [${argument.includes('...') ? '...' : ''}${argument.replace(/[<>[\].]/g, '')}]`;

/** Declares one command only, because cac parses the words again for each command it knows. */
function declare({ name, argument, text, options }: CommandSpec): Program {
  const program = new Program('wf');
  program.help();
  const command = program.command(`${name}${argumentOf(argument)}`, text).allowUnknownOptions();
  for (const option of options) command.option(option.flag, option.text);
  return program;
}

const marked = (word: string): string => (isOption(word) ? word.replace('=', `=${JOINED}`) : VALUE + word);

const unmarked = (value: unknown): unknown =>
  typeof value === 'string' && (value.startsWith(VALUE) || value.startsWith(JOINED)) ? value.slice(1) : value;

/** Whether `command` has the option of this word. cac would also accept `--no-strict`, `--strict.x` and single letters. */
function isKnown(word: string, command: CommandSpec): boolean {
  const name = word.split('=')[0];
  return [...HELP, ...command.options.map(({ flag }) => flag.split(' ')[0])].includes(name);
}

/** Sorts `words`, which follow the name of `command` on the command line. */
export function sortWords(command: CommandSpec, words: readonly string[]): SortedWords {
  const end = words.indexOf('--');
  const before = end === -1 ? words : words.slice(0, end);
  const unknown = before.find((word) => isOption(word) && !isKnown(word, command));
  if (unknown !== undefined) return { args: [], options: {}, unknown, wantsHelp: false };
  // Without options, cac would take longer to start than the rest of the command line.
  if (!words.some((word) => word.startsWith('-'))) return { args: words, options: {}, wantsHelp: false };
  const program = declare(command);
  const parsed = program.parse(['node', 'wf', command.name, ...before.map(marked), ...words.slice(before.length)], {
    run: false,
  });
  const { '--': rest, ...options } = parsed.options;
  const stray = parsed.args.find((word) => word.startsWith(JOINED));
  return {
    args: [...parsed.args.map((word) => String(unmarked(word))), ...rest],
    options: Object.fromEntries(Object.entries(options).map(([name, value]) => [name, unmarked(value)])),
    ...(stray === undefined ? {} : { stray: stray.slice(1) }),
    wantsHelp: program.wantsHelp,
  };
}
