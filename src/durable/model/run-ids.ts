// Ids of runs: UUIDs of version 7 (RFC 9562), which sort by creation time, even within a millisecond. They are cryptographically random,
// because anyone who knows the id of a run may see its state. Stored as 32 hexadecimal digits.
import { createHash, randomFillSync } from 'node:crypto';
import { readEffectAddress } from './addresses.js';

/** Random bytes, which take long to ask for, and as long to write as hexadecimal digits one id at a time. */
const POOL_BYTES = 4_096;
const pool = Buffer.alloc(POOL_BYTES);
let digits = '';
let used = POOL_BYTES;

const VERSION = '7';
/** The variant of RFC 9562, with two random bits. */
const VARIANTS = '89ab';

let lastMs = 0;
/** `lastMs` as twelve digits. */
let time = '';
let counter = 0;
const MOST_COUNTER = 0xfff;
/** Each counter as three digits, once it has been used. */
const counters = new Array<string>(MOST_COUNTER + 1);

function startMs(ms: number): void {
  lastMs = ms;
  time = ms.toString(16).padStart(12, '0');
}

/** When a run was started, in milliseconds since 1970. @param hex 32 hexadecimal digits */
export const startedAt = (hex: string): number => Number.parseInt(hex.slice(0, 12), 16);

/** 32 hexadecimal digits. @param now milliseconds since 1970 */
export function newRunHex(now: number): string {
  if (used + 8 > POOL_BYTES) {
    randomFillSync(pool);
    digits = pool.toString('hex');
    used = 0;
  }
  // A clock that is set back must not sort a run before existing ones.
  if (now > lastMs) {
    startMs(now);
    counter = pool.readUInt16BE(used) & 0x7ff;
  } else if (++counter > MOST_COUNTER) {
    startMs(lastMs + 1);
    counter = 0;
  }
  const chance = digits.slice(2 * used + 1, 2 * used + 16);
  const variant = VARIANTS[pool.readUInt8(used) & 3];
  used += 8;
  counters[counter] ??= counter.toString(16).padStart(3, '0');
  return time + VERSION + counters[counter] + variant + chance;
}

/** Digits that a called run shares with the run it belongs to: enough to find that one. */
export const CALLED_PREFIX = 16;

/**
 * The id of the run of a called workflow. No one can guess it who does not know the other id.
 * @param root id of the run with the journal @param branch where the called workflow runs
 */
export function calledRunHex(root: string, branch: string): string {
  const hash = createHash('sha256').update(`${root} ${branch}`).digest('hex');
  const variant = (8 | (Number.parseInt(hash[0] ?? '0', 16) & 3)).toString(16);
  return `${root.slice(0, CALLED_PREFIX)}${variant}${hash.slice(1, CALLED_PREFIX)}`;
}

/** The runs that a message for an effect can name: the run itself, and those of the called workflows around the effect. */
export function runsAround(root: string, address: string): readonly [root: string, ...called: string[]] {
  const { branch } = readEffectAddress(address);
  const parts = branch === '' ? [] : branch.split('/');
  // Other branches have ids that no run has.
  return [root, ...parts.map((_, index) => calledRunHex(root, parts.slice(0, index + 1).join('/')))];
}

/** The id as people and programs see it. */
export const toRunId = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** 32 hexadecimal digits, or `undefined` for an invalid id. */
export const toRunHex = (id: string): string | undefined => (ID.test(id) ? id.replaceAll('-', '').toLowerCase() : undefined);

/** When a run was accepted, in milliseconds since 1970. */
export const createdAt = (hex: string): number => {
  const digits = hex.slice(0, 12);
  // Mostly a new run: reading its digits would take longer.
  return digits === time ? lastMs : Number.parseInt(digits, 16);
};

/** The first possible id at a moment, in milliseconds since 1970: 32 hexadecimal digits. */
export const idOfMoment = (ms: number): string => Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0').padEnd(32, '0');

/** The first possible id at a moment; at 1970 for a text that is no time. @param iso ISO 8601 */
export const idAt = (iso: string): string => idOfMoment(Date.parse(iso) || 0);
