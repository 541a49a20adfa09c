// `with limit 100 calls a minute` and `with limit 5 calls at once`: calls over the limit wait. All runs of a process share the
// count of an address, including those of modules with their own runtime.
import { milliseconds } from '../run/clock.js';
import type { Run } from '../run/run.js';
import type { CallLimits, CallRequest, Environment, ServiceSpec, TakeTurn, Turn } from '../types.js';
import { filledTemplate } from './template.js';

/** Milliseconds within which `perMinute` counts. */
const minute = 60_000;

interface Waiting {
  readonly limits: CallLimits;
  readonly go: () => void;
}

/** The calls of one address. */
class Turns {
  readonly #waiting: Waiting[] = [];
  /** When the latest calls ended, in order. The service had received them by then. */
  readonly #ended: number[] = [];
  #open = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  take(limits: CallLimits): Turn {
    let waiting: Waiting | undefined;
    const turn = new Promise<void>((resolve) => {
      waiting = { limits, go: resolve };
      this.#waiting.push(waiting);
    });
    this.#next();
    return {
      turn,
      leave: () => {
        const index = waiting === undefined ? -1 : this.#waiting.indexOf(waiting);
        if (index === -1) this.done();
        else this.#waiting.splice(index, 1);
        this.#next();
      },
    };
  }

  done(): void {
    this.#open--;
    this.#ended.push(milliseconds());
    this.#next();
  }

  /** Starts every call that may start. The first one that may not holds up all behind it. */
  #next(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const waitMs = this.#waitFor(first.limits);
      if (waitMs > 0) {
        if (Number.isFinite(waitMs)) this.#timer = setTimeout(() => this.#next(), Math.ceil(waitMs));
        return;
      }
      this.#waiting.shift();
      this.#open++;
      first.go();
    }
  }

  /** Milliseconds until the next call may start; Infinity if another one must end first. */
  #waitFor({ perMinute = Number.POSITIVE_INFINITY, atOnce = Number.POSITIVE_INFINITY }: CallLimits): number {
    const now = milliseconds();
    while ((this.#ended[0] ?? now) <= now - minute) this.#ended.shift();
    if (this.#open >= atOnce || this.#open >= perMinute) return Number.POSITIVE_INFINITY;
    const over = this.#open + this.#ended.length + 1 - perMinute;
    if (over <= 0) return 0;
    return (this.#ended[over - 1] ?? now) + minute - now;
  }
}

const key = Symbol.for('wf-lang.call-limits.1');
const registry = globalThis as { [key]?: Map<string, Turns> }; // open to any key, which TypeScript does not know
registry[key] ??= new Map();
const addresses = registry[key];

/** The key by which the limits of a service count: its address, or a substitute. */
function limitedAddress({ kind, name, url, module, provider, model }: ServiceSpec, env: Environment): string {
  const named = url ?? model;
  return JSON.stringify([kind, provider, module, named === undefined ? name : (filledTemplate(named, env) ?? name)]);
}

const takeTurn: TakeTurn = (address, limits) => {
  let turns = addresses.get(address);
  if (turns === undefined) {
    turns = new Turns();
    addresses.set(address, turns);
  }
  return turns.take(limits);
};

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

/** The call queues up now. `undefined` for a service without limits. */
export function callTurn(run: Run, { service, location }: CallRequest): CallTurn | undefined {
  if (service.limits === undefined) return undefined;
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
