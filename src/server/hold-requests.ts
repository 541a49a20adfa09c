// Holds the requests of a server that already listens until it is ready to serve them. A moment, so nothing limits how many.
import type { App } from './create-app.js';

type Listeners = Pick<App, 'listener' | 'onContinue' | 'onExpectation'>;

export interface HeldRequests<T> {
  readonly gated: T;
  /** Passes on what has come, in its order, and from then on everything at once. */
  readonly ready: () => void;
}

export function holdRequests<T extends Listeners>(app: T): HeldRequests<T> {
  let held: (() => void)[] | undefined = [];
  const gate =
    (listener: App['listener']): App['listener'] =>
    (request, response) => {
      if (held === undefined) listener(request, response);
      else held.push(() => listener(request, response));
    };
  return {
    gated: { ...app, listener: gate(app.listener), onContinue: gate(app.onContinue), onExpectation: gate(app.onExpectation) },
    ready() {
      const waiting = held ?? [];
      held = undefined;
      for (const pass of waiting) pass();
    },
  };
}
