// The turn of one attempt of a call whose service has limits. Waiting for it is not part of the attempt, and nothing has been sent.
import { milliseconds } from '../run/clock.js';
import type { Run } from '../run/run.js';
import type { CallRequest } from '../types.js';
import { limitedAddress, takeTurn } from './call-limits.js';

/** Milliseconds of a wait that the log mentions. Asking other processes takes some time, too. */
const loggedMs = 100;

export interface CallTurn {
  /** Resolves when the call may be sent. Rejects only if the run must end. */
  wait(): Promise<void>;
  /** Logs the wait, unless it was short. */
  log(): void;
  /** Call once: the attempt has ended, or will not be made. */
  leave(): void;
}

/** The call queues up now. `undefined` for a service without limits; mock answers have none. */
export function callTurn(run: Run, { service, location }: CallRequest): CallTurn | undefined {
  if (service.limits === undefined || run.mocks !== undefined) return undefined;
  const take = run.options.takeTurn ?? takeTurn;
  const { turn, leave } = take(limitedAddress(service, run.environment), service.limits);
  let durationMs = 0;
  return {
    async wait() {
      const started = milliseconds();
      await run.within(Number.POSITIVE_INFINITY, () => turn);
      durationMs = Math.round(milliseconds() - started);
    },
    log() {
      if (durationMs >= loggedMs) run.journal.add('wait', location[0], { service: service.name, durationMs });
    },
    leave,
  };
}
