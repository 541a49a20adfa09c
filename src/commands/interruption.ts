// Builds the commands that wf prints for people to copy, such as the one that continues an interrupted run.
import type { Environment } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';

/** Exit code of a command that was interrupted: 128 and the number of SIGINT. */
export const INTERRUPTED = 130;

/** Exit code of a command whose run waits for a person, a message or a distant time. */
export const WAITING = 4;

/** Milliseconds that calls in progress get. */
export const GRACE_MS = 10_000;

/** @param option the `--store` that the next command needs; see `storeOption` */
export const goOnLine = (run: string, option: string): string => `Interrupted. Go on with: wf runs resume ${run}${option}\n`;

/** Characters that no shell treats specially. */
const PLAIN = /^[\w./:@%+=,-]+$/;

/** A text as one word for a shell, and for a terminal: without characters that control it. */
export function shellWord(text: string): string {
  if (PLAIN.test(text)) return text;
  if (oneLine(text) === text) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${oneLine(text.replace(/[\\']/g, '\\$&'))}'`;
}

/** With a space in front; empty if `WF_STORE` names the store, or if it would show a password. */
export function storeOption(where: string, env: Environment): string {
  if (where === env.WF_STORE?.trim() || /^[a-z]+:\/\/[^/:]*:[^/@]*@/i.test(where)) return '';
  return ` --store ${shellWord(where)}`;
}
