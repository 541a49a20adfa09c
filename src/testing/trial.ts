// Runs a workflow once as a case would, with an own clock, environment and answers, and keeps everything that people would notice.
import { DAY_MS, durationText } from '../../runtime/dates/date-unit.js';
import { calendarText } from '../../runtime/services/call-errors.js';
import { type GivenMocks, mocksFromJson } from '../../runtime/services/given-mocks.js';
import type { CallRequest, Mocks, Outcome, ServiceKind, WfRecord } from '../../runtime/types.js';
import { isRecord } from '../../runtime/values/record.js';
import type { MadeCall } from '../analysis/variations.js';
import { EXAMPLE_DAY } from '../analysis/witness.js';
import type { Engine } from '../engine/engine.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import { observedCall } from './compare-outcome.js';
import type { MarginWatch } from './margins.js';
import type { ObservedCall } from './test-case.js';

/** A request and everything else that decides what a run does. */
export interface Trial {
  readonly request: WfRecord;
  readonly mocks: WfRecord;
  readonly messages: WfRecord;
  readonly env: Readonly<Record<string, string>>;
  /** When it starts, if not on the day of examples, which is a Monday. */
  readonly at?: string;
}

/** A real called workflow has no status. */
type TriedCall = ObservedCall & { readonly kind: ServiceKind; readonly ok: boolean };

/** A call, and what the file says about how it is sent: no answer of a mock service shows that. */
interface SentCall {
  readonly call: TriedCall;
  /** `at most once`, `retries 2 times waiting 5 seconds`. */
  readonly sending: readonly string[];
}

export interface Tried {
  readonly outcome: Outcome;
  readonly calls: readonly TriedCall[];
  /** The events, in order: calls, messages, and how long the run waited before them. */
  readonly events: readonly (SentCall | string)[];
  readonly reached: ReadonlySet<number>;
  /** The answers that no call asked for, `Stock: "get stock"`, and the messages for which no line waited. */
  readonly unused: ReadonlySet<string>;
  /** The request did not fit the declared inputs, so nothing ran. */
  readonly isRefused: boolean;
}

/** A trial that takes longer is given up. */
const LONGEST_MS = 2_000;

/** @param watch follows the run, if the module was prepared with `trace` */
export async function tryOut(
  engine: Engine,
  prepared: Prepared,
  { request, mocks, messages, env, at = EXAMPLE_DAY }: Trial,
  watch?: MarginWatch,
): Promise<Tried> {
  const events: (SentCall | string)[] = [];
  const reached = new Set<number>();
  const given = answersOf(mocks);
  const unused = new Set(Object.keys(messages));
  const { outcome } = await engine.execute(prepared, request, {
    env,
    mock: {
      ...given,
      messages: messagesOf(messages),
      pauses: (ms) => void events.push(`waits ${waitWords(ms)}`),
      awaits(name, pairs) {
        unused.delete(name);
        events.push(`waits for ${name} ${JSON.stringify(pairs)}`);
      },
    },
    startedAt: new Date(at),
    timeoutMs: LONGEST_MS,
    onReach(index) {
      reached.add(index);
      watch?.reach(index);
    },
    onExchange(exchange) {
      const { call, request, result } = exchange;
      const sent = { call: { ...observedCall(exchange), kind: call.service.kind, ok: result.ok }, sending: sendingOf(request) };
      // A question is asked before the run waits for its answer.
      const isUnanswered = call.service.kind === 'person' && !result.ok && String(events.at(-1)).startsWith('waits ');
      events.splice(isUnanswered ? -1 : events.length, 0, sent);
    },
    onLog(entry) {
      if (entry.type === 'set' && typeof entry.name === 'string') watch?.set(entry.name, entry.value ?? null);
      if (entry.type === 'message') events.push(`${entry.received === true ? 'receives' : 'gets no'} ${String(entry.name)}`);
    },
  });
  const calls = events.flatMap((event) => (typeof event === 'string' ? [] : [event.call]));
  for (const answer of given.unused()) unused.add(answer);
  return { outcome, calls, events, reached, unused, isRefused: outcome.error?.problems !== undefined };
}

