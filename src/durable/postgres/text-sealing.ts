// Sealing for text columns: encrypted content is base64 after a prefix with which no JSON starts.
import type { Sealing } from '../store/sealing.js';

export interface TextSealing {
  readonly isEncrypted: boolean;
  seal(text: string, owner: string): string;
  /** @throws if it was sealed with another key or for another owner, or has been changed */
  open(stored: string, owner: string): string;
  /** Like `Sealing.hash`. */
  hash(text: string): Buffer;
}

const SIGN = '~';

export function textSealing({ isEncrypted, seal, open, hash }: Sealing): TextSealing {
  return {
    isEncrypted,
    hash,
    seal(text, owner) {
      const sealed = seal(text, owner);
      return sealed instanceof Uint8Array ? SIGN + Buffer.from(sealed).toString('base64') : text;
    },
    open: (stored, owner) => open(stored.startsWith(SIGN) ? Buffer.from(stored.slice(1), 'base64') : stored, owner),
  };
}
