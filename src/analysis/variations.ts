// Variations of a request and its answers, each different in one value: on both sides of every number, text and length of time that the file
// mentions, and of the other values beside it. They show what no single way through the file does, such as the second item of a list.
import { DAY_MS, isClockUnit, MINUTE_MS } from '../../runtime/dates/date-unit.js';
import { momentText, parseMoment } from '../../runtime/dates/moment.js';
import type { InputField } from '../../runtime/inputs/input-types.js';
import type { ServiceKind, Value, WfRecord } from '../../runtime/types.js';
import { isRecord } from '../../runtime/values/record.js';
import type { Expression } from '../compiler/2-parse/tree.js';
import { expressionsOf, operandsOf, statementsIn } from '../compiler/2-parse/walk.js';
import type { Checked } from '../compiler/compile.js';
import { exampleLike } from '../compiler/vocabulary/example-like.js';
import { type Length, Shapes } from './shapes.js';
import { exact } from './symbolic.js';
import { EXAMPLE_DAY, shifted, withPart } from './witness.js';

/** A request and its answers. */
interface Variable {
  readonly request: WfRecord;
  readonly mocks: WfRecord;
  readonly messages: WfRecord;
}

/** Values that a file mentions. */
export interface Hints {
  readonly numbers: ReadonlySet<number>;
  readonly texts: ReadonlySet<string>;
  readonly units: ReadonlySet<string>;
  /** What each person or AI can be answered by, if every question to them offers fixed choices. */
  readonly choices: ReadonlyMap<string, ReadonlySet<string>>;
  /** The values with which a place of a request, an answer or a message is compared. */
  readonly samplesAt: (path: Path) => readonly Value[];
  /** Lengths of time from or to it that are compared with a number. */
  readonly lengthsAt: (path: Path) => readonly Length[];
}

type Path = readonly (string | number)[];

export function hintsOf(files: readonly Checked[]): Hints {
  const numbers = new Set<number>();
  const texts = new Set<string>();
  const units = new Set<string>();
  const look = (expression: Expression): void => {
    const text = plainText(expression);
    if (expression.kind === 'number') numbers.add(expression.value);
    else if (text !== undefined) texts.add(text);
    else if (expression.kind === 'comparison' && expression.comparator === 'is like') {
      const pattern = plainText(expression.right);
      if (pattern !== undefined) texts.add(exampleLike(pattern));
    } else if (expression.kind === 'difference' || expression.kind === 'shift') units.add(expression.unit);
    else if (expression.kind === 'builtin' && /^(?:weekday|hour) of$/.test(expression.name)) units.add(expression.name);
    for (const { expression: inner } of operandsOf(expression)) look(inner);
  };
  for (const { workflow, facts } of files) {
    for (const { headings, rows } of facts.tables.values())
      for (const { cells } of rows.slice(0, MOST_ROWS))
        for (const [index, cell] of cells.entries()) {
          const test = cell.is === 'test' && headings[index]?.test !== undefined ? cell.test : undefined;
          for (const value of Array.isArray(test) ? test.slice(1) : [test]) {
            if (typeof value === 'number') numbers.add(value);
            if (typeof value === 'string') texts.add(value);
          }
        }
    for (const statement of statementsIn(workflow.body)) {
      for (const { expression } of expressionsOf(statement)) look(expression);
    }
  }
  const shapes = files.map(({ workflow }) => new Shapes(workflow.body));
  const samplesAt = (path: Path): readonly Value[] => {
    const own = shapePathOf(path);
    // A value that the file looks for in a list is worth trying as its item.
    const places = own === undefined ? [] : typeof path.at(-1) === 'number' ? [own, own.slice(0, -1)] : [own];
    const chosen = own?.[0] !== 'request' ? [] : files.flatMap(({ facts }) => choicesAt(facts.inputs ?? [], own.slice(1)));
    return [...new Set([...chosen, ...shapes.flatMap((one) => places.flatMap((place) => [...one.at(place).samples]))])];
  };
  const lengthsAt = (path: Path): readonly Length[] => {
    const own = shapePathOf(path);
    return own === undefined ? [] : shapes.flatMap((one) => one.at(own).lengths);
  };
  return { numbers, texts, units, choices: choicesIn(files), samplesAt, lengthsAt };
}

