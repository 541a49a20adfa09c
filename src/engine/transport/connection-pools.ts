// Keeps a pool of connections for each of the places that were used last.

/** What undici's pools have in common. */
interface ClosablePool {
  /** Accepts no new requests, and resolves when the last one has ended. */
  close(): Promise<void>;
  /** Closes all connections, including those in use. */
  destroy(): Promise<void>;
}

export class ConnectionPools<Pool extends ClosablePool> {
  readonly #most: number;
  /** Least recently used first. */
  readonly #pools = new Map<string, Pool>();
  /** These accept no new requests and close when their last one ends. */
  readonly #retired = new Set<Pool>();

  /** @param most number of pools to keep; beyond that, the least recently used ones are closed */
  constructor(most: number) {
    this.#most = most;
  }

  kept(key: string, make: () => Pool): Pool {
    const known = this.#pools.get(key);
    if (known !== undefined) {
      if (this.#pools.size > 1) {
        this.#pools.delete(key);
        this.#pools.set(key, known);
      }
      return known;
    }
    const pool = make();
    this.#pools.set(key, pool);
    if (this.#pools.size > this.#most) this.#retireOldest();
    return pool;
  }

  /** Closes all connections, including those in use. */
  async destroy(): Promise<void> {
    const closing = [...this.#pools.values(), ...this.#retired].map((pool) => pool.destroy());
    this.#pools.clear();
    await Promise.all(closing);
  }

  #retireOldest(): void {
    const [oldest] = this.#pools;
    if (oldest === undefined) return;
    const [key, pool] = oldest;
    this.#pools.delete(key);
    this.#retired.add(pool);
    void pool.close().then(() => this.#retired.delete(pool));
  }
}
