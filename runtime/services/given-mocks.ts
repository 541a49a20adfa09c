// Reads mock answers by service and call. People may write them in more ways than a run needs.
import type { TimeSpan } from '../dates/date-unit.js';
import { readTimeSpan, spanHint } from '../run/time-span.js';
import type { MockAnswer, MockCall, Mocks, Value, WfRecord } from '../types.js';
import { percentDecoded } from '../values/percent-decoded.js';
import { isRecord, record } from '../values/record.js';
import { show } from '../values/values.js';
import { retryableStatus } from './http-status.js';
import { mockConfidence, standardAnswer, succeeded } from './mock.js';

export interface GivenMocks extends Mocks {
  /** Answers that were never used, as people know them: `Stock: "get stokc"`. */
  unused(): string[];
  /** Services with answers, in the order of the file. */
  services(): string[];
  /**
   * Sentences about the unused answers of a service, with the calls that matched none. May contain values of the run, so redact
   * them.
   */
  warnings(service: string): string[];
}

export type ParsedMocks = { readonly ok: true; readonly mocks: GivenMocks } | { readonly ok: false; readonly message: string };

/** Returns the next answer each time. */
type Answers = (call: MockCall) => MockAnswer;

interface Entry {
  readonly label: string;
  readonly answers: Answers;
  used: boolean;
}

/**
 * Mock answers by service, then by verb phrase with path, verb phrase, path, verb, or the instruction of an AI. An answer is a
 * value, or a record with exactly these keys: `status` (100–599, with `value` or `body`, and `headers`), `fail` and `then`,
 * `error`, or `inTurn` (a list; the last one repeats). Calls that match no answer get the default one.
 */
export function mocksFromJson(value: Value): ParsedMocks {
  if (!isRecord(value))
    return wrong(
      'Mock answers must be an object with a key for each service, such as { "Stock": { "get stock": { "level": 4 } } }.',
    );
  const services = new Map<string, Map<string, Entry>>();
  for (const [service, answers] of Object.entries(value)) {
    if (!isRecord(answers))
      return wrong(`The mock answers for "${service}" must be an object with a key for each call, such as { "get stock": … }.`);
    const entries = new Map<string, Entry>();
    for (const [key, answer] of Object.entries(answers)) {
      const label = `${service}: "${key}"`;
      const parsed = answersOf(answer);
      if (typeof parsed === 'string') return wrong(`The mock answer ${label} ${parsed}.`);
      entries.set(key, { label, answers: parsed, used: false });
    }
    services.set(service, entries);
  }
  return { ok: true, mocks: given(services) };
}

const wrong = (message: string): ParsedMocks => ({ ok: false, message });

function given(services: ReadonlyMap<string, ReadonlyMap<string, Entry>>): GivenMocks {
  /** Calls per service that matched no answer, named as an answer could name them. */
  const unanswered = new Map<string, Set<string>>();
  const unusedOf = (entries: ReadonlyMap<string, Entry>): string[] =>
    [...entries.values()].filter((entry) => !entry.used).map(({ label }) => label);
  return {
    answer(call) {
      const entries = services.get(call.service.name);
      for (const key of entries === undefined ? [] : keysOf(call)) {
        const entry = entries?.get(key);
        if (entry === undefined) continue;
        entry.used = true;
        return entry.answers(call);
      }
      const calls = unanswered.get(call.service.name) ?? new Set();
      unanswered.set(call.service.name, calls);
      if (calls.size < mostKept) calls.add(exactKey(call));
      return standardAnswer(call);
    },
    hasAnswer(call) {
      const entries = services.get(call.service.name);
      return entries !== undefined && [...keysOf(call)].some((key) => entries.has(key));
    },
    unused: () => [...services.values()].flatMap(unusedOf),
    services: () => [...services.keys()],
    warnings(service) {
      const calls = [...(unanswered.get(service) ?? [])].map((call) => JSON.stringify(call));
      const others = calls.length === 0 ? '' : ` These calls of ${service} matched no answer: ${calls.join(', ')}.`;
      return unusedOf(services.get(service) ?? new Map()).map((label) => `the mock answer ${label} was never used.${others}`);
    },
  };
}

/** Calls to list in a warning about a service. */
const mostKept = 5;

/** The possible keys of a call, most exact first. */
function* keysOf(call: MockCall): Generator<string> {
  const phrase = phraseOf(call);
  const paths = call.path === undefined ? [] : pathsOf(call.path);
  for (const path of paths) yield `${phrase} ${path}`;
  if (call.instruction !== undefined) yield call.instruction;
  yield phrase;
  yield* paths;
  yield call.verb;
}

