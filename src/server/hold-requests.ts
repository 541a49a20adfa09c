// Holds the requests of a listening server until it is ready to serve them. This takes only a moment, so their number is not limited.
import type { App } from './create-app.js';

type Listeners = Pick<App, 'listener' | 'onContinue' | 'onExpectation'>;

export interface HeldRequests<T> {
  readonly gated: T;
  /** Forwards what has arrived, in order, and everything after it immediately. */
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
