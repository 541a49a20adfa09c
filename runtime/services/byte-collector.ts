// Collects the pieces of a body into one buffer. Memory stays proportional to the bytes, however many pieces there are: kept
// separately, each piece would hold on to hundreds of bytes, and often to the whole block that it was read into.

/** A smaller piece may be a sliver of a large block of memory, so it is copied. */
const smallPiece = 32 * 1024;
/** With a second piece, more are likely. */
const firstSize = 4 * 1024;

export class ByteCollector {
  /** Bytes so far. */
  length = 0;
  /** The only piece so far: as it came, or a copy. */
  #only: Uint8Array | undefined;
  #store: Buffer | undefined;
  readonly #most: number;

  /** @param most bytes to expect at most; the memory is not reserved */
  constructor(most: number) {
    this.#most = most;
  }

  add(piece: Uint8Array): void {
    if (this.length === 0) {
      // Most bodies are small and come in one piece. Node.js hands out small buffers as parts of a larger one, which costs far less.
      this.#only = piece.length >= smallPiece ? piece : Buffer.from(piece);
    } else {
      const store = this.#storeFor(this.length + piece.length);
      store.set(piece, this.length);
    }
    this.length += piece.length;
  }

  /** Returns all bytes. Don't use the collector after this. */
  take(): Buffer {
    const only = this.#only;
    const store = this.#store;
    this.#only = undefined;
    this.#store = undefined;
    if (only !== undefined) return Buffer.isBuffer(only) ? only : Buffer.from(only.buffer, only.byteOffset, only.byteLength);
    return store?.subarray(0, this.length) ?? Buffer.alloc(0);
  }

  /** A store with room for this many bytes, including everything collected so far. */
  #storeFor(length: number): Buffer {
    if (this.#store !== undefined && this.#store.length >= length) return this.#store;
    // Doubles each time, so each byte is copied once or twice in total, but never goes far beyond what may come.
    const size = Math.max(length, Math.min(this.#most, Math.max(firstSize, length * 2)));
    const store = Buffer.allocUnsafeSlow(size);
    const before = this.#only ?? this.#store;
    if (before !== undefined) store.set(before.subarray(0, this.length));
    this.#only = undefined;
    this.#store = store;
    return store;
  }
}
