// Evaluates expressions symbolically: fixed values and sums exactly, everything else as a value of its own. A part that would end the run as
// error leaves the walk here, and is kept as a fault.
import { weekdayNames } from '../../runtime/dates/civil-date.js';
import type { Value } from '../../runtime/types.js';
import { isRecord } from '../../runtime/values/record.js';
import type { Arithmetic, Builtin, Difference, Expression, Reference, Shift } from '../compiler/2-parse/tree.js';
import { referencesIn } from '../compiler/2-parse/walk.js';
import type { Span } from '../compiler/diagnostics/diagnostic.js';
import { pathAsWritten } from '../compiler/vocabulary/field-names.js';
import {
  anything,
  asWhole,
  BOOLEAN,
  type Domain,
  EMPTY,
  keepKinds,
  keepNumbers,
  kindsDomain,
  LIST,
  NUMBER,
  numberDomain,
  numbersFrom,
  RECORD,
  TEXT,
} from './domain.js';
import { domainOf } from './ranges.js';
import { domainIn, find, type Link, type State, withDomain } from './state.js';
import {
  type Atom,
  add,
  empty,
  exact,
  fieldAtom,
  isFixed,
  known,
  linearOf,
  operation,
  type Sym,
  scale,
  sumValue,
} from './symbolic.js';

const source = (key: string, is: 'request' | 'env' | 'unknown' | 'moment'): [string, Atom] => [
  key,
  { is: 'atom', key, name: key, origin: { is } },
];

/** Values that every run has. */
const sources: ReadonlyMap<string, Atom> = new Map([
  source('request', 'request'),
  source('env', 'env'),
  source('received', 'unknown'),
  source('today', 'moment'),
  source('now', 'moment'),
]);

/** A place where a run ends as error. */
export interface RunFault {
  readonly state: State;
  readonly span: Span;
  /** The value that is wrong, as the file calls it. */
  readonly name: string;
}

/** Characters. A text that is longer is not put together, as the texts in it can be long as well. */
const LONGEST_TEXT = 1_000_000;

/** The way through one line: expressions narrow the state as they are evaluated. `state` is `undefined` once no run can go on. */
export class Evaluation {
  state: State;
  /** No run gets past here. */
  isOver = false;
  readonly faults: RunFault[] = [];
  readonly text: string;

  constructor(state: State, text: string) {
    this.state = state;
    this.text = text;
  }

  value(expression: Expression): Sym {
    switch (expression.kind) {
      case 'reference':
        return this.reference(expression);
      case 'number':
      case 'constant':
        return known(expression.value);
      case 'text':
        return this.#text(expression.parts);
      case 'list':
        return fixedList(expression.items.map((item) => this.value(item)));
      case 'group':
        return this.value(expression.inner);
      case 'record':
        return { is: 'record', fields: new Map(expression.pairs.map(({ key, value }) => [key.text, this.value(value)])) };
      case 'arithmetic':
        return this.#arithmetic(expression);
      case 'shift':
        return this.#shift(expression);
      case 'difference':
        return this.#difference(expression);
      case 'builtin':
        return this.#builtin(expression);
      case 'comparison':
      case 'between':
      case 'state':
      case 'logic':
      case 'not':
        // Asked later, if ever; but read here.
        for (const reference of referencesIn(expression)) quietly(this, reference);
        return { is: 'test', expression, variables: this.state.variables };
      case 'arranged':
      case 'iteration':
        return this.#opaque(expression, expression.kind === 'arranged' ? LIST : iterationKinds(expression.form));
      case 'field':
        return this.#opaque(expression);
    }
  }

  reference({ root, fields, span }: Pick<Reference, 'root' | 'fields' | 'span'>): Sym {
    let value = this.#root(root, span);
    for (const [index, field] of fields.entries())
      value = this.#field(value, field, pathAsWritten({ root, fields: fields.slice(0, index + 1) }), span);
    return value;
  }

  #root(name: string, { start }: Span): Sym {
    const { reads } = this.state;
    const set = find(this.state.variables, name);
    reads.set(start, reads.get(start) !== false && this.#isSet(set));
    if (set !== undefined) return set;
    const source = sources.get(name);
    if (source !== undefined && !this.state.bases.has(name))
      this.state.bases.set(name, kindsDomain(source.origin.is === 'moment' ? TEXT : RECORD));
    return source ?? empty;
  }

