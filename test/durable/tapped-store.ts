// Sits between an engine and the thread of its store: sees each call before it is made and after its answer has come, one at a time, and can
// answer in the place of the store. So a test can stop the world at each write.
import { Worker } from 'node:worker_threads';
import type { ThreadAnswer, ThreadCall, ThreadFault } from '../../src/durable/store/thread-calls.js';

export interface Tap {
  /** The thread has been started; whoever ends it makes the engine die as a killed process does. */
  readonly onThread?: (thread: Worker) => void;
  /** Milliseconds that each call of this name takes longer. */
  readonly slow?: (method: string) => number;
  /** A fault is the answer, and the store is not asked. */
  readonly before?: (call: ThreadCall) => ThreadFault | undefined;
  /** The answer has come, and nobody has it yet. */
  readonly after?: (call: ThreadCall) => void;
}

type Listener = (answer: ThreadAnswer) => void;

class TappedThread {
  readonly #tap: Tap;
  readonly #post: (call: ThreadCall) => void;
  readonly #listener: Listener;
  #waiting: ThreadCall[] = [];
  #current: ThreadCall | undefined;

  constructor(tap: Tap, post: (call: ThreadCall) => void, listener: Listener) {
    this.#tap = tap;
    this.#post = post;
    this.#listener = listener;
  }

  ask(call: ThreadCall): void {
    this.#waiting.push(call);
    this.#next();
  }

  answer(answer: ThreadAnswer): void {
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
        if (slowMs === 0) this.#post(call);
        else setTimeout(this.#post, slowMs, call);
      }
    }
  }
}

const { on, postMessage } = Worker.prototype;
const tapped = new WeakMap<Worker, TappedThread>();
let armed: Tap | undefined;

/** The next store that is opened in this process gets this tap. */
export function tapNextStore(tap: Tap): void {
  armed = tap;
}

// An engine makes its own thread, which nothing else here can reach.
Worker.prototype.on = function (this: Worker, event: string, listener: (...args: never[]) => void) {
  if (event !== 'message' || armed === undefined) return on.call(this, event, listener as (...args: unknown[]) => void);
  const thread = new TappedThread(armed, (call) => postMessage.call(this, call), listener as Listener);
  armed.onThread?.(this);
  armed = undefined;
  tapped.set(this, thread);
  return on.call(this, event, (answer: ThreadAnswer) => thread.answer(answer));
} as Worker['on']; // one of its overloads
Worker.prototype.postMessage = function (this: Worker, message: unknown) {
  const thread = tapped.get(this);
  if (thread === undefined) postMessage.call(this, message);
  else thread.ask(message as ThreadCall); // the engine sends nothing else
};
