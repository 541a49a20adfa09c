// Types of the command table, and of the options as a command receives them. Types only: commands and their table share
// them.
import type { Io } from '../engine/io.js';

export interface OptionSpec {
  /** `--input <json>`, or `--json` if it takes no value. */
  readonly flag: string;
  readonly text: string;
  /** Possible values, for completion; absent if they are no fixed list. */
  readonly values?: readonly string[];
  /** The only actions of its command that take it; absent if all do. */
  readonly actions?: readonly string[];
}

/** Options as parsed: names in camel case; values as written, or `true`. */
export type Values = Readonly<Record<string, string | true | undefined>>;

export interface CommandSpec {
  readonly name: string;
  /** `<file>`: exactly one; `<target...>`: one or more; `[folder]`: optional; `[action...]`: any number; empty: none. */
  readonly argument: '' | `<${string}>` | `<${string}...>` | `[${string}]` | `[${string}...]`;
  /** The possible first words of a command with several actions, and what follows each. */
  readonly actions?: readonly OptionSpec[];
  /** Possible arguments, for completion; absent if they are no fixed list. */
  readonly values?: readonly string[];
  readonly text: string;
  readonly example: string;
  readonly options: readonly OptionSpec[];
  readonly run: (targets: readonly string[], values: Values, io: Io) => Promise<number>;
}
