// A pool of connections to one address: opened on demand, kept for a while, limited in number.

export interface PoolOptions<T> {
  /** Rejects and cleans up when the signal aborts. */
  readonly open: (signal: AbortSignal) => Promise<T>;
  readonly close: (connection: T) => Promise<void>;
  /** Maximum connections. */
  readonly most: number;
  /** Milliseconds after which an idle connection is closed. */
  readonly idleMs: number;
}

/** Receives a connection, or `undefined`: then it may open one, which is counted already. */
interface Waiting<T> {
  readonly give: (connection: T | undefined) => void;
  readonly fail: (error: Error) => void;
}

interface Idle<T> {
  readonly connection: T;
  readonly timer: NodeJS.Timeout;
}

export class Pool<T> {
  readonly #options: PoolOptions<T>;
  readonly #idle: Idle<T>[] = [];
  readonly #waiting: Waiting<T>[] = [];
  readonly #closing = new Set<Promise<void>>();
  /** Number of connections that are open or opening. */
  #count = 0;
  #closed = false;

  constructor(options: PoolOptions<T>) {
    this.#options = options;
  }

  /** A connection for one task, first come, first served. Rejects when the signal aborts. */
  async acquire(signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#closed) throw new Error('The pool is closed');
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      clearTimeout(idle.timer);
      return idle.connection;
    }
    if (this.#count < this.#options.most) this.#count++;
    else {
      const given = await this.#turn(signal);
      if (given !== undefined) return given;
    }
    try {
      return await this.#options.open(signal);
    } catch (error) {
      this.#free();
      throw error;
    }
  }

  /** Returns a connection to the pool, which reuses or closes it. */
  release(connection: T, isUsable: boolean): void {
    if (!isUsable || this.#closed) {
      this.#discard(connection);
      return;
    }
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next.give(connection);
      return;
    }
    const timer = setTimeout(() => this.forget(connection), this.#options.idleMs);
    timer.unref();
    this.#idle.push({ connection, timer });
  }

  /** Removes an idle connection that broke or expired. */
  forget(connection: T): void {
    const index = this.#idle.findIndex((idle) => idle.connection === connection);
    if (index === -1) return;
    const [idle] = this.#idle.splice(index, 1);
    clearTimeout(idle?.timer);
    this.#discard(connection);
  }

  /** Closes idle connections now and the others when they are released. Resolves when the idle ones are closed. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { connection, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      this.#discard(connection);
    }
    for (const { fail } of this.#waiting.splice(0)) fail(new Error('The pool is closed'));
    await Promise.all(this.#closing);
  }

  #discard(connection: T): void {
    this.#free();
    const closing = this.#options.close(connection).catch(() => undefined);
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }

  /** Frees a place for the task that has waited longest. */
  #free(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#count--;
    else next.give(undefined);
  }

  #turn(signal: AbortSignal): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason);
      };
      const settle = (end: () => void): void => {
        signal.removeEventListener('abort', stop);
        end();
      };
      const waiting: Waiting<T> = {
        give: (connection) => settle(() => resolve(connection)),
        fail: (error) => settle(() => reject(error)),
      };
      this.#waiting.push(waiting);
      signal.addEventListener('abort', stop, { once: true });
    });
  }
}
