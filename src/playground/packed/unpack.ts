// Unpacks what `pack.ts` packed: takes bytes, gives the text. The scripts of the playground travel this way, in four fifths of the size that
// gzip needs. Bytes of a text are sorted by what follows them (Burrows and Wheeler, 1994), so that equal bytes stand together, and their bits
// are predicted. Packing and unpacking share one function and so its predictions. Whole numbers only: every browser must compute them alike.

/** Bytes before the packed bits: the length of the text, and where the sorted text starts. */
export const HEAD = 8;

/** Fetches a packed script. @returns an address of the page's own for its text */
export async function fetchPacked(address: string): Promise<string> {
  const answer = await fetch(address);
  const text = unpack(new Uint8Array(await answer.arrayBuffer()));
  return URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
}

export function unpack(packed: Uint8Array): string {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  let at = HEAD + 4;
  const sorted = coded(view.getUint32(0), view.getUint32(HEAD), () => packed[at++] ?? 0);
  const places = unsorted(sorted, view.getUint32(4));
  return new TextDecoder().decode(places.map((place) => alphabet[place] ?? 0));
}

/**
 * All bytes, with signs that stand in the same places of a program next to each other: what comes before one of them helps to tell what comes
 * before the next. Found by trying.
 */
export const alphabet = Uint8Array.from(
  new Set([
    ...new TextEncoder().encode(
      '\n .,;:!?)]}>%\'"`([{</\\+-*=&|^~@#$_0123456789ABEFGHIJKLMNWPQRSTUCDVOXYZaoeiuyhlrnmsgdcpbvfwtkxjzq',
    ),
    ...new Uint8Array(256).keys(),
  ]),
);

/** Probabilities are of a one, in 65,536ths. */
const HALF = 32_768;
const STEPS = 17;

/** Speeds at which probabilities move: slower ones are steadier. */
const FAST = 2;
const STEADY = 4;
const CORRECTION = 6;

/**
 * Decodes bytes, or codes those that are `known`: each bit halves a range in the proportion that is predicted. A single function without
 * closures over what changes with each bit, because browsers
 * compile such a loop far better.
 * @param code the first four packed bytes
 * @param pass gives the next packed byte, or takes it
 */
export function coded(length: number, code: number, pass: (byte: number) => number, known?: Uint8Array): Uint8Array {
  // By the bits of this byte so far; then also by the byte before it, and the one before that.
  const alone = new Uint16Array(256).fill(HALF);
  const after = new Uint16Array(256 * 256).fill(HALF);
  // The results of each prediction, in steps, within runs of one byte and outside of them.
  const corrected = new Uint16Array(2 * 256 * STEPS);
  for (let at = 0; at < corrected.length; at++) corrected[at] = Math.min(65_535, (at % STEPS) * 4096);
  const sorted = new Uint8Array(length);
  let [low, high, last, beforeLast, run] = [0, 0xffffffff, 0, 0, 0];
  for (let index = 0; index < length; index++) {
    let bits = 1;
    for (let place = 7; place >= 0; place--) {
      const here = last * 256 + bits;
      const one = alone[bits] ?? 0;
      const two = after[here] ?? 0;
      const mixed = ((one + two) * 7 + (after[beforeLast * 256 + bits] ?? 0) * 2) >> 4;
      const step = ((run > 2 ? 256 : 0) + bits) * STEPS + (mixed >> 12);
      const lower = corrected[step] ?? 0;
      const upper = corrected[step + 1] ?? 0;
      const predicted = mixed + (lower + (((upper - lower) * (mixed & 4095)) >> 12)) * 3;
      const middle = middleOf(low, high, Math.min(2 ** 18 - 1, Math.max(1, predicted)));
      const bit = known === undefined ? (code <= middle ? 1 : 0) : ((known[index] ?? 0) >> place) & 1;
      if (bit === 1) high = middle;
      else low = (middle + 1) >>> 0;
      alone[bits] = moved(one, bit, FAST);
      after[here] = moved(two, bit, STEADY);
      corrected[step] = moved(lower, bit, CORRECTION);
      corrected[step + 1] = moved(upper, bit, CORRECTION);
      bits = bits * 2 + bit;
      while ((low ^ high) >>> 24 === 0) {
        code = ((code << 8) | pass(high >>> 24)) >>> 0;
        low = (low << 8) >>> 0;
        high = ((high << 8) | 255) >>> 0;
      }
    }
    beforeLast = last;
    last = bits & 255;
    run = last === beforeLast ? run + 1 : 0;
    sorted[index] = last;
  }
  // What tells the last bits apart.
  for (let shift = 24; shift >= 0; shift -= 8) pass((high >>> shift) & 255);
  return sorted;
}

/** @param share in 2 ** 18ths */
function middleOf(low: number, high: number, share: number): number {
  const range = (high - low) >>> 0;
  return (low + (range >>> 18) * share + Math.floor(((range & (2 ** 18 - 1)) * share) / 2 ** 18)) >>> 0;
}

const moved = (probability: number, bit: number, speed: number): number =>
  bit === 1 ? probability + ((65_535 - probability) >> speed) : probability - (probability >> speed);

/** Puts sorted bytes back into their order. @param start the row of the text itself among all rotations of it */
function unsorted(sorted: Uint8Array, start: number): Uint8Array<ArrayBuffer> {
  const { length } = sorted;
  const first = new Uint32Array(257);
  for (const byte of sorted) first[byte + 1] = (first[byte + 1] ?? 0) + 1;
  for (let byte = 0; byte < 256; byte++) first[byte + 1] = (first[byte + 1] ?? 0) + (first[byte] ?? 0);
  const following = new Uint32Array(length);
  for (let row = 0; row < length; row++) {
    const byte = sorted[row] ?? 0;
    const place = first[byte] ?? 0;
    first[byte] = place + 1;
    following[place] = row;
  }
  const text = new Uint8Array(length);
  let row = following[start] ?? 0;
  for (let index = 0; index < length; index++) {
    text[index] = sorted[row] ?? 0;
    row = following[row] ?? 0;
  }
  return text;
}
