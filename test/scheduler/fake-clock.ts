// A clock that a test moves by hand. It replaces the global `Date` and timers, so that node-cron uses it, too, on every release of Node.js.
// Unlike `mock.timers`, it lets promises settle between timers, and the wall clock jump while timers don't.

interface Timer {
  at: number;
  readonly every: number | undefined;
  readonly run: () => void;
}

const real = { Date, setTimeout, clearTimeout, setInterval, clearInterval, setImmediate };
const settle = (): Promise<void> => new Promise((resolve) => real.setImmediate(resolve));

export class FakeClock {
  #steady = 0;
  #ahead: number;
  readonly #timers = new Map<object, Timer>();
  readonly #isBusy: () => boolean;

  /** @param isBusy whether work that takes real time is in progress, such as writing a file; no time passes meanwhile */
  constructor(start: string | number, isBusy: () => boolean = () => false) {
    this.#ahead = typeof start === 'number' ? start : real.Date.parse(start);
    this.#isBusy = isBusy;
  }

  now(): number {
    return this.#steady + this.#ahead;
  }

  /** Number of active timers; 0 means that nothing would keep the process alive. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves only the wall clock, as when someone sets it. */
  jump(milliseconds: number): void {
    this.#ahead += milliseconds;
  }

  /** Lets time pass: runs each timer that comes due, in order, and lets its promises settle before the next one. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#steady + milliseconds;
    await this.#settle();
    for (let next = this.#earliest(); next && next[1].at <= end; next = this.#earliest()) {
      const [key, timer] = next;
      this.#steady = Math.max(this.#steady, timer.at);
      if (timer.every === undefined) this.#timers.delete(key);
      else timer.at += timer.every;
      timer.run();
      await this.#settle();
    }
    this.#steady = end;
  }

  /** Lets real time pass, until files are written and the like. */
  async until(condition: () => boolean): Promise<void> {
    for (const end = performance.now() + 60_000; !condition(); await settle()) {
      if (performance.now() > end) throw new Error('what was waited for did not happen');
    }
  }

  async #settle(): Promise<void> {
    do await settle();
    while (this.#isBusy());
  }

  #earliest(): readonly [object, Timer] | undefined {
    let first: readonly [object, Timer] | undefined;
    for (const entry of this.#timers) if (!first || entry[1].at < first[1].at) first = entry;
    return first;
  }

  #set(run: () => void, milliseconds: number, every: boolean): object {
    // The globals' handles are objects with these methods; node-cron and the scheduler use no others.
    const key = { ref: () => key, unref: () => key };
    this.#timers.set(key, {
      at: this.#steady + Math.max(1, milliseconds),
      every: every ? Math.max(1, milliseconds) : undefined,
      run,
    });
    return key;
  }

  /** Runs an action with this clock, then restores the real one. */
  async use<T>(action: () => T | Promise<T>): Promise<T> {
    const clock = this;
    class FakeDate extends real.Date {
      constructor(...given: [] | [number]) {
        if (given.length === 0) super(clock.now());
        else super(...given);
      }
      static override now(): number {
        return clock.now();
      }
    }
    Object.assign(globalThis, {
      Date: FakeDate,
      setTimeout: (run: () => void, milliseconds = 0) => this.#set(run, milliseconds, false),
      setInterval: (run: () => void, milliseconds = 0) => this.#set(run, milliseconds, true),
      clearTimeout: (key: object) => this.#timers.delete(key),
      clearInterval: (key: object) => this.#timers.delete(key),
    });
    try {
      return await action();
    } finally {
      Object.assign(globalThis, real);
    }
  }
}
