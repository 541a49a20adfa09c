// Seals stored text: unchanged, or encrypted with the key of the store (AES-256-GCM) and bound to its run. Computes the checksums of rows:
// CRC-32, or with a key an authentication code that nobody can forge without it.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import zlib from 'node:zlib';
import type { SqlValue } from './sql.js';

/** A text, or texts and bytes one after the other. */
type Pieces = string | readonly (string | Uint8Array)[];

export interface Sealing {
  readonly isEncrypted: boolean;
  /** @param owner id of the run or message: what is sealed for one can't be passed off as another's */
  seal(text: string, owner: string): SqlValue;
  /** @throws if it was sealed with another key or for another owner, or has been changed */
  open(stored: SqlValue, owner: string): string;
  /** A hash of a text that identifies equal ones, and can't be computed without the store's own secret. 16 bytes. */
  hash(text: string): Buffer;
  /** The checksum of what a row contains, in stored form. */
  sum(pieces: Pieces): number | Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Bytes of the store's own secret. */
const SECRET_BYTES = 32;

/** @param secret the store's own random bytes, for `hash` */
export function createSealing(key: Uint8Array | undefined, secret: Uint8Array): Sealing {
  const hash = (text: string): Buffer => createHmac('sha256', secret).update(text).digest().subarray(0, 16);
  if (key === undefined) return { isEncrypted: false, hash, seal: (text) => text, open: plainText, sum: crcOf };
  const sumKey = createHmac('sha256', key).update('checksums of rows').digest();
  return {
    isEncrypted: true,
    hash,
    sum: (pieces) => authenticationOf(sumKey, pieces),
    seal: (text, owner) => encrypt(key, Buffer.from(text), owner),
    open: (stored, owner) => decrypt(key, stored, owner).toString(),
  };
}

function plainText(stored: SqlValue): string {
  if (stored instanceof Uint8Array) throw new Error('It is encrypted.');
  return String(stored);
}

type Crc = (data: string | Uint8Array, before: number) => number;

// Node.js has it from 20.15 on, and its types from a later version.
const crc32: Crc = (zlib as { readonly crc32?: Crc }).crc32 ?? crcByTable;

const crcTable: Int32Array = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** CRC-32 as in zlib. @param before the checksum of what precedes */
export function crcByTable(data: string | Uint8Array, before: number): number {
  let crc = ~before;
  for (const byte of typeof data === 'string' ? Buffer.from(data) : data)
    crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}

function crcOf(pieces: Pieces): number {
  let crc = 0;
  if (typeof pieces === 'string') crc = crc32(pieces, 0);
  else {
    // Bytes that SQLite returns as empty have no address, for which zlib begins again.
    for (const piece of pieces) if (piece.length > 0) crc = crc32(piece, crc);
  }
  // With a sign, SQLite stores it in four bytes.
  return crc | 0;
}

/** Bytes of an authentication code. */
const CODE_BYTES = 8;

function authenticationOf(key: Uint8Array, pieces: Pieces): Buffer {
  const code = createHmac('sha256', key);
  if (typeof pieces === 'string') code.update(pieces);
  else for (const piece of pieces) code.update(piece);
  return code.digest().subarray(0, CODE_BYTES);
}

function encrypt(key: Uint8Array, text: Uint8Array, owner: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Uint8Array, stored: SqlValue, owner: string): Buffer {
  if (!(stored instanceof Uint8Array) || stored.length < NONCE_BYTES + TAG_BYTES) throw new Error('It is not encrypted.');
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

const SECRET_OWNER = 'the secret of the store';

/** A new secret of a store in stored form, which also proves the key. */
export const newSecret = (key: Uint8Array | undefined): Buffer => storedSecret(randomBytes(SECRET_BYTES), key);

export const storedSecret = (secret: Uint8Array, key: Uint8Array | undefined): Buffer =>
  key === undefined ? Buffer.from(secret) : encrypt(key, secret, SECRET_OWNER);

/** The secret of a store, or why this key can't open it. */
export function readSecret(
  stored: Uint8Array,
  key: Uint8Array | undefined,
): Buffer | 'needs a key' | 'has no key' | 'has another key' {
  const isPlain = stored.length === SECRET_BYTES;
  if (key === undefined) return isPlain ? Buffer.from(stored) : 'needs a key';
  if (isPlain) return 'has no key';
  try {
    return decrypt(key, stored, SECRET_OWNER);
  } catch {
    return 'has another key';
  }
}

/** Message and hint, by the result of `readSecret`. */
export const keyFaults = {
  'needs a key': ['The store is encrypted, and WF_STORE_KEY is not set.', 'Set it to the key that the store was written with.'],
  'has another key': [
    'The store is encrypted with another key than the one in WF_STORE_KEY.',
    'Nothing was changed. Set it to the key that the store was written with; after "wf runs rekey", that is the new one.',
  ],
  'has no key': [
    'WF_STORE_KEY is set, and the store was written without a key.',
    'Unset it. To encrypt the store, run "wf runs rekey" with the key in WF_NEW_STORE_KEY and without WF_STORE_KEY.',
  ],
} as const;

/** Seals into text. */
export interface TextSealing extends Sealing {
  seal(text: string, owner: string): string;
}

const SIGN = '~';

export function textSealing({ isEncrypted, seal, open, hash, sum }: Sealing): TextSealing {
  return {
    isEncrypted,
    hash,
    sum,
    seal(text, owner) {
      const sealed = seal(text, owner);
      return sealed instanceof Uint8Array ? SIGN + Buffer.from(sealed).toString('base64') : text;
    },
    open(stored, owner) {
      const text = String(stored);
      return open(text.startsWith(SIGN) ? Buffer.from(text.slice(SIGN.length), 'base64') : text, owner);
    },
  };
}

/** A table of both kinds of stores whose rows have sealed text. */
interface SealedTable {
  readonly table: string;
  /** The owner of what is sealed in a row: a word, and the value of a column. */
  readonly owner: readonly [word: string, column: 'id' | 'run' | 'name'];
  readonly columns: readonly string[];
}

/** All sealed text beside the runs, for a change of the key. */
export const sealedTables: readonly SealedTable[] = [
  { table: 'messages', owner: ['message ', 'name'], columns: ['body'] },
  { table: 'inbox', owner: ['', 'run'], columns: ['body'] },
  { table: 'tasks', owner: ['', 'run'], columns: ['body', 'answer'] },
  { table: 'changes', owner: ['change ', 'run'], columns: ['body'] },
  { table: 'views', owner: ['view ', 'id'], columns: ['body'] },
];
