// Unpacks what `pack.ts` packed: takes bytes, gives the text. The scripts of the playground travel this way, in four fifths of what gzip
// needs. Bytes of a text are sorted by what follows them (Burrows and Wheeler, 1994), so that equal bytes stand together, and their bits
// are predicted. Packing and unpacking ask for predictions in the same order and so get the same. Whole numbers only: every browser must
// compute them alike.

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
  const [length, start] = [view.getUint32(0), view.getUint32(4)];
  return new TextDecoder().decode(unsorted(sortedBytes(packed, length), start));
}

/** Decodes the bits: each halves a range in the proportion that the model predicts. */
function sortedBytes(packed: Uint8Array, length: number): Uint8Array {
  const model = new BitModel();
  const sorted = new Uint8Array(length);
  let [low, high, code, at] = [0, 0xffffffff, 0, HEAD];
  const next = (): number => packed[at++] ?? 0;
  for (let byte = 0; byte < 4; byte++) code = ((code << 8) | next()) >>> 0;
  for (let index = 0; index < length; index++) {
    let byte = 1;
    while (byte < 256) {
      const middle = splitAt(low, high, model.predict());
      const bit = code <= middle ? 1 : 0;
      if (bit === 1) high = middle;
      else low = middle + 1;
      model.learn(bit);
      byte = byte * 2 + bit;
      while ((low ^ high) >>> 24 === 0) {
        low = (low << 8) >>> 0;
        high = ((high << 8) | 255) >>> 0;
        code = ((code << 8) | next()) >>> 0;
      }
    }
    sorted[index] = byte & 255;
  }
  return sorted;
}

/** Where a range is divided. @param probability of a one, in 2 ** 18ths */
export function splitAt(low: number, high: number, probability: number): number {
  const range = high - low;
  return low + Math.floor(range / 2 ** 18) * probability + Math.floor(((range % 2 ** 18) * probability) / 2 ** 18);
}

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

/** Probabilities are of a one, in 65,536ths. */
const HALF = 32_768;
const STEPS = 17;

/** The speed at which a probability moves: slower ones are steadier. */
const FAST = 2;
const STEADY = 4;
const CORRECTION = 6;

export class BitModel {
  /** By the bits of this byte so far; then also by the byte before it, and the one before that. */
  readonly #alone = new Uint16Array(256).fill(HALF);
  readonly #after = new Uint16Array(256 * 256).fill(HALF);
  /** The results of each prediction, in steps, within runs of one byte and outside of them. */
  readonly #corrected = new Uint16Array(2 * 256 * STEPS);
  #last = 0;
  #beforeLast = 0;
  #run = 0;
  #bits = 1;
  #step = 0;

  constructor() {
    for (let at = 0; at < this.#corrected.length; at++) this.#corrected[at] = Math.min(65_535, (at % STEPS) * 4096);
  }

  /** The probability that the next bit is a one, in 2 ** 18ths; never 0 or all of them. */
  predict(): number {
    const bits = this.#bits;
    const alone = this.#alone[bits] ?? HALF;
    const after = this.#after[this.#last * 256 + bits] ?? HALF;
    const further = this.#after[this.#beforeLast * 256 + bits] ?? HALF;
    const mixed = ((alone + after) * 7 + further * 2) >> 4;
    const step = ((this.#run > 2 ? 256 : 0) + bits) * STEPS + (mixed >> 12);
    this.#step = step;
    const low = this.#corrected[step] ?? HALF;
    const high = this.#corrected[step + 1] ?? HALF;
    const corrected = low + (((high - low) * (mixed & 4095)) >> 12);
    return Math.min(2 ** 18 - 1, Math.max(1, mixed + corrected * 3));
  }

  /** @param bit 0 or 1 */
  learn(bit: number): void {
    const bits = this.#bits;
    move(this.#alone, bits, bit, FAST);
    move(this.#after, this.#last * 256 + bits, bit, STEADY);
    move(this.#corrected, this.#step, bit, CORRECTION);
    move(this.#corrected, this.#step + 1, bit, CORRECTION);
    this.#bits = bits * 2 + bit;
    if (this.#bits >= 256) this.#endByte();
  }

  #endByte(): void {
    this.#beforeLast = this.#last;
    this.#last = this.#bits & 255;
    this.#run = this.#last === this.#beforeLast ? this.#run + 1 : 0;
    this.#bits = 1;
  }
}

function move(probabilities: Uint16Array, at: number, bit: number, rate: number): void {
  const now = probabilities[at] ?? HALF;
  probabilities[at] = bit === 1 ? now + ((65_535 - now) >> rate) : now - (now >> rate);
}
