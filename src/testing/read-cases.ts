// Reads the case file next to a workflow.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isCredentialHeader, waysReceived } from '../../runtime/run/received.js';
import { readTimeSpan, spanHint } from '../../runtime/run/time-span.js';
import type { GivenMocks } from '../../runtime/services/given-mocks.js';
import { verbs } from '../../runtime/services/verbs.js';
import { anyOf } from '../../runtime/texts/words.js';
import type { MockMessage, Value, WfRecord } from '../../runtime/types.js';
import { isRecord } from '../../runtime/values/record.js';
import { closest } from '../compiler/diagnostics/suggest.js';
import { type JsonFile, parseMocks, readJsonFile, readMocks } from '../engine/files/mocks-file.js';
import { UsageError } from '../engine/usage-error.js';
import {
  callKeys,
  caseKeys,
  type Expectation,
  type ExpectedText,
  expectationKeys,
  receivedKeys,
  statuses,
  type TestCase,
} from './test-case.js';

export interface CaseFile {
  /** The path for messages. */
  readonly file: string;
  readonly cases: readonly TestCase[];
}

/** `orders/order.wf` → `orders/order.test.json`. */
export const caseFileOf = (workflow: string): string => workflow.replace(/\.wf$/, '.test.json');

/**
 * Returns the cases of a workflow, or `undefined` if it has no case file.
 * @throws UsageError with file, line and case if anything is wrong with it
 */
export function readCases(workflow: string, cwd: string): CaseFile | undefined {
  const file = caseFileOf(workflow);
  const full = path.resolve(cwd, file);
  if (!existsSync(full)) return undefined;
  const whole = new JsonCursor(...wholeOf(file, full));
  const parts = whole.items('a list of cases').map((part, index) => part.named(nameOf(part, index)));
  if (parts.length === 0) throw whole.fault('the file contains no cases', 'Write at least one, or delete the file.');
  const cases = parts.map((part) => readCase(part, path.dirname(full)));
  cases.forEach(({ name }, index) => {
    const first = cases.findIndex((other) => other.name === name);
    if (first !== index)
      throw parts[index]
        ?.field('name')
        ?.fault(`case ${index + 1} has the same name as case ${first + 1}: ${JSON.stringify(name)}`);
  });
  return { file, cases };
}

const hint = 'Write a list of cases: [{ "name": "in stock", "input": {}, "expect": { "status": "completed" } }].';

/** The list of cases: either the whole file, or the field `cases`, which leaves room for `$schema`. */
function wholeOf(file: string, full: string): ConstructorParameters<typeof JsonCursor> {
  const json = readJsonFile(file, full);
  const { value } = json;
  if (Array.isArray(value)) return [json, value, [], 'the file'];
  if (typeof value !== 'object' || value === null) throw new UsageError(`${file} must contain a list of cases.`, hint);
  const whole = new JsonCursor(json, value, [], 'the file');
  if (!Object.hasOwn(value, 'cases')) throw whole.fault('the file has no list of cases', hint);
  whole.onlyKeys(['$schema', 'cases']);
  return [json, value.cases, ['cases'], '"cases"'];
}

function nameOf({ value }: JsonCursor, index: number): string {
  const name =
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'name') ? value.name : undefined;
  return typeof name === 'string' && name !== '' ? `case ${index + 1} (${JSON.stringify(name)})` : `case ${index + 1}`;
}

function readCase(part: JsonCursor, folder: string): TestCase {
  part.onlyKeys(caseKeys);
  const name = part.field('name')?.text('in stock') ?? '';
  if (name.trim() === '') throw part.fault(`${part.what} has no name`, 'Give each case a "name" that says what it tests.');
  const expect = part.field('expect');
  if (expect === undefined) throw part.fault(`${part.what} has no "expect"`, 'For example: "expect": { "status": "completed" }');
  const [at, now] = [part.field('at'), part.field('now')];
  if (at !== undefined && now !== undefined) throw now.fault('"at" and "now" both say when the run starts', 'Keep one of them.');
  const start = at ?? now;
  return {
    name,
    input: part.field('input', {}).record(),
    env: readEnv(part.field('env', {})),
    ...(start === undefined ? {} : { now: readMoment(start) }),
    ...readReceived(part.field('received')),
    mocks: readCaseMocks(part.field('mocks', {}), folder),
    messages: readMessages(part.field('messages', {})),
    expect: readExpectation(expect),
  };
}

