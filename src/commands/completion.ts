// `wf completion <shell>`: turns the table of commands into a completion script for that shell.

import type { Io } from '../engine/io.js';
import { UsageError } from '../engine/usage-error.js';
import { type Command, createProgram } from './program.js';

const { commands } = createProgram();

const nameOf = ({ rawName }: Command['options'][number]): string => rawName.split(' ')[0] ?? rawName;
const optionNames = ({ options }: Command): string[] => [...options.map(nameOf), '--help'];

function bash(): string {
  const cases = commands.map((command) => `    ${command.name}) options="${optionNames(command).join(' ')}" ;;`).join('\n');
  return `# Completion of wf for bash. Add this to ~/.bashrc
_wf() {
  local word="\${COMP_WORDS[COMP_CWORD]}" options=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _wf wf
`;
}

/** Single-quotes a shell word. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function zsh(): string {
  const names = commands
    .map(({ name, description }) => `    ${quoted(`${name}:${description.replaceAll(':', '\\:')}`)}`)
    .join('\n');
  const cases = commands.map((command) => `    ${command.name}) options=(${optionNames(command).join(' ')}) ;;`).join('\n');
  return `#compdef wf
# Completion of wf for zsh: put this into a file named _wf in a folder of $fpath, or into ~/.zshrc behind compinit
_wf() {
  local -a names options
  names=(
${names}
  )
  if (( CURRENT == 2 )); then
    _describe command names
    return
  fi
  case "$words[2]" in
${cases}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then
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
}

function fish(): string {
  const lines = commands.flatMap((command) => [
    `complete -c wf -n __fish_use_subcommand -f -a ${command.name} -d ${quoted(command.description)}`,
    ...command.options.map(
      (option) =>
        `complete -c wf -n '__fish_seen_subcommand_from ${command.name}' -l ${nameOf(option).slice(2)}${option.required === true ? ' -r' : ''} -d ${quoted(option.description)}`,
    ),
  ]);
  return `# Completion of wf for fish: put this in ~/.config/fish/completions/wf.fish\n${lines.join('\n')}\n`;
}

const scripts: Readonly<Record<string, () => string>> = { bash, zsh, fish };

export async function completionCommand(shell: string, io: Io): Promise<number> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined) throw new UsageError(`wf completion supports bash, zsh and fish, not "${shell}".`);
  io.stdout.write(script());
  return 0;
}
