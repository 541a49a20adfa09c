// Parses the command line with the cac program and runs the command that it names. Reports any mistake in one line, with the fix. Every
// start loads this file and what it imports as a single chunk.
import { closest } from '../compiler/diagnostics/suggest.js';
import { deriveIo, type Io } from '../engine/io.js';
import { loadEnvironment } from '../engine/prepare/environment.js';
import { UsageError } from '../engine/usage-error.js';
import type { CommandSpec, Values } from './command-spec.js';
import { commands } from './command-table.js';
import { type Command, createProgram, type Program } from './program.js';

type Parsed =
  | { readonly kind: 'help'; readonly program: Program; readonly command: Command | undefined }
  | { readonly kind: 'command'; readonly command: CommandSpec; readonly targets: readonly string[]; readonly values: Values };

/** Runs the command that `argv` names and returns the exit code. `shell.env` is the environment before `.env` is read. */
export async function dispatch(argv: readonly string[], shell: Io): Promise<number> {
  const parsed = parseArguments(argv);
  if (parsed.kind === 'help') {
    const { helpText } = await import('./help-text.js');
    shell.stdout.write(`${helpText(parsed.program, parsed.command)}\n`);
    return 0;
  }
  const env = await loadEnvironment(shell.cwd, shell.env);
  return parsed.command.run(parsed.targets, parsed.values, deriveIo(shell, { env }));
}

/** @throws UsageError if a command, an option or an argument is wrong */
export function parseArguments(argv: readonly string[]): Parsed {
  const [name, ...rest] = argv;
  const program = createProgram(name);
  if (name === undefined) throw new UsageError('wf needs a command.', 'wf --help lists the commands.');
  if (name === '--help' || name === '-h' || name === 'help') {
    const of = rest.find((word) => word !== '--help' && word !== '-h');
    return { kind: 'help', program, command: of === undefined ? undefined : find(program, of) };
  }
  if (name === '--version' || name === '-v') throw new UsageError(`${name} takes no arguments, but got "${rest[0]}".`);
  const command = find(program, name);
  const words = readable(rest, command);
  refuseOptions(words.options, command);
  const { args, options } = program.parse(['node', 'wf', name, ...words.args, ...words.options, '--', ...words.rest], {
    run: false,
  });
  if (program.wantsHelp) return { kind: 'help', program, command };
  const values = valuesOf(options, words.options, command, rest);
  const spec = specOf(command);
  const targets = [...args, ...words.rest];
  checkTargets(spec, targets);
  checkAction(spec, targets, words.options);
  return { kind: 'command', command: spec, targets, values };
}

/** @throws UsageError for a command that there is not */
function find(program: Program, name: string): Command {
  const command = program.commandCalled(name);
  if (command !== undefined) return command;
  const globals = ['--help', '--version'];
  const isOfCommand = program.commands.some(({ options }) => options.some(({ rawName }) => flagOf(rawName) === name));
  if (isOfCommand)
    throw new UsageError(`${name} must come after a command: wf <command> ${name}.`, 'wf --help lists the commands.');
  const what = name.startsWith('-') ? 'option' : 'command';
  const near = closest(name, what === 'option' ? globals : [...program.commands.map((known) => known.name), 'help', ...globals]);
  const hint = name.endsWith('.wf') ? `To run a workflow, type: wf run ${name}` : 'wf --help lists the commands.';
  throw new UsageError(`There is no ${what} "${name}".${meant(near)}`, hint);
}

function specOf({ name }: Command): CommandSpec {
  const spec = commands.find((known) => known.name === name);
  if (spec === undefined) throw new Error(`The command ${name} is not in the table.`);
  return spec;
}

const flagOf = (rawName: string): string => rawName.split(' ')[0] ?? rawName;
const meant = (near: string | undefined): string => (near === undefined ? '' : ` Did you mean "${near}"?`);

/** Words like `-5`, `- a note` and `-` are values. */
const isOption = (word: string): boolean => /^--?[^\s\d-]/.test(word);

