// The `--store` that a command printed as a hint needs to find the store of this one.
import type { Environment } from '../../runtime/types.js';
import { shellWord } from './shell-word.js';

/** With a space in front; empty if `WF_STORE` names the store, or if it would show a password. */
export function storeOption(where: string, env: Environment): string {
  if (where === env.WF_STORE?.trim() || /^[a-z]+:\/\/[^/:]*:[^/@]*@/i.test(where)) return '';
  return ` --store ${shellWord(where)}`;
}