/** With and without the query, the leading slash, and the encoding of values: a file may write a path in any of these ways. */
function pathsOf(path: string): string[] {
  const inner = path.replace(/^\//, '');
  const ways = [`/${inner}`, inner].flatMap((way) => [way, way.split('?', 1)[0] ?? way]);
  return [...new Set([path, ...ways, ...ways.map(percentDecoded)])].filter((way) => way !== '');
}

const phraseOf = ({ verb, description }: MockCall): string => (description === '' ? verb : `${verb} ${description}`);

/** The key that no other call shares. Recordings use it. */
export function exactKey(call: MockCall): string {
  return call.path === undefined ? phraseOf(call) : `${phraseOf(call)} ${call.path}`;
}

/** Whether these are all of its keys, including the first. A record with other keys is a plain value. */
function isForm(value: WfRecord, required: string, ...optional: string[]): boolean {
  return Object.hasOwn(value, required) && Object.keys(value).every((key) => key === required || optional.includes(key));
}

const isStatus = (value: Value): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 599;

/** Whether a value would be mistaken for one of the forms. */
export function looksLikeForm(value: Value): boolean {
  return (
    isRecord(value) &&
    ((isForm(value, 'status', 'value', 'body', 'headers') && isStatus(value.status)) ||
      isForm(value, 'fail', 'then') ||
      isForm(value, 'error') ||
      isForm(value, 'inTurn') ||
      isForm(value, 'takes', 'status', 'value', 'body', 'headers', 'fail', 'then', 'error') ||
      isForm(value, 'answer', 'after'))
  );
}

/** The answers that a value stands for, or what is wrong with it. */
function answersOf(value: Value): Answers | string {
  if (Array.isArray(value)) return listAnswers(value);
  if (!looksLikeForm(value) || !isRecord(value)) return (call) => answering(call, value);
  if (Object.hasOwn(value, 'takes')) return slowAnswers(value);
  if (Object.hasOwn(value, 'answer')) return personsAnswers(value);
  if (Object.hasOwn(value, 'status')) return statusAnswers(value);
  if (Object.hasOwn(value, 'error')) {
    const { error } = value;
    return typeof error === 'string' ? () => ({ ok: false, message: error, retryable: true }) : 'has an "error" that is not text';
  }
  return Object.hasOwn(value, 'fail') ? failingAnswers(value) : answersInTurn(value.inTurn);
}

/** A person gives the answers in turn. To others, a list is the answer. */
function listAnswers(list: Value[]): Answers | string {
  if (list.length === 0) return (call) => answering(call, list);
  const inTurn = answersInTurn(list);
  return typeof inTurn === 'string' ? inTurn : (call) => (call.service.kind === 'person' ? inTurn(call) : answering(call, list));
}

/** `{ "answer": "approve", "after": "2 days" }`: so long after the question. */
function personsAnswers(value: WfRecord): Answers | string {
  const { answer, after } = value;
  const takes = after === undefined ? undefined : spanOf(after);
  if (typeof takes === 'string') return `has "after": ${takes}`;
  return (call) =>
    call.service.kind === 'person'
      ? { ...answering(call, answer), ...(takes === undefined ? {} : { takes }) }
      : answering(call, value);
}

/** `{ "takes": "5 minutes", … }`: an answer of any other form, so long after the call. */
function slowAnswers({ takes: given, ...rest }: WfRecord): Answers | string {
  const takes = spanOf(given);
  if (typeof takes === 'string') return `has "takes": ${takes}`;
  const isWhole = Object.keys(rest).length === 1 && Object.hasOwn(rest, 'value');
  const answers = Object.keys(rest).length === 0 ? standardAnswer : answersOf(isWhole ? rest.value : rest);
  return typeof answers === 'string' ? answers : (call) => ({ ...answers(call), takes });
}

/** The mistake, if it is no amount of time. */
function spanOf(value: Value): TimeSpan | string {
  const span = typeof value === 'string' ? readTimeSpan(value) : undefined;
  return span ?? `${JSON.stringify(value ?? null)}, which is no amount of time. ${spanHint.replace(/\.$/, '')}`;
}

function statusAnswers({ status, value, body, headers }: WfRecord): Answers | string {
  if (!isStatus(status)) return 'has an invalid status';
  if (headers !== undefined && !isRecord(headers)) return 'has "headers" that are not an object';
  const given = value === undefined ? body : value;
  if (status >= 200 && status <= 299)
    return (call) => ({ ...answering(call, given), status, ...(headers === undefined ? {} : { headers: inLowerCase(headers) }) });
  const failed = { ok: false, message: `status ${status}`, status, retryable: retryableStatus(status) } as const;
  return () => (given === undefined ? failed : { ...failed, body: typeof given === 'string' ? given : show(given) });
}

/** Like real answers, so that a workflow can't depend on how a file writes a name. */
const inLowerCase = (headers: WfRecord): WfRecord =>
  record(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const));

function failingAnswers({ fail, then }: WfRecord): Answers | string {
  if (typeof fail !== 'number' || !Number.isInteger(fail) || fail < 0)
    return 'needs a whole number for "fail", such as { "fail": 2, "then": { "level": 4 } }';
  const after = then === undefined ? standardAnswer : answersOf(then);
  if (typeof after === 'string') return after;
  let left = fail;
  return (call) => (left-- > 0 ? { ok: false, message: 'status 503', status: 503, retryable: true } : after(call));
}

function answersInTurn(list: Value): Answers | string {
  if (!Array.isArray(list) || list.length === 0) return 'needs a list with at least one answer for "inTurn"';
  const turns: Answers[] = [];
  for (const value of list) {
    const answers = answersOf(value);
    if (typeof answers === 'string') return answers;
    turns.push(answers);
  }
  let next = 0;
  return (call) => turns[Math.min(next++, turns.length - 1)]?.(call) ?? standardAnswer(call);
}

function answering(call: MockCall, value: Value): Extract<MockAnswer, { ok: true }> {
  if (call.service.kind !== 'ai') return succeeded(value ?? null);
  if (!isRecord(value) || !isForm(value, 'result', 'confidence'))
    return { ...succeeded(value ?? null), confidence: mockConfidence };
  const { confidence } = value;
  return { ...succeeded(value.result ?? null), confidence: typeof confidence === 'number' ? confidence : mockConfidence };
}
