// Makes the request and the answers of services that lead a run along a way: for each value that the way requires, an example; for those
// that are calculated, an example of what they are calculated from. Callers run it to be sure.
import { civilDate, isoWeek, weekdayIndex, weekdayNames } from '../../runtime/dates/civil-date.js';
import type { DatePart } from '../../runtime/dates/date-parts.js';
import { clockUnits, DAY_MS, HOUR_MS, isClockUnit, MINUTE_MS } from '../../runtime/dates/date-unit.js';
import { dateText, momentText, parseMoment } from '../../runtime/dates/moment.js';
import type { Value, WfRecord } from '../../runtime/types.js';
import { exampleLike } from '../compiler/vocabulary/example-like.js';
import { anything, type Domain, ITEMS, keepKinds, RECORD } from './domain.js';
import { mayBe, nearest, ordinary } from './pick.js';
import { exampleOf, type Shape, type Shapes } from './shapes.js';
import { entriesOf, type PassedAnswer, passedBy, type State } from './state.js';
import { type Atom, exact, keyOf, type Sym, sourceOf, type Term } from './symbolic.js';

/** When the examples run. */
export const EXAMPLE_DAY = '2026-03-02';

/** The status of a service that is down. */
const USUAL_FAILURE = 503;

/** Between the words of a call and its service, and after them, in the name of its result. */
const USING = ' using ';
const RESULT = '.result';

export interface Witness {
  readonly request: WfRecord;
  /** As in a case file: by service, then by call. */
  readonly mocks: WfRecord;
  readonly messages: WfRecord;
  readonly env: Readonly<Record<string, string>>;
}

/** A choice for one value of a way: one end of what it can be. */
export interface Choice {
  readonly key: string;
  /** As the file calls it. */
  readonly name: string;
  readonly value: number;
}

/** @param typical a request with values of the declared kinds */
export function witnessOf(state: State, shapes: Shapes, typical: WfRecord, choice?: Choice): Witness {
  const solver = new Solver(shapes, typical, (atom, value) => mayBe(state.bases.get(atom.key) ?? anything, value));
  const entries = [...entriesOf(state.atoms).values()];
  const calculated = entries
    .filter(({ atom }) => isCalculated(atom))
    .sort(
      (one, other) =>
        Number(isPartOfDate(other.atom)) - Number(isPartOfDate(one.atom)) || choicesOf(one.atom) - choicesOf(other.atom),
    );
  for (const { atom, domain } of entries)
    if (!isCalculated(atom) && atom.key === choice?.key) solver.assign(atom, choice.value);
    else if (!isCalculated(atom)) solver.direct(atom, domain);
  // Parts of dates once more: a length of time may have moved the date.
  for (const { atom, domain } of [...calculated, ...calculated.filter((one) => isPartOfDate(one.atom))])
    solver.calculated(atom, domain, choice?.key === atom.key ? choice.value : undefined);
  return solver.result(passedBy(state).filter((one) => one.kind === 'answer'));
}

type Path = readonly string[];

class Solver {
  readonly #shapes: Shapes;
  readonly #typical: WfRecord;
  readonly #values = new Map<string, { readonly path: Path; readonly value: Value }>();
  /** Dates of which a part is required, such as the weekday. */
  readonly #chosen = new Set<string>();
  /** Values that something calculated from them requires: another calculation changes others, if it can. */
  readonly #settled = new Set<string>();
  #isCalculating = false;

  /** Whether a value is within the limits that the inputs declare. */
  readonly #allows: (atom: Atom, value: Value) => boolean;

  constructor(shapes: Shapes, typical: WfRecord, allows: (atom: Atom, value: Value) => boolean) {
    this.#shapes = shapes;
    this.#typical = typical;
    this.#allows = allows;
  }

  direct(atom: Atom, domain: Domain): void {
    const path = pathOf(atom);
    if (path === undefined || path.length === 0) return;
    const isContainer = keepKinds(domain, ITEMS | RECORD) !== undefined && (domain.kinds & ~(ITEMS | RECORD)) === 0;
    const wanted = this.#usual(path);
    const isCount = path.at(-1) === 'count' && this.#isList(path.slice(0, -1));
    const isAnswer = atom.origin.is === 'answer';
    const found = isCount ? nearest(domain, 1) : ordinary(domain, wanted, isAnswer ? atom.name : (path.at(-1) ?? ''));
    if (found === undefined || (isContainer && found === wanted)) return;
    // Of items that nothing reads, nothing is known; those of a database are rows.
    this.#set(path, isAnswer && isContainer && Array.isArray(found) ? found.map(() => ({ id: 1 })) : found);
  }

