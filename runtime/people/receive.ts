// `wait for` a message: from the journal of a run in a store, from mock answers, or in memory, where no message can come.

import type { EffectSite } from '../run/durable-run.js';
import type { Run } from '../run/run.js';
import { sleepOf } from '../run/wait.js';
import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { isEmpty } from '../values/values.js';
import { mockMessage } from './mock-messages.js';

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