function choicesIn(files: readonly Checked[]): Hints['choices'] {
  const questions = files
    .flatMap(({ workflow }) => [...statementsIn(workflow.body)])
    .filter((statement) => statement.kind === 'ask');
  const choices = new Map<string, Set<string>>();
  const open = new Set<string>();
  for (const question of questions) {
    const name = question.service.text;
    const items = (question.choices?.items ?? []).map(plainText);
    if (items.length === 0 || items.includes(undefined)) open.add(name);
    choices.set(name, new Set([...(choices.get(name) ?? []), ...items.flatMap((item) => item ?? [])]));
  }
  for (const name of open) choices.delete(name);
  return choices;
}

/** The choices of an input, if its declaration lists them. */
function choicesAt(fields: readonly InputField[], [first, ...rest]: readonly string[]): readonly (string | number)[] {
  let kind = fields.find(({ name }) => name === first)?.kind;
  let left = rest;
  for (; kind?.is === 'list' && left.length > 0; left = left.slice(1)) kind = kind.of;
  if (kind?.is === 'record') return choicesAt(kind.fields, left);
  if (left.length > 0) return [];
  if (kind?.is === 'choice') return kind.values;
  // A called workflow may decide at them.
  return kind?.is === 'whole number' ? [kind.from, kind.to].filter((limit) => limit !== undefined) : [];
}

/** Where `Shapes` keeps the value at this place. */
function shapePathOf([part, first, second, ...rest]: Path): readonly string[] | undefined {
  const named = (fields: Path): string[] => fields.map(String);
  if (part === 'request' && first !== undefined)
    return named(['request', first, ...(second === undefined ? [] : [second]), ...rest]);
  if (part === 'messages' && first !== undefined && second !== undefined)
    return [`wait for ${first}.message`, ...named([second, ...rest])];
  if (part !== 'mocks' || first === undefined || second === undefined) return undefined;
  const inside = rest[0] === 'inTurn' ? rest.slice(2) : rest[0] === 'value' || rest[0] === 'result' ? rest.slice(1) : rest;
  return [second === 'ask' ? `ask ${first}.result` : `${second} using ${first}.result`, ...named(inside)];
}

const plainText = (expression: Expression): string | undefined =>
  expression.kind === 'text' && expression.parts.length === 1 && typeof expression.parts[0] === 'string'
    ? expression.parts[0]
    : undefined;

const MOST_ROWS = 100;
/** Other values of each kind to compare one with. */
const MOST_BESIDE = 12;
/** Dates to count from. */
const MOST_DATES = 3;

interface Leaf {
  readonly path: Path;
  readonly value: Value;
}

/** All values of a request and its answers, with the lists around them. */
function leavesOf(value: Value, path: Path = []): Leaf[] {
  if (Array.isArray(value))
    return [{ path, value }, ...value.slice(0, 3).flatMap((item, index) => leavesOf(item, [...path, index]))];
  if (value !== undefined && isRecord(value))
    return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
  return [{ path, value }];
}

/**
 * Variations of a request and of the same one with another item and with the same item twice, one of each in turn.
 * @param only fields to change; all of them if it is left out
 */
export function* variationsOf<Base extends Variable>(base: Base, hints: Hints, only?: ReadonlySet<string>): Iterable<Base> {
  const longer = [other, (item: Value) => item].flatMap((second) => withMoreItems(base, second) ?? []);
  let open = [base, ...longer].map((one) => changesOf(one, hints, only));
  while (open.length > 0) {
    const left: typeof open = [];
    for (const changes of open) {
      const { value, done } = changes.next();
      if (done === true) continue;
      yield value;
      left.push(changes);
    }
    open = left;
  }
}

/** A call that a run has made, as mock answers name it. */
export interface MadeCall {
  readonly service: string;
  readonly phrase: string;
  /** Allowed answers, if it has any. */
  readonly choices: readonly string[];
  readonly kind: ServiceKind;
  /** How often, without retries. */
  readonly count: number;
}

/**
 * Varies the answer of one call: every choice, each status that the file mentions and the next one, and silence. A called
 * workflow also gives its own answers. A message that may not
 * come does not come.
 */