  /** Whether some line has surely set a variable with this value. To states that become one, no value is the same as `empty`. */
  #isSet(value: Sym | undefined): boolean {
    if (value?.is === 'atom' && value.origin.is === 'unknown') return (domainIn(this.state, value).kinds & EMPTY) === 0;
    return value !== undefined && (value.is !== 'known' || value.value !== null);
  }

  #field(owner: Sym, field: string, name: string, span: Span): Sym {
    if (owner.is === 'atom') {
      const read = fieldAtom(owner, field, name);
      if (owner.key === 'env') this.state.bases.set(read.key, kindsDomain(TEXT | EMPTY));
      const { kinds } = domainIn(this.state, owner);
      if (field === 'count' && (kinds & ~(LIST | TEXT)) === 0 && !this.state.bases.has(read.key))
        this.state.bases.set(read.key, asWhole(numberDomain(numbersFrom(0))) ?? kindsDomain(NUMBER));
      return kinds === EMPTY ? empty : read;
    }
    if (owner.is === 'record') return owner.fields.get(field) ?? empty;
    if (owner.is === 'list') return field === 'count' ? known(owner.items.length) : (owner.items[Number(field)] ?? empty);
    if (owner.is === 'known') return this.#fieldOfKnown(owner.value, field, name, span);
    return operation('field', [owner, known(field)], name);
  }

  #fieldOfKnown(value: Value, field: string, name: string, span: Span): Sym {
    if (value === null) return empty;
    if (Array.isArray(value)) return known(field === 'count' ? value.length : (value[Number(field)] ?? null));
    if (typeof value === 'string' && field === 'count') return known([...value].length);
    if (isRecord(value)) return known((Object.hasOwn(value, field) ? value[field] : null) ?? null);
    this.fail(span, name);
    return empty;
  }

  #text(parts: readonly (string | Reference)[]): Sym {
    const values = parts.map((part) => (typeof part === 'string' ? part : this.value(part)));
    const plain = values.map((part) => (typeof part === 'string' ? part : scalarText(part)));
    const length = plain.reduce((sum, part) => sum + (part?.length ?? 0), 0);
    if (length <= LONGEST_TEXT && plain.every((part) => part !== undefined)) return known(plain.join(''));
    return { is: 'text', parts: values };
  }

  /** No run gets past this place. */
  fail(span: Span, name: string): void {
    if (!this.isOver) this.faults.push({ state: this.state, span, name });
    this.isOver = true;
  }

  /** Goes on with runs in which the value is of these kinds; the others end here. */
  require(value: Sym, kinds: number, span: Span, name = this.text.slice(span.start, span.end)): void {
    if (this.isOver) return;
    const domain = domainOf(this.state, value);
    if ((domain.kinds & kinds) === 0) {
      this.fail(span, name);
      return;
    }
    if ((domain.kinds & ~kinds) === 0 || value.is !== 'atom') return;
    const wrong = keepKinds(domain, ~kinds);
    const right = keepKinds(domain, kinds);
    if (wrong !== undefined) this.faults.push({ state: withDomain(this.state, value, wrong), span, name });
    if (right !== undefined) this.state = withDomain(this.state, value, right);
  }

  #arithmetic({ first, operations, span }: Arithmetic): Sym {
    let value = this.value(first);
    let shown = first.span;
    for (const { operator, operand } of operations) {
      const right = this.value(operand);
      // Lists can be added as well.
      const kinds = operator === 'plus' ? NUMBER | LIST : NUMBER;
      this.require(value, kinds, shown);
      this.require(right, kinds, operand.span);
      value = this.#calculate(value, operator, right, { start: span.start, end: operand.span.end });
      shown = { start: span.start, end: operand.span.end };
    }
    return value;
  }

  #calculate(left: Sym, operator: Arithmetic['operations'][number]['operator'], right: Sym, span: Span): Sym {
    const one = this.#number(left);
    const other = this.#number(right);
    const shown = this.text.slice(span.start, span.end);
    const opaque = (kinds = NUMBER): Sym => this.#atom(operator, [left, right], shown, kinds);
    if (operator === 'plus' && (one === undefined || other === undefined)) {
      if (left.is === 'list' && right.is === 'list') return { is: 'list', items: [...left.items, ...right.items] };
      return opaque(NUMBER | LIST);
    }
    if (one === undefined || other === undefined) return opaque();
    if (operator === 'plus') return sumValue(add(one, other));
    if (operator === 'minus') return sumValue(add(one, other, -1));
    if (operator === 'times' && other.terms.length === 0) return sumValue(scale(one, other.constant));
    if (operator === 'times' && one.terms.length === 0) return sumValue(scale(other, one.constant));
    if (operator === 'divided by' && other.terms.length === 0) {
      if (other.constant === 0) this.fail(span, shown);
      else return sumValue(scale(one, 1 / other.constant));
    }
    if (operator.startsWith('rounded') && one.terms.length + other.terms.length === 0)
      return known(rounded(operator, one.constant, other.constant));
    return opaque();
  }

  /** As a sum, if it surely is a number. */
  #number(value: Sym): ReturnType<typeof linearOf> {
    return domainOf(this.state, value).kinds === NUMBER ? linearOf(value) : undefined;
  }

  /** A value that is not followed further. */
  #atom(name: string, operands: readonly Sym[], shown: string, kinds: number, isWhole = false): Atom {
    const atom = operation(name, operands, shown);
    const domain = kindsDomain(kinds);
    this.state.bases.set(atom.key, isWhole ? (asWhole(domain) ?? domain) : domain);
    return atom;
  }

  #shift({ date, operator, amount, unit, span }: Shift): Sym {
    const from = this.value(date);
    const by = this.value(amount);
    this.require(from, TEXT, date.span);
    this.require(by, NUMBER, amount.span);
    const signed = operator === 'plus' ? by : known(by.is === 'known' && typeof by.value === 'number' ? -by.value : null);
    const operands = signed.is === 'known' && signed.value === null ? [from, by, known(operator)] : [from, signed];
    return this.#atom(`shift ${unit}`, operands, this.text.slice(span.start, span.end), TEXT);
  }

  #difference({ unit, from, to, span }: Difference): Sym {
    const [start, end] = [this.value(from), this.value(to)];
    this.require(start, TEXT, from.span);
    this.require(end, TEXT, to.span);
    return this.#atom(`${unit} from`, [start, end], this.text.slice(span.start, span.end), NUMBER, unit !== 'working hours');
  }

  #builtin(builtin: Builtin): Sym {
    const { name, operands, span } = builtin;
    const values = operands.map((operand) => this.value(operand));
    const [first = empty] = values;
    const shown = this.text.slice(span.start, span.end);
    if (
      values.every(isFixed) &&
      (name === 'count of' || name === 'uppercase of' || name === 'lowercase of' || name === 'trimmed')
    )
      return fixedResult(name, first);
    const atom = this.#atom(name, values, shown, builtinKinds(name), wholeResults.has(name));
    const base = domainIn(this.state, atom);
    const countCall = name === 'count of' || name === 'absolute value of' ? keepNumbers(base, [numbersFrom(0)]) : base;
    const part = partLimits[name];
    this.state.bases.set(atom.key, part ?? countCall ?? base);
    if (name === 'percent of') return this.#percent(values, atom);
    return this.#choosing(atom, builtin);
  }

  /** `10 percent of total`. */
  #percent([share = empty, of = empty]: readonly Sym[], otherwise: Atom): Sym {
    const [one, other] = [this.#number(share), this.#number(of)];
    if (one === undefined || other === undefined) return otherwise;
    if (one.terms.length === 0) return sumValue(scale(other, one.constant / 100));
    return other.terms.length === 0 ? sumValue(scale(one, other.constant / 100)) : otherwise;
  }

  /** A value that depends on the variables that the expression reads, and on nothing else. */
  #opaque(expression: Expression, kinds?: number): Atom {
    const shown = this.text.slice(expression.span.start, expression.span.end);
    const read = [...referencesIn(expression)].map((reference) => quietly(this, reference));
    const atom = operation(shown, read, shown);
    if (kinds !== undefined) this.state.bases.set(atom.key, kindsDomain(kinds));
    return this.#choosing(atom, expression);
  }

  /** Tells where the items of a list come from that is another one with fewer items, or in another order. */
  #choosing(atom: Atom, expression: Expression): Atom {
    const list = listChosenFrom(expression);
    if (list === undefined || atom.origin.is !== 'operation') return atom;
    const condition = expression.kind === 'iteration' ? expression.condition : undefined;
    const item = expression.kind === 'iteration' ? expression.item.text : '';
    const where = condition === undefined ? {} : { where: { item, condition, variables: this.state.variables } };
    const inner = new Evaluation(this.state, this.text);
    return { ...atom, origin: { ...atom.origin, itemsOf: { list: inner.value(list), ...where } } };
  }

  /** Evaluates with other variables: those of a condition that was kept as a value. */
  within<T>(variables: Link<Sym> | undefined, evaluate: () => T): T {
    const own = this.state.variables;
    this.state = { ...this.state, variables };
    const result = evaluate();
    this.state = { ...this.state, variables: own };
    return result;
  }
}

