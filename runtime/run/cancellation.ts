// Tells a run that it must stop, and whatever it is waiting for. Optimized to be cheap: one listener per signal for all runs, and no
// AbortController until one is needed.

export interface Cancellable {
  cancelled(): void;
}

/** A signal that costs less than an `AbortSignal`, for hosts that need one per run. */
export interface LightSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  /** Calls `cancelled` when the signal aborts; returns a function that stops that. */
  listen(member: Cancellable): () => void;
}

/** Which calls are waited for when a branch is over: those `at most once`, or all. */
export type SparedCalls = 'once' | 'calls';

/** A run, or a branch of one. It executes one block, or one workflow that it calls, at a time, which sets these. */
export interface BlockPlace {
  /** Ends what the branches of that block, or that workflow, are doing. */
  abandonBlock: ((reason: string, spares: SparedCalls) => void) | undefined;
  /** Whether it has a call under way that is waited for. */
  isBlockBusy: (() => boolean) | undefined;
}

/** The handle with which a host ends a run. */
export type EndSignal = AbortSignal | LightSignal;

const groups = new WeakMap<AbortSignal, Set<Cancellable>>();

/**
 * Calls `cancelled` when the signal aborts; returns a function that stops that. A host often passes one signal to thousands of
 * runs, and an AbortSignal walks all its listeners whenever one is added. So each signal has a single listener while anyone
 * waits.
 */
export function listenTo(signal: EndSignal, member: Cancellable): () => void {
  if ('listen' in signal) return signal.listen(member);
  let group = groups.get(signal);
  if (group === undefined) {
    group = new Set();
    groups.set(signal, group);
  }
  const members = group;
  if (members.size === 0) signal.addEventListener('abort', cancelAll, { once: true });
  members.add(member);
  return () => {
    members.delete(member);
    if (members.size === 0) signal.removeEventListener('abort', cancelAll);
  };
}

function cancelAll(event: Event): void {
  // Only signals get this listener.
  const members = groups.get(event.target as AbortSignal) ?? [];
  for (const member of [...members]) member.cancelled();
}

/** Tells one attempt that its result is no longer needed. */
export class Cancellation {
  #aborted = false;
  #callback: (() => void) | undefined;
  #controller: AbortController | undefined;

  /** For code that needs an AbortSignal. Created on first use, because it costs more than everything else here. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Keeps one callback: the last one. */
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

/** The reason why a signal aborted, in words for people. */
export function abortReason({ reason }: { readonly reason: unknown }): string {
  // A bare `abort()` has a reason that says nothing.
  return reason instanceof Error && reason.name !== 'AbortError' && reason.message !== '' ? reason.message : 'interrupted';
}