/** Each call once, as mock answers name it. */
export function madeCalls({ calls }: Tried): MadeCall[] {
  const made = new Map<string, MadeCall>();
  for (const { service, phrase, kind, choices, attempt } of calls) {
    if (typeof service !== 'string' || typeof phrase !== 'string') continue;
    const listed = Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [];
    const key = `${service} ${phrase}`;
    const count = (made.get(key)?.count ?? 0) + (typeof attempt === 'number' && attempt > 1 ? 0 : 1);
    made.set(key, { service, phrase, choices: listed, kind, count });
  }
  return [...made.values()];
}

/** The messages for which it waited more than once. */
export function repeatedWaits({ events }: Tried): string[] {
  const names = events.flatMap((event) => (typeof event === 'string' ? (/^waits for (\S+) /.exec(event)?.[1] ?? []) : []));
  return [...new Set(names.filter((name, index) => names.indexOf(name) < index))];
}

/** The answers that a call of any of these runs got, even if the run ended before they came. */
export function usedAnswers(mocks: WfRecord, ...runs: readonly Tried[]): WfRecord {
  const used = Object.entries(mocks).map(([service, answers]): [string, WfRecord] => [
    service,
    Object.fromEntries(
      Object.entries(answers !== undefined && isRecord(answers) ? answers : {}).filter(([phrase]) =>
        runs.some(({ unused }) => !unused.has(`${service}: "${phrase}"`)),
      ),
    ),
  ]);
  return Object.fromEntries(used.filter(([, answers]) => Object.keys(answers).length > 0));
}

/** The messages that a wait of any of these runs got. */
export const usedMessages = (messages: WfRecord, ...runs: readonly Tried[]): WfRecord =>
  Object.fromEntries(Object.entries(messages).filter(([name]) => runs.some(({ unused }) => !unused.has(name))));

function sendingOf({ withinMs, within, remindMs, remind, timeoutMs, retry, atMostOnce, headers = [] }: CallRequest): string[] {
  const { times = 0, waitMs = 0, doubling } = retry ?? {};
  const waiting = waitMs === 0 ? '' : ` waiting ${waitWords(waitMs)}${doubling === true ? ', doubling' : ''}`;
  return [
    ...headers.map(([name, value]) => `header ${name} ${JSON.stringify(value)}`),
    ...(withinMs === undefined ? [] : [`within ${within === undefined ? waitWords(withinMs) : calendarText(within)}`]),
    ...(remindMs === undefined ? [] : [`remind every ${remind === undefined ? waitWords(remindMs) : calendarText(remind)}`]),
    ...(timeoutMs === undefined ? [] : [`timeout ${waitWords(timeoutMs)}`]),
    ...(retry === undefined ? [] : [`retry ${times} ${times === 1 ? 'time' : 'times'}${waiting}`]),
    ...(atMostOnce === true ? ['at most once'] : []),
  ];
}

function waitWords(ms: number): string {
  if (!Number.isFinite(ms)) return 'without end';
  return ms % DAY_MS === 0 && ms > 0 ? `${ms / DAY_MS} ${ms === DAY_MS ? 'day' : 'days'}` : durationText(ms);
}

function answersOf(mocks: WfRecord): GivenMocks {
  const parsed = mocksFromJson(mocks);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.mocks;
}

const messagesOf = (messages: WfRecord): NonNullable<Mocks['messages']> =>
  Object.fromEntries(
    Object.entries(messages).map(([name, message]) => {
      if (Array.isArray(message)) return [name, message.flatMap((one) => (isRecord(one) ? [{ message: one }] : []))];
      return [name, message !== undefined && isRecord(message) ? message : 'none'];
    }),
  );
