// Sits between an engine and the thread of its store. It sees each call before it is made and after it is answered, one at a time, and can
// answer instead of the store. A test can thus stop the world at each write.
import { Worker } from 'node:worker_threads';
import type { ThreadAnswer, ThreadCall, ThreadFault } from '../../src/durable/store/sqlite/thread-calls.js';

export interface Tap {
  /** The thread has started. `end` makes the engine die like a killed process. */
  readonly onThread?: (end: () => Promise<unknown>) => void;
  /** Additional milliseconds for each call of this name. */
  readonly slow?: (method: string) => number;
  /** Holds back each call until this resolves, as if the thread hung. */
  readonly held?: () => Promise<void> | undefined;
  /** Answers with a fault instead of asking the store. */
  readonly before?: (call: ThreadCall) => ThreadFault | undefined;
  /** The answer has arrived, and no one has it yet. */
  readonly after?: (call: ThreadCall) => void;
}

type Listener = (answer: ThreadAnswer) => void;

class TappedThread {
  readonly #tap: Tap;
  readonly #post: (call: ThreadCall) => void;
  readonly #listener: Listener;
  #waiting: ThreadCall[] = [];
  #current: ThreadCall | undefined;
  /** Whether the thread has a call that it has not answered. */
  #isAtWork = false;
  #isOver = false;
  #onIdle = (): void => undefined;

  constructor(tap: Tap, post: (call: ThreadCall) => void, listener: Listener) {
    this.#tap = tap;
    this.#post = (call) => {
      if (this.#isOver) return;
      this.#isAtWork = true;
      post(call);
    };
    this.#listener = listener;
  }

  /** Waits for the thread, not for its answer: SQLite in a thread that is terminated takes the whole process with it. */
  async end(thread: Worker): Promise<void> {
    this.#isOver = true;
    if (this.#isAtWork)
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    await thread.terminate();
  }

  ask(call: ThreadCall): void {
    this.#waiting.push(call);
    this.#next();
  }

  answer(answer: ThreadAnswer): void {
    this.#isAtWork = false;
    if (this.#isOver) {
      this.#onIdle();
      return;
    }
    const call = this.#current;
    this.#current = undefined;
    if (call !== undefined) this.#tap.after?.(call);
    this.#listener(answer);
    this.#next();
  }

  #next(): void {
    while (this.#current === undefined) {
      const call = this.#waiting.shift();
      if (call === undefined) return;
      const fault = this.#tap.before?.(call);
      if (fault !== undefined) setImmediate(this.#listener, { id: call.id, ok: false, fault });
      else {
        this.#current = call;
        const slowMs = this.#tap.slow?.(call.method) ?? 0;
        const held = this.#tap.held?.();
        if (held !== undefined) void held.then(() => this.#post(call));
        else if (slowMs === 0) this.#post(call);
        else setTimeout(this.#post, slowMs, call);
      }
    }
  }
}

const { on, postMessage } = Worker.prototype;
const tapped = new WeakMap<Worker, TappedThread>();
let armed: Tap | undefined;

/** The next store opened in this process gets this tap. */
export function tapNextStore(tap: Tap): void {
  armed = tap;
}

// An engine creates its own thread, which nothing else here can reach.
Worker.prototype.on = function (this: Worker, event: string, listener: (...args: never[]) => void) {
  if (event !== 'message' || armed === undefined) return on.call(this, event, listener as (...args: unknown[]) => void);
  const thread = new TappedThread(armed, (call) => postMessage.call(this, call), listener as Listener);
  armed.onThread?.(() => thread.end(this));
  armed = undefined;
  tapped.set(this, thread);
  return on.call(this, event, (answer: ThreadAnswer) => thread.answer(answer));
} as Worker['on']; // one of its overloads
Worker.prototype.postMessage = function (this: Worker, message: unknown) {
  const thread = tapped.get(this);
  if (thread === undefined) postMessage.call(this, message);
  else thread.ask(message as ThreadCall); // the engine sends nothing else
};