export function* answersOf<Base extends Variable>(base: Base, calls: readonly MadeCall[], hints: Hints): Iterable<Base> {
  const mentioned = [...hints.numbers].filter((one) => Number.isInteger(one));
  const statuses = [503, ...mentioned.filter((one) => one >= 400 && one <= 599)];
  for (const name of Object.keys(base.messages))
    if (base.messages[name] !== 'none') yield { ...base, messages: { ...base.messages, [name]: 'none' } };
  const successes = mentioned.filter((one) => one >= 200 && one <= 298).flatMap((one) => [one, one + 1]);
  for (const { service, phrase, choices, kind } of calls) {
    // People only fail to answer.
    const isPerson = kind === 'person';
    const failures = [{ error: 'no answer' }, ...(isPerson ? [] : statuses.map((status) => ({ status })))];
    const own = base.mocks[service];
    const ofService = own !== undefined && isRecord(own) ? own : {};
    const value = ofService[phrase] ?? { id: 'id' };
    const chosen = choices.map((choice) =>
      value !== undefined && isRecord(value) && typeof value.confidence === 'number' ? { ...value, result: choice } : choice,
    );
    if (kind === 'workflow') {
      const { [service]: _own, ...mocks } = base.mocks;
      yield { ...base, mocks };
      yield* firstFew(MOST_OF_CALLED, variationsOf({ ...base, mocks }, hints));
    }
    for (const answer of [...chosen, ...failures, ...(isPerson ? [] : successes.map((status) => ({ status, value })))]) {
      yield { ...base, mocks: { ...base.mocks, [service]: { ...ofService, [phrase]: answer } } };
    }
  }
}

/** Requests with the own answers of a called workflow. */
const MOST_OF_CALLED = 60;
/** Other answers of a call, or fields of a message. */
const MOST_IN_TURN = 12;

/** The same with one answer that differs, of a call that was made in several rounds of a loop; or with another message, or none, in a later round. */
export function* answersInTurn<Base extends Variable>(
  base: Base,
  calls: readonly MadeCall[],
  waits: readonly string[],
  hints: Hints,
): Iterable<Base> {
  for (const name of waits) {
    const message = base.messages[name] ?? {};
    if (!isRecord(message)) continue;
    const inTurn = (...list: Value[]): Base => ({ ...base, messages: { ...base.messages, [name]: list } });
    yield inTurn(message);
    for (const { messages } of firstFew(
      MOST_IN_TURN,
      changesOf({ request: {}, mocks: {}, messages: { [name]: message } }, hints),
    )) {
      const other = messages[name] ?? {};
      yield inTurn(message, other);
      yield inTurn(other, message);
    }
  }
  for (const { service, phrase, choices } of calls.filter(({ count }) => count > 1)) {
    const own = base.mocks[service];
    const ofService = own !== undefined && isRecord(own) ? own : {};
    const value = ofService[phrase] ?? choices[0] ?? { id: 'id' };
    if (isRecord(value) && value.inTurn !== undefined) continue;
    const changes =
      choices.length > 0
        ? choices.filter((choice) => choice !== value)
        : [
            ...firstFew(MOST_IN_TURN, changesOf({ request: {}, mocks: { [service]: { [phrase]: value } }, messages: {} }, hints)),
          ].map(
            ({ mocks }) => (mocks[service] as WfRecord)[phrase] ?? null, // as it was made
          );
    const inTurn = (...list: Value[]): Base => ({
      ...base,
      mocks: { ...base.mocks, [service]: { ...ofService, [phrase]: { inTurn: list } } },
    });
    for (const other of [{ error: 'no answer' }, ...changes]) {
      yield inTurn(value, other);
      yield inTurn(other, value);
      yield inTurn(value, value, other);
    }
  }
}

/** The first of these. */
export function* firstFew<T>(most: number, items: Iterable<T>): Generator<T, undefined> {
  let left = most;
  for (const item of items) {
    if (left-- <= 0) return;
    yield item;
  }
}

/** With a second item in each list that differs in every value; `undefined` without lists. */
export const withOtherItems = <Base extends Variable>(base: Base): Base | undefined => withMoreItems(base, other);

/** With a second item in each list, made from the first; `undefined` without lists. */
function withMoreItems<Base extends Variable>(base: Base, second: (item: Value) => Value): Base | undefined {
  let isLonger = false;
  const longer = (value: Value): Value => {
    if (Array.isArray(value)) {
      const items = value.map(longer);
      const [first] = items;
      if (first === undefined || items.length > 3) return items;
      isLonger = true;
      return [...items, second(first)];
    }
    return value !== undefined && isRecord(value) ? mapped(value, longer) : value;
  };
  const made = { ...base, request: longer(base.request) as WfRecord, mocks: longer(base.mocks) as WfRecord }; // records stay records
  return isLonger ? made : undefined;
}

const mapped = (record: WfRecord, change: (value: Value) => Value): WfRecord =>
  Object.fromEntries(Object.entries(record).map(([name, inner]) => [name, change(inner)]));