  calculated(atom: Atom, domain: Domain, chosen: number | undefined): void {
    const sum = atom.origin.is === 'operation' && atom.origin.name === 'sum' ? atom.origin.operands[0] : undefined;
    const near = sum === undefined ? undefined : nearest(domain, this.#number(sum));
    const wanted = chosen ?? near ?? ordinary(domain, undefined, atom.name);
    // Its own name stands for any text.
    if (wanted === undefined || wanted === atom.name) return;
    this.#isCalculating = true;
    this.assign(atom, wanted, chosen !== undefined && domain.numbers.some(({ high }) => high === chosen));
    this.#isCalculating = false;
  }

  /** Chooses what a value comes from, so that it is this one. @param isLast of what it can be: the end of its year, month or week */
  assign(value: Sym, wanted: Value, isLast = false): void {
    if (value.is === 'linear') {
      if (typeof wanted !== 'number') return;
      const now = this.#number(value);
      const neededOf = ({ atom, factor }: Term): number => exact(this.#number(atom) + (wanted - now) / factor);
      const isAllowed = (term: Term): boolean => this.#allows(term.atom, neededOf(term));
      const free = value.terms.filter(({ atom }) => this.#isFree(atom));
      const chosen = free.find(isAllowed) ?? free[0] ?? value.terms.find(isAllowed) ?? value.terms[0];
      if (chosen !== undefined) this.assign(chosen.atom, neededOf(chosen));
    }
    if (value.is !== 'atom') return;
    const path = pathOf(value);
    if (path !== undefined) this.#set(path, wanted);
    else if (value.origin.is === 'operation') this.#invert(value.origin.name, value.origin.operands, wanted, isLast);
  }

  /** A value of the request or of an answer, or the day of one, that nothing else requires. */
  #isFree(value: Sym): boolean {
    if (value.is !== 'atom') return false;
    const path = pathOf(value);
    if (path !== undefined) return !this.#settled.has(path.join('\n'));
    const { origin } = value;
    const isDay = origin.is === 'operation' && (origin.name === 'day number' || origin.name.startsWith('shift '));
    return isDay && origin.operands[0] !== undefined && this.#isFree(origin.operands[0]);
  }

  #invert(name: string, operands: readonly Sym[], wanted: Value, isLast: boolean): void {
    const [first, second] = operands;
    if (first === undefined) return;
    const part = /^(\w+) of$/.exec(name)?.[1];
    if (isDatePart(part)) this.#assignPart(first, part, wanted);
    else if (typeof wanted === 'number') this.#invertNumber(name, first, second, wanted, isLast);
    else if (/case of|trimmed|text of/.test(name)) this.assign(first, wanted);
    else if (name === '? is' && wanted === true && second !== undefined) this.#equate(first, second);
    else if (name === '? like' && wanted === true && second?.is === 'known' && typeof second.value === 'string')
      this.assign(first, exampleLike(second.value));
  }

  #equate(one: Sym, other: Sym): void {
    const [own, value] = isRead(one) ? [one, this.#valueOf(other)] : [other, this.#valueOf(one)];
    if (value !== undefined) this.assign(own, value);
  }

  #valueOf(value: Sym): Value | undefined {
    if (value.is === 'known') return value.value;
    const path = isRead(value) ? pathOf(value) : undefined;
    if (path === undefined) return undefined;
    // A value of which nothing is known is its own name in examples.
    return this.#values.get(path.join('\n'))?.value ?? this.#usual(path) ?? path.at(-1);
  }