function listChosenFrom(expression: Expression): Expression | undefined {
  if (expression.kind === 'iteration') return expression.form === 'filter' ? expression.list : undefined;
  if (expression.kind === 'arranged') return expression.how === 'sorted' ? expression.list : undefined;
  return expression.kind === 'builtin' && choosing.has(expression.name) ? expression.operands.at(-1) : undefined;
}

const choosing: ReadonlySet<string> = new Set(['first items of', 'last items of', 'reversed', 'unique of']);

/** A reference inside of an expression that is not evaluated part by part. */
function quietly(evaluation: Evaluation, reference: Reference): Sym {
  const inner = new Evaluation(evaluation.state, evaluation.text);
  return inner.reference(reference);
}

const iterationKinds = (form: 'filter' | 'map' | 'some' | 'every'): number =>
  form === 'filter' || form === 'map' ? LIST : BOOLEAN;

const fixedList = (items: readonly Sym[]): Sym =>
  items.every((item) => item.is === 'known')
    ? known(items.map((item) => (item.is === 'known' ? item.value : null)))
    : { is: 'list', items };

/** The text of a fixed value in a text; `undefined` if it is not known, or not simple. */
function scalarText(value: Sym): string | undefined {
  if (value.is !== 'known') return undefined;
  if (value.value === null) return '';
  return typeof value.value === 'object' ? undefined : String(value.value);
}

