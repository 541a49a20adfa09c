// `wf completion <shell>`: turns the table of commands into a completion script for that shell.
import type { Io } from '../engine/io.js';
import { UsageError } from '../engine/usage-error.js';
import type { CommandSpec, OptionSpec } from './command-spec.js';

type Commands = readonly CommandSpec[];

const nameOf = ({ flag }: OptionSpec): string => flag.split(' ')[0] ?? flag;
const takesValue = ({ flag }: OptionSpec): boolean => flag.includes(' ');
const optionNames = ({ options }: CommandSpec): string[] => [...options.map(nameOf), '--help'];
/** Words that can follow the command. */
const firstWords = ({ actions = [], values = [] }: CommandSpec): string[] => [...actions.map(nameOf), ...values];

/** An `options`, a `first` and a `values` for each command, in the syntax that bash and zsh share. */
function cases(commands: Commands, list: (words: readonly string[]) => string): string {
  const ofCommand = commands.map((command) => {
    const first = firstWords(command);
    const words = [`options=${list(optionNames(command))}`, ...(first.length === 0 ? [] : [`first=${list(first)}`])];
    return `    ${command.name}) ${words.join(' ')} ;;`;
  });
  const ofOption = commands.flatMap((command) =>
    command.options.flatMap((option) =>
      option.values === undefined ? [] : [`    ${command.name}' '${nameOf(option)}) values=${list(option.values)} ;;`],
    ),
  );
  return `  case "$command" in\n${ofCommand.join('\n')}\n  esac\n  case "$command $before" in\n${ofOption.join('\n')}\n  esac`;
}

const bash = (commands: Commands): string => `# Completion of wf for bash. Add this to ~/.bashrc
_wf() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  local options="" first="" values=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$word"))
    return
  fi
${cases(commands, (words) => `"${words.join(' ')}"`)}
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$word"))
    return
  fi
  if [ "$COMP_CWORD" -eq 2 ] && [ -n "$first" ] && [[ "$word" != -* ]]; then
    COMPREPLY=($(compgen -W "$first" -- "$word"))
    return
  fi
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _wf wf
`;

/** Single-quotes a shell word. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const zsh = (commands: Commands): string => `#compdef wf
# Completion of wf for zsh: put this into a file named _wf in a folder of $fpath, or into ~/.zshrc behind compinit
_wf() {
  local -a names options first values
  local command="$words[2]" before="$words[CURRENT-1]"
  names=(
${commands.map(({ name, text }) => `    ${quoted(`${name}:${text.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command names
    return
  fi
${cases(commands, (words) => `(${words.join(' ')})`)}
  if (( \${#values} )); then
    compadd -- $values
  elif (( CURRENT == 3 && \${#first} )) && [[ "$words[CURRENT]" != -* ]]; then
    compadd -- $first
  elif [[ "$words[CURRENT]" == -* ]]; then
    compadd -- $options
  else
    _files
  fi
}
if [[ "$funcstack[1]" == _wf ]]; then
  _wf "$@"
else
  compdef _wf wf
fi
`;

function fish(commands: Commands): string {
  const lines = commands.flatMap((command) => {
    const seen = `__fish_seen_subcommand_from ${command.name}`;
    const first = firstWords(command);
    const isFirst = quoted(`${seen}; and not __fish_seen_subcommand_from ${first.join(' ')}`);
    return [
      `complete -c wf -n __fish_use_subcommand -f -a ${command.name} -d ${quoted(command.text)}`,
      ...(first.length === 0 ? [] : [`complete -c wf -n ${isFirst} -f -a ${quoted(first.join(' '))}`]),
      ...command.options.map((option) => {
        const value = option.values === undefined ? ' -r' : ` -x -a ${quoted(option.values.join(' '))}`;
        return `complete -c wf -n '${seen}' -l ${nameOf(option).slice(2)}${takesValue(option) ? value : ''} -d ${quoted(option.text)}`;
      }),
    ];
  });
  return `# Completion of wf for fish: put this in ~/.config/fish/completions/wf.fish\n${lines.join('\n')}\n`;
}

const scripts: Readonly<Record<string, (commands: Commands) => string>> = { bash, zsh, fish };

export async function completionCommand(shell: string, commands: Commands, io: Io): Promise<number> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined) throw new UsageError(`wf completion supports bash, zsh and fish, not "${shell}".`);
  io.stdout.write(script(commands));
  return 0;
}