/** One change each. The most telling come first. */
function* changesOf<Base extends Variable>(base: Base, hints: Hints, only?: ReadonlySet<string>): Generator<Base> {
  const whole: WfRecord = { request: base.request, mocks: base.mocks, messages: base.messages };
  const leaves = leavesOf(whole).filter(({ path }) => path.length > 1 && !isFailing(path));
  const others = { numbers: new Set(hints.numbers), texts: new Set(hints.texts), dates: new Set<string>([EXAMPLE_DAY]) };
  for (const { value } of leaves) {
    if (typeof value === 'number') others.numbers.add(value);
    if (typeof value === 'string') (isDate(value) ? others.dates : others.texts).add(value);
  }
  const turns = leaves.flatMap(({ path, value }) =>
    only?.has(String(path.at(-1))) === false ? [] : [{ path, values: valuesFor(value, others, hints, path) }],
  );
  // In turn, so that each value is changed once before the first is changed again.
  for (let open = turns.length; open > 0; ) {
    open = 0;
    for (const { path, values } of turns) {
      const { value, done } = values.next();
      if (done === true) continue;
      open++;
      if (!isPossible(path, value, hints)) continue;
      yield withPlaced(base, whole, path, value);
    }
  }
}

/** `answersOf` changes how a service fails. */
const isFailing = ([part, , , ...inside]: Path): boolean => {
  const [key] = inside[0] === 'inTurn' ? inside.slice(2) : inside;
  return part === 'mocks' && (key === 'status' || key === 'error');
};

/** Answers in turn are some, a message is fields or does not come at all, who is asked chooses from what is offered, and an AI is certain at 1. */
function isPossible(path: Path, value: Value | undefined, { choices }: Hints): boolean {
  const [part, name, phrase] = path;
  if (path.at(-1) === 'inTurn') return Array.isArray(value) && value.length > 0;
  if (part === 'messages' && path.length === 2) return value === undefined;
  const offered = part === 'mocks' && phrase === 'ask' ? choices.get(String(name)) : undefined;
  if (offered !== undefined && typeof value === 'string') return offered.has(value);
  return part !== 'mocks' || path.at(-1) !== 'confidence' || typeof value !== 'number' || (value >= 0 && value <= 1);
}

const isDate = (value: string): boolean => /^\d{4}-\d\d-\d\d/.test(value);

interface Others {
  readonly numbers: ReadonlySet<number>;
  readonly texts: ReadonlySet<string>;
  readonly dates: ReadonlySet<string>;
}

function* valuesFor(value: Value, others: Others, hints: Hints, path: Path): Iterator<Value> {
  const samples = hints.samplesAt(path).slice(0, MOST_BESIDE);
  for (const sample of samples) if (sample !== value) yield Array.isArray(value) ? [...value, sample] : sample;
  yield undefined;
  if (Array.isArray(value)) yield* listsFor(value);
  else if (typeof value === 'boolean') yield !value;
  else if (typeof value === 'number') yield* numbersFor(value, others);
  else if (typeof value === 'string')
    yield* isDate(value) ? datesFor(value, others, hints.units, hints.lengthsAt(path)) : textsFor(value, others);
}

function* listsFor(value: readonly Value[]): Iterable<Value> {
  const [first] = value;
  if (first === undefined) return;
  yield [...value, other(first)];
  yield [other(first), ...value];
  yield [];
  yield [...value, first];
  yield [...value, other(first), other(other(first))];
}

/** Different in every value. */
function other(value: Value): Value {
  if (typeof value === 'number') return value * 2 + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return isDate(value) ? shifted(value, 'days', 3, 0) : `${value}2`;
  if (Array.isArray(value)) return value.map(other);
  if (value !== undefined && isRecord(value)) return mapped(value, other);
  return value;
}

function* numbersFor(value: number, { numbers }: Others): Iterable<number> {
  yield value + 1;
  yield value * 2 + 1;
  yield 100_000;
  const near = [...numbers].filter((one) => one !== value).sort((one, two) => Math.abs(one - value) - Math.abs(two - value));
  for (const limit of [value, ...near.slice(0, MOST_BESIDE)]) {
    const step = Number.isInteger(limit) && Number.isInteger(value) ? 1 : 0.01;
    yield limit;
    yield exact(limit + step);
    yield exact(limit - step);
  }
  yield 0;
  yield 1_000;
}

function* textsFor(value: string, { texts }: Others): Iterable<string> {
  for (const text of [...texts].filter((one) => one !== value).slice(0, 2 * MOST_BESIDE)) {
    yield text;
    yield `${text} ${value}`;
    yield `${value} ${text}`;
    yield `${value} ${text} ${value}`;
  }
  yield `${value}x`;
  yield '';
}

