// How a run hears that it must stop, and how it passes that on to what it waits for. Its own file, because the cheap ways (one listener
// for all runs of a signal, no AbortController until somebody asks for it) want to be read side by side.

interface Cancellable {
  cancelled(): void;
}

const groups = new WeakMap<AbortSignal, Set<Cancellable>>();

/**
 * Has `cancelled` called when the signal aborts; returns what ends that. A host often gives one signal to thousands of runs, and an
 * AbortSignal walks all its listeners for each new one: here each signal has one listener, while anybody waits.
 */
export function listenTo(signal: AbortSignal, member: Cancellable): () => void {
  let group = groups.get(signal);
  if (group === undefined) {
    group = new Set();
    groups.set(signal, group);
  }
  const members = group;
  if (members.size === 0) signal.addEventListener('abort', tellAll, { once: true });
  members.add(member);
  return () => {
    members.delete(member);
    if (members.size === 0) signal.removeEventListener('abort', tellAll);
  };
}

function tellAll(event: Event): void {
  // Only signals are given this listener.
  const members = groups.get(event.target as AbortSignal) ?? [];
  for (const member of [...members]) member.cancelled();
}

/** What one attempt is given to learn that nobody waits for it any more. */
export class Cancellation {
  #aborted = false;
  #callback: (() => void) | undefined;
  #controller: AbortController | undefined;

  /** For what only understands an AbortSignal; made at the first use, because it costs more than all else here. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  /** One callback at a time: the last one counts. */
  onAbort(callback: () => void): void {
    if (this.#aborted) callback();
    else this.#callback = callback;
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#callback?.();
    this.#controller?.abort();
  }
}
