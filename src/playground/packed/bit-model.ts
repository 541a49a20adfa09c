// Predicts the bits of a text whose bytes were sorted by what follows them (Burrows and Wheeler, 1994), so that equal bytes stand together.
// Packing and unpacking ask it in the same order and so get the same answers. Whole numbers only: every browser must compute the same.

/** Probabilities are of a one, in 65,536ths. */
const HALF = 32_768;
const STEPS = 17;

/** How fast a probability moves: slower ones are steadier. */
const FAST = 2;
const STEADY = 4;
const CORRECTION = 6;

export class BitModel {
  /** By the bits of this byte so far; then also by the byte before it, and the one before that. */
  readonly #alone = new Uint16Array(256).fill(HALF);
  readonly #after = new Uint16Array(256 * 256).fill(HALF);
  /** What came of each prediction, in steps, within runs of one byte and outside of them. */
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
