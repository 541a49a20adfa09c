// Limits the total size of request bodies that are still arriving. Each must be kept until it is complete, and a client may
// take a minute.

/**
 * Bytes that each body may have without counting. Small requests always get through, so blocking the server would take one
 * connection per large body.
 */
const free = 16 * 1024;
/** Bytes that all bodies together may have in any case. */
const least = 64 * 1024 * 1024;
/** The number of bodies of the maximum size that always fit. */
const leastBodies = 4;

export class BodyRoom {
  #left: number;

  /** @param maxBody maximum size of a body in bytes */
  constructor(maxBody: number) {
    this.#left = Math.max(least, leastBodies * maxBody);
  }

  /** Whether a body of `before` bytes may grow to `after`. Return what it took once, with `leave`. */
  grow(before: number, after: number): boolean {
    const more = beyondFree(after) - beyondFree(before);
    if (more > this.#left) return false;
    this.#left -= more;
    return true;
  }

  /** Returns the bytes of a body that is complete or abandoned. */
  leave(bytes: number): void {
    this.#left += beyondFree(bytes);
  }
}

const beyondFree = (bytes: number): number => Math.max(0, bytes - free);