const optionCalled = (name: string, { options }: Command): Command['options'][number] | undefined =>
  options.find(({ rawName }) => flagOf(rawName) === name);

interface Words {
  readonly args: readonly string[];
  /** Each with its value behind an equals sign. */
  readonly options: readonly string[];
  /** From the first argument that begins with a hyphen. */
  readonly rest: readonly string[];
}

/** Sorts words so that cac reads each as what it is: it would take `-5` for an option, and an argument for the value of `--input=`. */
function readable(words: readonly string[], command: Command): Words {
  const end = words.indexOf('--');
  const before = end === -1 ? words : words.slice(0, end);
  const [args, options, rest]: [string[], string[], string[]] = [[], [], []];
  for (let index = 0; index < before.length; index++) {
    const word = before[index] ?? '';
    if (isOption(word)) {
      const next = before[index + 1];
      const { required } = optionCalled(word, command) ?? {};
      // A value that may be left out is a number of a line, or several: any other word is an argument.
      const takes = required === true || (required === false && /^\d[\d,]*$/.test(next ?? ''));
      const takesNext = takes && next !== undefined && !isOption(next);
      options.push(takesNext ? `${word}=${next}` : word);
      if (takesNext) index++;
    } else if (rest.length > 0 || word.startsWith('-')) rest.push(word);
    else args.push(word);
  }
  return { args, options, rest: [...rest, ...words.slice(before.length + 1)] };
}

/** Refuses what cac would accept: single letters, `--no-strict`, `--strict.x`, `--strict=yes`. */
function refuseOptions(words: readonly string[], command: Command): void {
  for (const word of words) {
    const name = nameBefore(word);
    if (name === '--help' || name === '-h') continue;
    const option = optionCalled(name, command);
    if (option === undefined)
      throw new UsageError(
        `wf ${command.name} has no option "${name}".${meant(
          closest(
            name,
            command.options.map(({ rawName }) => flagOf(rawName)),
          ),
        )}`,
        `wf ${command.name} --help lists its options.`,
      );
    if (option.isBoolean === true && word !== name) throw new UsageError(`${name} takes no value.`);
  }
}

const nameBefore = (word: string): string => word.split('=')[0] ?? word;

/** Values as typed: cac makes a number of `007`. */
function valuesOf(
  parsed: Readonly<Record<string, unknown>>,
  options: readonly string[],
  command: Command,
  words: readonly string[],
): Values {
  const values: Record<string, string | true> = {};
  for (const { rawName, name: known, required, negated } of command.options) {
    const name = flagOf(rawName);
    if (!options.some((word) => nameBefore(word) === name)) continue;
    const key = negated ? `no${known.charAt(0).toUpperCase()}${known.slice(1)}` : known;
    if (Array.isArray(parsed[known])) throw new UsageError(`${name} is given more than once.`);
    const typed = options.find((word) => word.startsWith(`${name}=`));
    if (required === true && typed === undefined)
      throw new UsageError(`${name} needs a value: ${rawName}`, valueHint(name, words));
    values[key] = typed === undefined ? true : typed.slice(name.length + 1);
  }
  return values;
}

/** For `--comment -x`: only an equals sign makes a value of what looks like an option. */
function valueHint(name: string, words: readonly string[]): string | undefined {
  const next = words[words.indexOf(name) + 1];
  return next?.startsWith('-') === true ? `If ${next} is the value, write ${name}=${next}` : undefined;
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

/** An option that an action would ignore, such as a filter, could mean that it does too much. */
function checkAction(
  { name, actions, options }: CommandSpec,
  [action = 'list']: readonly string[],
  given: readonly string[],
): void {
  if (actions?.some(({ flag }) => flagOf(flag) === action) !== true) return;
  for (const word of given) {
    const option = options.find(({ flag }) => flagOf(flag) === nameBefore(word));
    if (option?.actions?.includes(action) === false)
      throw new UsageError(
        `wf ${name} ${action} has no option "${nameBefore(word)}". Nothing was done.`,
        `It is an option of ${option.actions.join(', ')}.`,
      );
  }
}
