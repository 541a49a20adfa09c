// The messages of a run with mock answers, on its simulated clock: each arrives at its time, and goes to the first wait that it fits.
import type { Clock } from '../run/clock.js';
import type { Run } from '../run/run.js';
import { spanMs } from '../run/time-span.js';
import type { Value, WfRecord } from '../types.js';
import { record } from '../values/record.js';
import { equal } from '../values/values.js';

type Pairs = readonly (readonly [key: string, value: Value])[];

interface Arrival {
  /** On the clock of the run. */
  readonly at: number;
  readonly message: WfRecord;
  isTaken: boolean;
}

/** Called workflows share the clock of their caller, and its messages. */
const arrivals = new WeakMap<Clock, Map<string, Arrival[]>>();

/**
 * Waits for a message, at most for so many milliseconds.
 * @returns the message with the pairs that it leaves out; `undefined` if none came in time
 * @throws RunEnded
 */
export async function mockMessage(run: Run, name: string, pairs: Pairs, timeoutMs: number, line: number): Promise<Value> {
  run.mocks?.awaits?.(name, record(pairs));
  const given = run.mocks?.messages;
  const messages = given !== undefined && Object.hasOwn(given, name) ? given[name] : record([...pairs, ['mock', true]]);
  if (messages !== 'none' && !Array.isArray(messages)) return messages as WfRecord; // the other forms of the type
  if (!run.clock.isSimulated) return messages === 'none' ? undefined : { ...messages[0]?.message };
  const end = run.clock.milliseconds() + timeoutMs;
  for (;;) {
    const next = arrivalsOf(run, name).find(({ message, isTaken }) => !isTaken && fits(message, pairs));
    const left = end - run.clock.milliseconds();
    if (next !== undefined && next.at <= run.clock.milliseconds()) {
      next.isTaken = true;
      return { ...record(pairs), ...next.message };
    }
    if (left < 1) return undefined;
    const until = next === undefined ? Number.POSITIVE_INFINITY : next.at - run.clock.milliseconds();
    await run.pause(Math.min(left, until), undefined, `line ${line} waits for the message "${name}"`);
  }
}

/** In the order of their times; among equals, in that of the case. */
function arrivalsOf(run: Run, name: string): readonly Arrival[] {
  let ofRun = arrivals.get(run.clock);
  if (ofRun === undefined) {
    ofRun = new Map();
    arrivals.set(run.clock, ofRun);
  }
  let own = ofRun.get(name);
  if (own === undefined) {
    const given = run.mocks?.messages?.[name];
    const start = run.clock.now() - run.clock.milliseconds();
    own = (Array.isArray(given) ? given : [])
      .map(({ after, message }) => ({ at: after === undefined ? 0 : spanMs(run, after, start), message, isTaken: false }))
      .sort((one, other) => one.at - other.at);
    ofRun.set(name, own);
  }
  return own;
}

/** What a message leaves out fits anything. */
const fits = (message: WfRecord, pairs: Pairs): boolean =>
  pairs.every(([key, value]) => !Object.hasOwn(message, key) || equal(message[key], value));
