// Connections to one address: opened when they are needed, kept for a while, never more than a given number at once.

export interface PoolOptions<T> {
  /** Rejects when the signal aborts, and cleans up after itself then. */
  readonly open: (signal: AbortSignal) => Promise<T>;
  readonly close: (connection: T) => Promise<void>;
  /** Connections at once. */
  readonly most: number;
  /** Milliseconds that a connection is kept without work. */
  readonly idleMs: number;
}

/** Gets a connection, or `undefined`: then it may open one, and is counted already. */
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
  /** Connections that are open or being opened. */
  #count = 0;
  #closed = false;

  constructor(options: PoolOptions<T>) {
    this.#options = options;
  }

  /** A connection for one piece of work; whoever asks first gets one first. Rejects when the signal aborts. */
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

  /** Takes a connection back: to be used again, or to be closed. */
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

  /** A connection that lies idle broke, or has become old. */
  forget(connection: T): void {
    const index = this.#idle.findIndex((idle) => idle.connection === connection);
    if (index === -1) return;
    const [idle] = this.#idle.splice(index, 1);
    clearTimeout(idle?.timer);
    this.#discard(connection);
  }

  /** Closes what lies idle, and what is still in use when it comes back; resolves when all that was idle is closed. */
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

  /** One connection fewer: the place goes to whoever waits longest. */
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
