// Runs a workflow once as a case would, with an own clock, environment and answers, and keeps everything that people would notice.
import { type GivenMocks, mocksFromJson } from '../../runtime/services/given-mocks.js';
import type { Outcome, Value, WfRecord } from '../../runtime/types.js';
import { EXAMPLE_DAY } from '../analysis/witness.js';
import type { Engine } from '../engine/engine.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import { observedCall } from './observed-call.js';
import type { ObservedCall } from './test-case.js';

/** A request and everything else that decides what a run does. */
export interface Trial {
  readonly request: WfRecord;
  readonly mocks: WfRecord;
  readonly messages: WfRecord;
  readonly env: Readonly<Record<string, string>>;
}

export interface Tried {
  readonly outcome: Outcome;
  readonly calls: readonly ObservedCall[];
  /** What `wait` and `wait for` lines waited for, in order. */
  readonly waits: readonly string[];
  readonly reached: ReadonlySet<number>;
  /** The request did not fit the declared inputs, so nothing ran. */
  readonly isRefused: boolean;
}

/** When trials start. */
const START = new Date(`${EXAMPLE_DAY}T00:00:00Z`);
/** A trial that takes longer is given up. */
const LONGEST_MS = 2_000;

export async function tryOut(engine: Engine, prepared: Prepared, { request, mocks, messages, env }: Trial): Promise<Tried> {
  const calls: ObservedCall[] = [];
  const reached = new Set<number>();
  const waits: string[] = [];
  const { outcome } = await engine.execute(prepared, request, {
    env,
    mock: { ...answersOf(mocks), messages: messagesOf(messages) },
    startedAt: START,
    timeoutMs: LONGEST_MS,
    onReach: (index) => void reached.add(index),
    onExchange: (exchange) => void calls.push(observedCall(exchange)),
    onLog(entry) {
      if (entry.type === 'wait' || entry.type === 'message') waits.push(waitText(entry));
    },
  });
  return { outcome, calls, waits, reached, isRefused: outcome.error?.problems !== undefined };
}

const waitText = ({
  type,
  name,
  until,
  message,
}: {
  readonly type: string;
  readonly name?: Value;
  readonly until?: Value;
  readonly message?: string;
}): string => [type, name, until, message].filter((part) => part !== undefined).join(' ');

function answersOf(mocks: WfRecord): GivenMocks {
  const parsed = mocksFromJson(mocks);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.mocks;
}

const messagesOf = (messages: WfRecord): Record<string, WfRecord | 'none'> =>
  Object.fromEntries(
    Object.entries(messages).map(([name, message]) => [
      name,
      typeof message === 'object' && message !== null && !Array.isArray(message) ? message : ('none' as const),
    ]),
  );
