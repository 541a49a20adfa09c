// Ends one run from outside. An `AbortController` for each run would take longer than a small run itself.
import type { Cancellable, LightSignal } from '../../../runtime/run/cancellation.js';

export class LightAbort implements LightSignal {
  #aborted = false;
  #reason: unknown;
  #members: Set<Cancellable> | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  listen(member: Cancellable): () => void {
    this.#members ??= new Set();
    const members = this.#members;
    members.add(member);
    return () => members.delete(member);
  }

  /** @param reason an Error whose message says why, if there is more to say than that it was interrupted */
  abort(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    for (const member of [...(this.#members ?? [])]) member.cancelled();
  }
}