function readMessages(part: JsonCursor): TestCase['messages'] {
  const messages: Record<string, NonNullable<TestCase['messages'][string]>> = Object.create(null);
  for (const name of Object.keys(part.record())) {
    const given = part.field(name, null);
    if (given.value === 'none') messages[name] = 'none';
    else if (Array.isArray(given.value)) messages[name] = given.items('a list of messages').map(readMessage);
    else if (isTimed(given)) messages[name] = [readMessage(given)];
    else messages[name] = readFields(given);
  }
  return messages;
}

/** `{ "after": "3 days", "message": { … } }`, even if one of the two is missing or misspelt. Other fields are those of a message. */
const isTimed = ({ value }: JsonCursor): boolean => {
  if (!isRecord(value)) return false;
  const isTime = (time: unknown): boolean => typeof time === 'string' && readTimeSpan(time) !== undefined;
  return Object.hasOwn(value, 'message') && isRecord(value.message)
    ? Object.hasOwn(value, 'after') || Object.values(value).some(isTime)
    : isTime(value.after);
};

function readMessage(part: JsonCursor): MockMessage {
  if (!isTimed(part)) return { message: readFields(part) };
  part.onlyKeys(['after', 'message']);
  const after = part.field('after', '');
  const span = readTimeSpan(after.text('3 days'));
  if (span === undefined)
    throw after.fault(`${after.what} is ${JSON.stringify(after.value)}, which is no amount of time`, spanHint);
  return { message: readFields(part.field('message', {})), after: span };
}

function readFields(part: JsonCursor): WfRecord {
  const fields = part.record('the fields of the message, a list of messages, or "none" for silence');
  if (Object.keys(fields).join() === 'inTurn')
    throw part.fault(`${part.what} has "inTurn", which is for mock answers`, 'Write several messages as a list: [{ … }, { … }].');
  return fields;
}

/** The value of `received` without its time, which is the start of the run. */
function readReceived(part: JsonCursor | undefined): Pick<TestCase, 'received'> {
  if (part === undefined) return {};
  part.record();
  part.onlyKeys(receivedKeys);
  const [headers, query] = [part.field('headers', {}), part.field('query', {})];
  const by = part.field('by', 'http').oneOf(waysReceived);
  const [id, caller] = [part.field('id')?.text('r-1'), part.field('caller')?.text('the-shop')];
  const given = { headers: readHeaders(headers), query: readQuery(query), ...(caller === undefined ? {} : { caller }) };
  return { received: { by, id: id ?? 'test', ...given } };
}

/** With names in lower case, as HTTP gives them. */
function readHeaders(part: JsonCursor): WfRecord {
  const headers = Object.keys(part.record()).map((name) => {
    const field = part.field(name, '');
    if (isCredentialHeader(name.toLowerCase()))
      throw field.fault(`${field.what} is a credential, which no workflow sees`, 'Leave it out.');
    return [name.toLowerCase(), field.text('4711')];
  });
  return Object.fromEntries(headers);
}

/** A parameter that occurs several times has a list. */
function readQuery(part: JsonCursor): WfRecord {
  const query = Object.keys(part.record()).map((name) => {
    const field = part.field(name, '');
    return [name, Array.isArray(field.value) ? field.items('a list of texts').map((item) => item.text('2')) : field.text('2')];
  });
  return Object.fromEntries(query);
}

function readEnv(part: JsonCursor): Record<string, string> {
  const env: Record<string, string> = Object.create(null);
  for (const name of Object.keys(part.record())) env[name] = part.field(name, '').text('3000');
  return env;
}

/**
 * Answers in the case itself, or the name of a file with them, relative to the case file. Read once now, so that errors show
 * early.
 */
