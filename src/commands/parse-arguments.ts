// The words of a command line → a command with its arguments and options, through cac; everything that is wrong with them is said in
// one line, with the way out.
import { type CAC, cac } from 'cac';
import { closest } from '../compiler/diagnostics/suggest.js';
import { UsageError } from '../engine/usage-error.js';
import { type CommandSpec, commands, type Values } from './command-table.js';

export type Parsed =
  | { readonly kind: 'help'; readonly command: CommandSpec | undefined }
  | { readonly kind: 'command'; readonly command: CommandSpec; readonly targets: readonly string[]; readonly values: Values };

/** Stands before a value on its way through cac, which would otherwise turn `00123` into a number and `-x` into an option. */
const SHIELD = '\u0001';

/** Options that stand where a command would. */
const GLOBAL = ['--help', '--version'];

const nameOf = (flag: string): string => flag.split(' ')[0] ?? flag;
const takesValue = (flag: string): boolean => flag.includes('<');
const camelCase = (name: string): string =>
  name.replace(/^--/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const meant = (near: string | undefined): string => (near === undefined ? '' : ` Did you mean "${near}"?`);

/** @throws UsageError for a command, an option or an argument that does not fit. */
export function parseArguments(argv: readonly string[]): Parsed {
  const [name, ...rest] = argv;
  if (name === undefined) throw new UsageError('wf needs a command.', 'wf --help lists the commands.');
  if (name === '--help' || name === '-h' || name === 'help') {
    const of = rest.find((word) => word !== '--help' && word !== '-h');
    return { kind: 'help', command: of === undefined ? undefined : commandOf(of) };
  }
  if (name === '--version' || name === '-v') throw new UsageError(`${name} stands alone, and "${rest[0]}" is one too many.`);
  const command = commandOf(name);
  const words = shield(rest, command);
  if (words.includes('--help') || words.includes('-h')) return { kind: 'help', command };
  const parsed = createCli(command).parse(['node', 'wf', command.name, ...words], { run: false });
  const targets = parsed.args.map((argument) => unshield(String(argument)));
  checkTargets(command, targets);
  return { kind: 'command', command, targets, values: valuesOf(command, parsed.options) };
}

function commandOf(name: string): CommandSpec {
  const command = commands.find((known) => known.name === name);
  if (command !== undefined) return command;
  const what = name.startsWith('-') ? 'option' : 'command';
  const near = closest(name, what === 'option' ? GLOBAL : [...commands.map((known) => known.name), 'help', ...GLOBAL]);
  if (what === 'option' && commands.some(({ options }) => options.some(({ flag }) => nameOf(flag) === name)))
    throw new UsageError(
      `${name} is an option of a command and stands behind it: wf <command> ${name}.`,
      'wf --help lists the commands.',
    );
  const hint = name.endsWith('.wf') ? `To run a workflow: wf run ${name}` : 'wf --help lists the commands.';
  throw new UsageError(`There is no ${what} "${name}".${meant(near)}`, hint);
}

function createCli(command: CommandSpec): CAC {
  const cli = cac('wf');
  const own = cli
    .command(
      `${command.name} ${command.argument.replace(/^<(.*)\.\.\.>$/, '[...$1]').replace(/^<(.*)>$/, '[$1]')}`.trim(),
      command.text,
    )
    .allowUnknownOptions();
  for (const { flag, text } of command.options) own.option(flag, text);
  return cli;
}

/** Joins each option with its value, shielded; reports options that do not exist and values that are missing. */
function shield(words: readonly string[], command: CommandSpec): string[] {
  const shielded: string[] = [];
  const seen = new Set<string>();
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') {
      shielded.push(...words.slice(index + 1).map((rest) => SHIELD + rest));
      break;
    }
    if (word === '--help' || word === '-h') return ['--help'];
    if (!word.startsWith('-') || word === '-') {
      shielded.push(SHIELD + word);
      continue;
    }
    const equals = word.indexOf('=');
    const name = equals === -1 ? word : word.slice(0, equals);
    const option = command.options.find(({ flag }) => nameOf(flag) === name);
    if (option === undefined) {
      const names = command.options.map(({ flag }) => nameOf(flag));
      throw new UsageError(
        `wf ${command.name} has no option "${name}".${meant(closest(name, names))}`,
        `wf ${command.name} --help lists its options.`,
      );
    }
    if (seen.has(name)) throw new UsageError(`${name} is given twice; it can be given once.`);
    seen.add(name);
    if (!takesValue(option.flag)) {
      if (equals !== -1) throw new UsageError(`${name} takes no value.`);
      shielded.push(name);
      continue;
    }
    const value = equals === -1 ? words[++index] : word.slice(equals + 1);
    if (value === undefined || (equals === -1 && command.options.some(({ flag }) => nameOf(flag) === value))) {
      throw new UsageError(`${name} needs a value: ${option.flag}`);
    }
    shielded.push(`${name}=${SHIELD}${value}`);
  }
  return shielded;
}

const unshield = (value: string): string => (value.startsWith(SHIELD) ? value.slice(SHIELD.length) : value);

function checkTargets({ name, argument, example }: CommandSpec, targets: readonly string[]): void {
  const what = argument.replace(/[<>[\].]/g, '').replace('target', 'file or folder');
  const [first, second] = targets;
  if (first === undefined && argument.startsWith('<'))
    throw new UsageError(`wf ${name} needs a ${what}.`, `For example: ${example}`);
  if (second !== undefined && !argument.includes('...'))
    throw new UsageError(
      `wf ${name} takes one ${what || 'word less'}, and "${second}" is one too many.`,
      `For example: ${example}`,
    );
}

function valuesOf({ options }: CommandSpec, parsed: Readonly<Record<string, unknown>>): Values {
  const values: Record<string, string | true | undefined> = {};
  for (const { flag } of options) {
    const name = camelCase(nameOf(flag));
    const value = parsed[name];
    if (value !== undefined) values[name] = typeof value === 'string' ? unshield(value) : true;
  }
  return values;
}
