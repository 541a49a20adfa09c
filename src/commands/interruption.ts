// Builds the commands that wf prints for people to copy, such as the one that continues an interrupted run.
import type { Environment } from '../../runtime/types.js';

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

export const shellWord = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** With a space in front; empty if `WF_STORE` names the store, or if it would show a password. */
export function storeOption(where: string, env: Environment): string {
  if (where === env.WF_STORE?.trim() || /^[a-z]+:\/\/[^/:]*:[^/@]*@/i.test(where)) return '';
  return ` --store ${shellWord(where)}`;
}