function fixedResult(name: 'count of' | 'uppercase of' | 'lowercase of' | 'trimmed', value: Sym): Sym {
  const plain = value.is === 'known' ? value.value : undefined;
  if (name === 'count of') {
    if (value.is === 'list') return known(value.items.length);
    if (plain === null) return known(0);
    if (typeof plain === 'string') return known([...plain].length);
    return Array.isArray(plain) ? known(plain.length) : operation(name, [value], name);
  }
  if (typeof plain !== 'string') return plain === null ? empty : operation(name, [value], name);
  if (name === 'uppercase of') return known(plain.toUpperCase());
  return known(name === 'trimmed' ? plain.trim() : plain.toLowerCase());
}

function rounded(operator: string, value: number, places: number): number {
  const factor = 10 ** places;
  const scaled = exact(value * factor);
  if (operator === 'rounded up to') return exact(Math.ceil(scaled) / factor);
  if (operator === 'rounded down to') return exact(Math.floor(scaled) / factor);
  return exact((Math.sign(scaled) * Math.round(Math.abs(scaled))) / factor);
}

const numeric = new Set([
  'count of',
  'sum of',
  'average of',
  'absolute value of',
  'remainder of',
  'percent of',
  'number of',
  'position of',
  'day of',
  'week of',
  'month of',
  'year of',
  'hour of',
  'minute of',
]);
const fromTo = (low: number, high: number): Domain | undefined =>
  asWhole(numberDomain({ low, high, lowOpen: false, highOpen: false }));

/** The possible values of a part of a date or time. */
const partLimits: Readonly<Record<string, Domain | undefined>> = {
  'weekday of': { ...kindsDomain(TEXT), texts: { ...anything.texts, only: weekdayNames } },
  'day of': fromTo(1, 31),
  'week of': fromTo(1, 53),
  'month of': fromTo(1, 12),
  'hour of': fromTo(0, 23),
  'minute of': fromTo(0, 59),
};

const wholeResults = new Set(['count of', 'day of', 'week of', 'month of', 'year of', 'hour of', 'minute of']);

function builtinKinds(name: string): number {
  if (name === 'position of') return NUMBER | EMPTY;
  if (name === 'average of') return NUMBER | EMPTY;
  if (numeric.has(name)) return NUMBER;
  return kindsDomain(511).kinds;
}