function* datesFor(
  value: string,
  { dates, numbers }: Others,
  units: ReadonlySet<string>,
  lengths: readonly Length[],
): Iterable<string> {
  const rest = value.slice(10);
  const inForm = (date: string): string => date.slice(0, 10) + rest;
  // Lengths of time are counted from any of the others, and from the day of the run.
  const ends = [...dates].filter((date) => date !== value || date === EXAMPLE_DAY).slice(0, MOST_DATES);
  const at = ([unit, count]: Length, end: string, sign: number, more: number): string[] => {
    if (!isClockUnit(unit)) return [inForm(shifted(end, unit === 'working days' ? 'working' : unit, sign * count, more))];
    if (rest === '') return [];
    return [shifted(shifted(end.length > 10 ? end : `${end}T00:00:00Z`, unit, sign * count, 0), 'minutes', more, 0)];
  };
  // One of each length first: what lies beside it shows less.
  function* around(all: readonly Length[]): Iterable<string> {
    for (const more of [0, 1, -1])
      for (const end of ends) for (const sign of [-1, 1]) for (const length of all) yield* at(length, end, sign, more);
  }
  if (units.has('weekday of')) for (let days = 1; days < 7; days++) yield shifted(value, 'days', days, 0);
  yield* around(lengths.slice(0, MOST_BESIDE));
  for (const date of dates) for (const days of [0, 1, -1]) yield inForm(shifted(date, 'days', 0, days));
  if (units.has('hour of') && rest !== '')
    for (const hour of [...numbers].filter((one) => Number.isInteger(one) && one >= 0 && one < 24))
      for (const one of [hour, (hour + 23) % 24, (hour + 1) % 24]) yield withPart(value, 'hour', one);
  const counts = [...numbers].filter((count) => Number.isInteger(count) && count > 0 && count <= 1_000).slice(0, MOST_BESIDE);
  yield* around([...units].flatMap((unit) => counts.map((count): Length => [unit, count])));
}

/** A number, a date or a time of a request or an answer; dates and times count in days. */
interface Dial<Base> {
  readonly value: number;
  readonly kind: 'number' | 'date' | 'time';
  readonly changedTo: (value: number) => Base;
}

export function dialsOf<Base extends Variable>(base: Base): Dial<Base>[] {
  const whole: WfRecord = { request: base.request, mocks: base.mocks, messages: base.messages };
  return leavesOf(whole).flatMap(({ path, value }): Dial<Base>[] => {
    if (path.length < 2 || isFailing(path)) return [];
    const [item] = Array.isArray(value) ? value : [];
    if (item !== undefined && Array.isArray(value) && path.at(-1) !== 'inTurn')
      return [
        { value: value.length, kind: 'number', changedTo: (count) => withPlaced(base, whole, path, repeated(item, count)) },
      ];
    if (typeof value === 'number') return [{ value, kind: 'number', changedTo: (other) => withPlaced(base, whole, path, other) }];
    const moment = typeof value === 'string' ? parseMoment(value) : undefined;
    if (moment === undefined) return [];
    const atMinute = (days: number): number => Math.round((days * DAY_MS) / MINUTE_MS) * MINUTE_MS;
    return [
      {
        value: moment.day + moment.time / DAY_MS,
        kind: moment.form === 'date' ? 'date' : 'time',
        changedTo: (other) => withPlaced(base, whole, path, momentText(atMinute(other), moment)),
      },
    ];
  });
}

/** Items that are alike, which only a counter tells apart. */
const MOST_ALIKE = 20;

const repeated = (item: Value, count: number): Value[] =>
  Array.from({ length: Math.min(MOST_ALIKE, Math.max(0, Math.round(count))) }, () => item);

function withPlaced<Base extends Variable>(base: Base, whole: WfRecord, path: Path, value: Value): Base {
  const changed = placed(whole, path, value);
  return {
    ...base,
    request: changed.request as WfRecord, // as in `whole`
    mocks: changed.mocks as WfRecord,
    messages: changed.messages as WfRecord,
  };
}

/** With another value at a path; `undefined` removes it. */
function placed<T extends Value>(owner: T, [key, ...rest]: Path, value: Value): T {
  if (key === undefined) return value as T; // the value of this place
  if (Array.isArray(owner))
    return owner.flatMap((item, index) => {
      const changed = index === key ? placed(item, rest, value) : item;
      return changed === undefined ? [] : [changed];
    }) as unknown as T;
  const record = owner as WfRecord; // paths come from the values themselves
  const inner = rest.length === 0 ? value : placed(record[key], rest, value);
  const entries = Object.entries({ ...record, [key]: inner }).filter(([name, one]) => name !== key || one !== undefined);
  return Object.fromEntries(entries) as unknown as T;
}
