// `wait for` a message: from the journal of a run in a store, from mock answers, or in memory, where no message can come.
import type { Clock } from '../run/clock.js';
import type { EffectSite } from '../run/durable-run.js';
import type { Run } from '../run/run.js';
import { spanMs } from '../run/time-span.js';
import { sleepOf } from '../run/wait.js';
import type { SourceLocation, Value, WfRecord } from '../types.js';
import { WfError } from '../values/errors.js';
import { record } from '../values/record.js';
import { equal, isEmpty } from '../values/values.js';

/** The arguments that an emitted module passes to `receive`. */
interface ReceiveRequest {
  readonly name: string;
  /** Fields that the message must have. Without any, only a message sent to this run matches. */
  readonly pairs: readonly (readonly [key: string, value: Value])[];
  /** Milliseconds; absent for as long as the run may take. */
  readonly timeoutMs?: number;
  /** Statements handle a missing message. Otherwise it ends the run. */
  readonly handled: boolean;
  readonly location: SourceLocation;
  readonly site: number;
}

export async function receive(run: Run, request: ReceiveRequest): Promise<Value> {
  run.check();
  const { name, pairs, handled, location } = request;
  const empty = pairs.find(([, value]) => isEmpty(value));
  if (empty !== undefined) throw emptyMessagePair(name, empty[0], location);
  const message = await wanted(run, request);
  if (message === undefined && !handled) throw noMessage(name, location);
  return message;
}

async function wanted(run: Run, { name, pairs, timeoutMs, location, site }: ReceiveRequest): Promise<Value> {
  const [line] = location;
  if (run.mocks !== undefined) {
    const message = await mockMessage(run, name, pairs, timeoutMs ?? Number.POSITIVE_INFINITY, line);
    run.moveOn();
    run.journal.add('message', line, { name, received: message !== undefined });
    return message;
  }
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  if (run.durable !== undefined) {
    const title = `wait for ${name}`;
    const place: EffectSite = { kind: 'message', site, line, title, identity: `message ${name}` };
    const received = await run.durable.receive(place, { name, pairs, ...limit }, sleepOf(run));
    if (!received.replayed) run.journal.add('message', line, { name, received: received.result !== undefined });
    return received.result ?? undefined;
  }
  run.options.onAwaited?.(line, `the message "${name}"`);
  await run.pause(timeoutMs ?? Number.POSITIVE_INFINITY);
  run.moveOn();
  run.journal.add('message', line, { name, received: false });
  return undefined;
}

const emptyMessagePair = (name: string, key: string, location: SourceLocation): WfError =>
  new WfError('WF634', `I can't wait for "${name}": "${key}" is empty, so no message could ever match it.`, location);

const noMessage = (name: string, location: SourceLocation): WfError =>
  new WfError(
    'WF635',
    `No message "${name}" came in time. To continue without it, add "if nothing comes:" below the line.`,
    location,
  );

/**
 * The messages of a run with mock answers, on its simulated clock: each arrives at its time, and goes to the first wait that it fits.
 */
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
async function mockMessage(run: Run, name: string, pairs: Pairs, timeoutMs: number, line: number): Promise<Value> {
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

/** A field that a message leaves out fits anything. */
const fits = (message: WfRecord, pairs: Pairs): boolean =>
  pairs.every(([key, value]) => !Object.hasOwn(message, key) || equal(message[key], value));