  #assignPart(date: Sym, part: DatePart, wanted: Value): void {
    this.assign(date, part === 'date' ? wanted : withPart(this.#date(date), part, wanted));
    this.#chosen.add(keyOf(date));
  }

  #invertNumber(name: string, first: Sym, second: Sym | undefined, wanted: number, isLast: boolean): void {
    const unit = /^(\w+)(?: days| hours)? from$/.exec(name)?.[1];
    if (unit !== undefined && second !== undefined) this.#invertDifference(unit, first, second, wanted, isLast);
    else if (name === 'day number') this.#assignDay(first, wanted);
    else if (name === 'count of') this.#resize(first, wanted);
    else if (/^(sum|highest|lowest|average) of/.test(name)) this.#total(first, wanted);
    else if (name === 'number of') this.assign(first, String(wanted));
    else if (name === 'times' && second !== undefined) this.assign(first, exact(wanted / (this.#number(second) || 1)));
    else if (name === 'divided by' && second !== undefined) this.assign(first, exact(wanted * (this.#number(second) || 1)));
    else this.assign(first, wanted);
  }

  /** `years from birth to today` is reached on the day itself, and lasts until the day before the next. */
  #invertDifference(unit: string, from: Sym, to: Sym, wanted: number, isLast: boolean): void {
    const end = this.#date(to);
    const isChosen = this.#chosen.has(keyOf(from)) && !this.#chosen.has(keyOf(to)) && isRead(to);
    const isFree = isRead(from) && !isChosen && (this.#isFree(from) || !this.#isFree(to));
    const count = isLast ? wanted + 1 : wanted;
    if (isFree) this.assign(from, shifted(end, unit, -count, isLast ? 1 : 0));
    else this.assign(to, shifted(this.#date(from), unit, count, isLast ? -1 : 0));
  }

  #assignDay(date: Sym, day: number): void {
    if (date.is !== 'atom') return;
    const { origin } = date;
    const shift = origin.is === 'operation' ? /^shift (\w+)/.exec(origin.name)?.[1] : undefined;
    if (shift !== undefined && origin.is === 'operation') {
      const [from, by] = origin.operands;
      if (from !== undefined && by?.is === 'known' && typeof by.value === 'number')
        this.assign(from, shifted(dateText(Math.round(day)), shift, -by.value, 0));
    } else this.assign(date, dateText(Math.round(day)));
  }

  #isList(path: Path): boolean {
    return Array.isArray(this.#usual(path)) || this.#shapes.at(shapePath(path)).kind === 'list';
  }

  #resize(list: Sym, count: number): void {
    const path = list.is === 'atom' ? pathOf(list) : undefined;
    if (path !== undefined) this.#resizeAt(path, count);
  }

  #resizeAt(path: Path, count: number): void {
    const shape = this.#shapes.at(shapePath(path));
    if (shape.kind === 'text') this.#set(path, 'x'.repeat(count));
    else {
      const usual = this.#usual(path);
      const item = (Array.isArray(usual) ? usual[0] : undefined) ?? exampleItem(shape, path.at(-1) ?? 'item');
      this.#set(
        path,
        Array.from({ length: Math.min(count, 1_000) }, () => item),
      );
    }
  }

  #total(list: Sym, wanted: number): void {
    if (list.is !== 'atom') return;
    const path = pathOf(list);
    if (path === undefined) return;
    const owner = path.slice(0, -1);
    const shape = owner.length === 0 ? undefined : this.#shapes.at(shapePath(owner));
    if (shape?.kind === 'list') this.#set([...owner, '0', path.at(-1) ?? ''], wanted);
    else this.#set(path, [wanted]);
  }

  #number(value: Sym): number {
    if (value.is === 'known') return typeof value.value === 'number' ? value.value : 0;
    if (value.is === 'linear')
      return value.terms.reduce((sum, { atom, factor }) => sum + this.#number(atom) * factor, value.constant);
    if (value.is !== 'atom') return 0;
    if (value.origin.is === 'operation' && value.origin.name === 'day number') {
      const [date] = value.origin.operands;
      return date === undefined ? 0 : (parseMoment(this.#date(date))?.day ?? 0);
    }
    const path = pathOf(value);
    const now = path === undefined ? undefined : (this.#values.get(path.join('\n'))?.value ?? this.#usual(path));
    return typeof now === 'number' ? now : 1;
  }

  #date(value: Sym): string {
    if (value.is === 'known' && typeof value.value === 'string') return value.value;
    if (value.is !== 'atom') return EXAMPLE_DAY;
    const { origin } = value;
    if (origin.is === 'operation' && origin.name === 'date of') return this.#date(origin.operands[0] ?? value).slice(0, 10);
    const unit = origin.is === 'operation' ? /^shift (\w+)/.exec(origin.name)?.[1] : undefined;
    if (unit !== undefined && origin.is === 'operation') {
      const [from, by] = origin.operands;
      if (from !== undefined && by?.is === 'known' && typeof by.value === 'number')
        return shifted(this.#date(from), unit, by.value, 0);
    }
    const path = pathOf(value);
    const now = path === undefined ? undefined : (this.#values.get(path.join('\n'))?.value ?? this.#usual(path));
    return typeof now === 'string' && parseMoment(now) !== undefined ? now : EXAMPLE_DAY;
  }

  #usual(path: Path): Value | undefined {
    const [root, ...fields] = path;
    if (root?.endsWith('.failing status') === true) return USUAL_FAILURE;
    if (root === 'request') {
      let value: Value | undefined = this.#typical;
      for (const field of fields) value = typeof value === 'object' && value !== null ? (value as WfRecord)[field] : undefined; // a list as well
      if (value !== undefined) return value;
    }
    const shape = this.#shapes.at(shapePath(path));
    const isUsed = shape.kind !== undefined || shape.sample !== undefined || shape.fields.size > 0;
    return isUsed ? exampleOf(shape, path.at(-1) ?? '', EXAMPLE_DAY) : undefined;
  }

  #set(path: Path, value: Value): void {
    const list = path.slice(0, -1);
    if (path.at(-1) === 'count' && list.length > 0 && this.#isList(list)) {
      if (typeof value === 'number') this.#resizeAt(list, value);
      return;
    }
    const key = path.join('\n');
    if (this.#isCalculating) this.#settled.add(key);
    this.#values.delete(key);
    this.#values.set(key, { path, value: inForm(value, this.#usual(path)) });
  }

  /** The values of one root, over the usual ones. */
  #build(root: string, usual: Value | undefined): Value | undefined {
    let built = usual;
    const values = [...this.#values.values()]
      .filter(({ path }) => path[0] === root)
      .sort((one, other) => one.path.length - other.path.length);
    for (const { path, value } of values) built = placed(built, path.slice(1), value);
    return built;
  }

  result(answers: readonly PassedAnswer[]): Witness {
    const shape = this.#shapes.root('request');
    const read = exampleOf({ fields: shape.fields, samples: new Set(), lengths: [] }, 'request', EXAMPLE_DAY);
    const usual = { ...(typeof read === 'object' && read !== null && !Array.isArray(read) ? read : {}), ...this.#typical };
    const request = this.#build('request', usual);
    const mocks: Record<string, Record<string, Value[]>> = {};
    const messages: WfRecord = {};
    for (const answer of answers) {
      if (answer.how === 'message' || answer.how === 'nothing comes') messages[answer.service] = this.#message(answer);
      else this.#answer(mocks, answer);
    }
    this.#usualAnswers(mocks);
    for (const [root, { fields }] of this.#shapes.roots) {
      const name = /^wait for (.+)\.message$/.exec(root)?.[1];
      if (name !== undefined && fields.size > 0)
        messages[name] ??= exampleOf({ fields, samples: new Set(), lengths: [] }, name, EXAMPLE_DAY);
    }
    return { request: isPlain(request) ? withoutEmpty(request) : {}, mocks: inTurn(mocks), messages, env: this.#env() };
  }

  #env(): Record<string, string> {
    const env = this.#build('env', {});
    if (!isPlain(env)) return {};
    return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
  }

  /** For calls that the way does not make, or that a loop makes later: a run may come by. */
  #usualAnswers(mocks: Record<string, Record<string, Value[]>>): void {
    for (const [root, shape] of this.#shapes.roots) {
      if (!root.endsWith(RESULT)) continue;
      const at = root.lastIndexOf(USING);
      const [phrase, service] = [root.slice(0, Math.max(0, at)), root.slice(at + USING.length, -RESULT.length)];
      if (phrase === '' || service === '' || isUnused(shape) || mocks[service]?.[phrase] !== undefined) continue;
      const ofService = mocks[service] ?? {};
      mocks[service] = ofService;
      ofService[phrase] = [exampleOf(shape, phrase.split(' ').at(-1) ?? 'answer', EXAMPLE_DAY)];
    }
  }

  #message({ call, how }: PassedAnswer): Value {
    if (how === 'nothing comes') return 'none';
    const root = `${call}.message`;
    const usual = this.#shapes.roots.get(shapeRoot(root));
    const built = this.#build(
      root,
      usual === undefined ? {} : exampleOf({ fields: usual.fields, samples: new Set(), lengths: [] }, 'message', EXAMPLE_DAY),
    );
    return isPlain(built) ? built : {};
  }

  #answer(mocks: Record<string, Record<string, Value[]>>, { call, service, how }: PassedAnswer): void {
    const phrase = call.startsWith('ask ') ? 'ask' : call.slice(0, call.lastIndexOf(USING));
    const root = `${call}.result`;
    const shape = this.#shapes.roots.get(shapeRoot(root));
    const value = this.#build(
      root,
      shape === undefined || isUnused(shape) ? undefined : exampleOf(shape, phrase.split(' ').at(-1) ?? 'answer', EXAMPLE_DAY),
    );
    const status = this.#values.get(`${call}.status`)?.value;
    const confidence = this.#values.get(`${call}.confidence`)?.value;
    const failing = this.#values.get(`${call}.failing status`)?.value;
    const ofService = mocks[service] ?? {};
    mocks[service] = ofService;
    const list = ofService[phrase] ?? [];
    ofService[phrase] = list;
    if (how === 'silence') list.push({ error: 'no answer' });
    else if (how === 'failure')
      list.push({ status: typeof failing === 'number' && (failing < 200 || failing > 299) ? failing : USUAL_FAILURE });
    else if (typeof confidence === 'number') list.push({ result: value ?? 'answer', confidence });
    else if (typeof status === 'number' && status !== 200) list.push({ status, value: value ?? null });
    else if (value !== undefined) list.push(value);
    if (list.length === 0) delete ofService[phrase];
  }
}

const isUnused = (shape: Shape): boolean => shape.kind === undefined && shape.sample === undefined && shape.fields.size === 0;

const exampleItem = (shape: Shape, name: string): Value => {
  const item = shape.fields.get('0');
  return item === undefined ? name : exampleOf(item, name, EXAMPLE_DAY);
};

const isPlain = (value: Value | undefined): value is WfRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One answer as it is, several in turn; a service without answers is left out. */
function inTurn(mocks: Readonly<Record<string, Readonly<Record<string, readonly Value[]>>>>): WfRecord {
  const services = Object.entries(mocks).map(([service, phrases]): [string, WfRecord] => [
    service,
    Object.fromEntries(
      Object.entries(phrases).map(([phrase, list]) => [phrase, list.length === 1 ? (list[0] ?? null) : { inTurn: [...list] }]),
    ),
  ]);
  return Object.fromEntries(services.filter(([, phrases]) => Object.keys(phrases).length > 0));
}

/** Fields that are to be empty are left out. */
const withoutEmpty = (record: WfRecord): WfRecord =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

function placed(owner: Value | undefined, path: Path, value: Value): Value {
  const [field, ...rest] = path;
  if (field === undefined) return value;
  if (/^\d+$/.test(field)) {
    const list = Array.isArray(owner) ? [...owner] : [];
    const at = Number(field);
    while (list.length < at) list.push(list[0] ?? null);
    list[at] = placed(list[at], rest, value);
    return list;
  }
  const record = isPlain(owner) ? owner : {};
  return { ...record, [field]: placed(Object.hasOwn(record, field) ? record[field] : undefined, rest, value) };
}

/** A root and the fields from there; `undefined` for a value that is calculated. */
function pathOf(atom: Atom): Path | undefined {
  const { origin } = atom;
  if (origin.is === 'request' || origin.is === 'env') return [atom.key];
  if (origin.is === 'answer') return [`${origin.call}.${origin.part}`];
  if (origin.is === 'field') {
    const owner = pathOf(origin.owner);
    return owner === undefined ? undefined : [...owner, origin.field];
  }
  const isOneOf = origin.is === 'operation' && (origin.name === 'first of' || origin.name === 'last of');
  const list = origin.is === 'item' ? origin.list : isOneOf ? origin.operands[0] : undefined;
  const source = list === undefined ? undefined : sourceOf(list);
  const path = source?.is === 'atom' ? pathOf(source) : undefined;
  return path === undefined ? undefined : [...path, '0'];
}

/** Not an item of a list that is read, such as the first one in another order. */
const isCalculated = (atom: Atom): boolean => atom.origin.is === 'operation' && pathOf(atom) === undefined;

const isRead = (value: Sym): value is Atom => value.is === 'atom' && pathOf(value) !== undefined;

const isPartOfDate = ({ origin }: Atom): boolean => origin.is === 'operation' && isDatePart(/^(\w+) of$/.exec(origin.name)?.[1]);

/** Counts the values of the request and of answers that it is calculated from. With only one, there is no choice. */
function choicesOf(value: Sym): number {
  if (value.is === 'linear') return value.terms.reduce((sum, { atom }) => sum + choicesOf(atom), 0);
  if (value.is !== 'atom') return 0;
  if (pathOf(value) !== undefined) return 1;
  return value.origin.is === 'operation' ? value.origin.operands.reduce((sum, one) => sum + choicesOf(one), 0) : 0;
}

/** Answers to the same call share one shape, whichever time it is made. */
const shapeRoot = (root: string): string => root.replace(/#\d+\/\d+\./, '.');
const shapePath = ([root = '', ...fields]: Path): Path => [shapeRoot(root), ...fields];

/** A date or time moved by so many units, and then by days. It keeps its form. */
export function shifted(date: string, unit: string, by: number, days: number): string {
  const moment = parseMoment(date);
  if (moment !== undefined && isClockUnit(unit))
    return momentText((moment.day + days) * DAY_MS + moment.time + Math.round(by) * clockUnits[unit], moment);
  const [year = 2026, month = 3, day = 2] = date.slice(0, 10).split('-').map(Number);
  const months = unit === 'years' ? by * 12 : unit === 'months' ? by : 0;
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const moved = unit === 'days' ? by : unit === 'weeks' ? by * 7 : unit === 'working' ? Math.round(by * 1.4) : 0;
  const made = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(day, last) + moved + days));
  return made.toISOString().slice(0, 10) + date.slice(10);
}

/** A date in the form of a time, or the other way round, if the value at its place has that form. */
function inForm(value: Value, usual: Value | undefined): Value {
  if (typeof value !== 'string' || typeof usual !== 'string') return value;
  const [form, wanted] = [parseMoment(value)?.form, parseMoment(usual)?.form];
  if (form === undefined || wanted === undefined || (form === 'date') === (wanted === 'date')) return value;
  return form === 'date' ? value + usual.slice(10) : value.slice(0, 10);
}

const dateParts: Readonly<Record<DatePart, (day: number) => string | number>> = {
  weekday: (day) => weekdayNames[weekdayIndex(day)] ?? '',
  week: isoWeek,
  day: (day) => civilDate(day).day,
  month: (day) => civilDate(day).month,
  year: (day) => civilDate(day).year,
  date: dateText,
  hour: () => 0,
  minute: () => 0,
};

const isDatePart = (part: string | undefined): part is DatePart => part !== undefined && Object.hasOwn(dateParts, part);

/** Days that have every weekday, week and month among them. */
const DAYS_TO_TRY = 371;

/** The next date that has this part, such as a Saturday. An hour or a minute is one of the workflow's zone. */
export function withPart(date: string, part: DatePart, wanted: Value): string {
  const moment = parseMoment(date);
  if (moment === undefined) return date;
  if (part === 'hour' || part === 'minute') {
    const [own, above] = part === 'hour' ? [HOUR_MS, DAY_MS] : [MINUTE_MS, HOUR_MS];
    const time = moment.time - (moment.time % above) + Number(wanted) * own + (moment.time % own);
    return momentText(moment.day * DAY_MS + time, { ...moment, form: 'local', suffix: '' });
  }
  if (part === 'year') return shifted(date, 'years', Number(wanted) - civilDate(moment.day).year, 0);
  for (let days = 0; days < DAYS_TO_TRY; days++)
    if (dateParts[part](moment.day + days) === wanted) return shifted(date, 'days', days, 0);
  return date;
}