function readCaseMocks(part: JsonCursor, folder: string): () => GivenMocks {
  const { value, what } = part;
  const read = (): GivenMocks => {
    if (typeof value === 'string') return readMocks(value, folder);
    const parsed = parseMocks(value);
    if (!parsed.ok) throw new UsageError(parsed.message);
    return parsed.mocks;
  };
  try {
    read();
  } catch (error) {
    if (error instanceof UsageError) throw part.fault(`wf can't use ${what}: ${error.message.replace(/\.$/, '')}`, error.hint);
    throw error;
  }
  return read;
}

/** The possible methods of a call. */
const methods = [...(Object.keys(verbs) as (keyof typeof verbs)[]), 'POST'] as const; // Object.keys widens the keys to string

/** @throws UsageError */
function readExpectation(part: JsonCursor): Expectation {
  part.record();
  part.onlyKeys(expectationKeys);
  // Only a completed run has outputs.
  const status = part.field('status', part.field('outputs') === undefined ? undefined : 'completed');
  if (status === undefined) throw part.fault(`${part.what} has no "status"`, `Use one of ${statuses.join(', ')}.`);
  const [outputs, message, logs, calls] = (['outputs', 'message', 'logs', 'calls'] as const).map((key) => part.field(key));
  return {
    status: status.oneOf(statuses),
    ...(outputs === undefined ? {} : { outputs: outputs.record() }),
    ...(message === undefined ? {} : { message: readText(message, 'sold out') }),
    ...(logs === undefined ? {} : { logs: logs.items('a list of log lines').map((line) => readText(line, 'checking A1')) }),
    ...(calls === undefined ? {} : { calls: calls.items('a list of calls').map(readCall) }),
  };
}

/** Text, or `{ "contains": "…" }`. */
function readText(part: JsonCursor, example: string): ExpectedText {
  if (typeof part.value !== 'object' || part.value === null || Array.isArray(part.value)) return part.text(example);
  part.onlyKeys(['contains']);
  const contains = part.field('contains');
  if (contains === undefined) throw part.fault(`${part.what} has no "contains"`);
  return { contains: contains.text(example) };
}

function readCall(part: JsonCursor): WfRecord {
  const call = part.record('an object such as { "service": "Stock" }');
  part.onlyKeys(Object.keys(callKeys));
  for (const [key, form] of Object.entries(callKeys)) {
    const field = part.field(key);
    if (field === undefined) continue;
    if (key === 'method') field.oneOf(methods);
    else if (form === 'text') field.text(key === 'path' ? '/items/A1' : 'Stock');
    else if (form === 'record') field.record();
    else if (form === 'number' && typeof field.value !== 'number') throw field.fault(`${field.what} must be a number`);
  }
  return call;
}

const form = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/** A date, which starts at midnight UTC, or a moment with a time zone. Without one, it would differ between machines. */
function readMoment(part: JsonCursor): Date {
  const text = part.text('2026-03-02T09:30:00Z');
  const match = form.exec(text);
  const moment = new Date(text);
  // JavaScript reads `2026-02-30` as a day in March.
  const isReal =
    match?.[1] !== undefined &&
    !Number.isNaN(moment.getTime()) &&
    new Date(`${match[1]}T00:00:00Z`).toISOString().startsWith(match[1]);
  if (isReal) return moment;
  throw part.fault(
    `${part.what} is ${JSON.stringify(text)}; expected a date or a moment in UTC`,
    'For example "2026-03-02" or "2026-03-02T09:30:00Z".',
  );
}

// A part of a case file and the path that leads to it. Messages about it give file, line and case.

class JsonCursor {
  readonly value: Value;
  /** The name of a case in messages: `case 2 ("sold out")`, `"expect" of case 2 ("sold out")`. */
  readonly what: string;
  readonly #file: JsonFile;
  readonly #path: JsonPath;

  constructor(file: JsonFile, value: Value, path: JsonPath, what: string) {
    this.value = value;
    this.what = what;
    this.#file = file;
    this.#path = path;
  }

  /** @param problem a sentence without its full stop */
  fault(problem: string, hint?: string): UsageError {
    return new UsageError(`${this.#file.shown}, line ${lineOfPath(this.#file.text, this.#path)}: ${problem}.`, hint);
  }

  /** The part under a key, or `otherwise`, or `undefined`. Only for records. */
  field(key: string): JsonCursor | undefined;
  field(key: string, otherwise: Value): JsonCursor;
  field(key: string, otherwise?: Value): JsonCursor | undefined {
    const record = this.record();
    const value = Object.hasOwn(record, key) ? record[key] : otherwise;
    return value === undefined ? undefined : this.#inner(key, value, `"${key}" of ${this.what}`);
  }

  items(kind: string): JsonCursor[] {
    if (!Array.isArray(this.value)) throw this.fault(`${this.what} must be ${kind}, not ${typeOf(this.value)}`);
    return this.value.map((item, index) => this.#inner(index, item, `item ${index + 1} of ${this.what}`));
  }

  /** @param kind what is expected: `an object of texts` */
  record(kind = 'an object'): WfRecord {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.fault(`${this.what} must be ${kind}, not ${typeOf(value)}`);
    }
    return value;
  }

  text(example: string): string {
    if (typeof this.value === 'string') return this.value;
    throw this.fault(`${this.what} must be text such as ${JSON.stringify(example)}, not ${typeOf(this.value)}`);
  }

  /** The text, if it is one of these. */
  oneOf<Word extends string>(words: readonly Word[]): Word {
    const found = words.find((word) => word === this.value);
    if (found !== undefined) return found;
    const near = typeof this.value === 'string' ? closest(this.value, words) : undefined;
    const choice = anyOf(words.map((word) => `"${word}"`));
    const given = typeof this.value === 'string' ? JSON.stringify(this.value) : typeOf(this.value);
    throw this.fault(`${this.what} must be ${choice}, not ${given}`, near === undefined ? undefined : `Did you mean "${near}"?`);
  }

  /** @throws UsageError for any other key */
  onlyKeys(keys: readonly string[]): void {
    for (const key of Object.keys(this.record())) {
      if (keys.includes(key)) continue;
      const near = closest(key, keys);
      const meant = near === undefined ? '' : `Did you mean "${near}"?\n`;
      const place = this.#inner(key, undefined, '');
      throw place.fault(`${this.what} has an unknown key "${key}"`, `${meant}The known keys are ${keys.join(', ')}.`);
    }
  }

  /** Renames this part for messages. */
  named(what: string): JsonCursor {
    return new JsonCursor(this.#file, this.value, this.#path, what);
  }

  #inner(key: string | number, value: Value, what: string): JsonCursor {
    return new JsonCursor(this.#file, value, [...this.#path, key], what);
  }
}

function typeOf(value: Value): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

type JsonPath = readonly (string | number)[];

/** Of valid JSON: a text always ends. */
const tokens = /"(?:[^"\\]|\\.)*"?|[[\]{}:,]|[^\s[\]{}:,"]+/g;

/** The line, counting from 1, of the key or list item at `path`, or of the innermost one that exists. */
export function lineOfPath(text: string, path: JsonPath): number {
  const open: { readonly isList: boolean; key: string | number }[] = [];
  let isKeyNext = false;
  let nearest = { depth: -1, offset: 0 };
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const inner = open.at(-1);
    if (token === '}' || token === ']') {
      open.pop();
      isKeyNext = false;
    } else if (token === ',') {
      if (inner?.isList === true && typeof inner.key === 'number') inner.key++;
      else isKeyNext = true;
    } else if (token !== ':') {
      if (isKeyNext && inner !== undefined) inner.key = String(JSON.parse(token));
      const isPlace = isKeyNext || inner?.isList !== false;
      if (isPlace && open.length > nearest.depth && open.every(({ key }, depth) => key === path[depth])) {
        nearest = { depth: open.length, offset: index };
        if (open.length === path.length) break;
      }
      if (!isKeyNext && (token === '{' || token === '[')) {
        open.push(token === '{' ? { isList: false, key: '' } : { isList: true, key: 0 });
        isKeyNext = token === '{';
      } else isKeyNext = false;
    }
  }
  return text.slice(0, nearest.offset).split('\n').length;
}
