// Validates a request against the fields that its workflow declares: reports all problems at once, fills in defaults, finds the heading of a
// table that a field belongs to, and drops undeclared fields.
import { Calendar } from '../dates/calendar.js';
import { parseMoment } from '../dates/moment.js';
import { fitsPattern } from '../texts/like.js';
import type { Value, WfRecord } from '../types.js';
import { isRecord, setOwn } from '../values/record.js';
import { show } from '../values/values.js';
import type { Acceptance, DateKind, FieldKind, InputField, InputProblem, TextKind, ValueLimits } from './input-types.js';
import { countCharacters, foundWords, kindWords } from './input-words.js';

interface AcceptOptions {
  /** Values arrive as text, from a table or a form, and are converted to the declared kinds. Reads text without a declared kind. */
  readonly untyped?: ((text: string) => Value) | undefined;
  /** Time zone for times without an offset; UTC by default. */
  readonly timezone?: string | undefined;
}

/** More than anyone reads. A request may contain a list of a million wrong items. */
const mostProblems = 1_000;

/** @param request plain data, which is not changed */
export function acceptRequest(fields: readonly InputField[], request: WfRecord, options: AcceptOptions = {}): Acceptance {
  const walk = new Walk(options);
  const accepted = walk.record(fields, request);
  return { request: accepted, problems: walk.problems };
}

class Walk {
  readonly problems: InputProblem[] = [];
  readonly #path: (string | number)[] = [];
  readonly #untyped: AcceptOptions['untyped'];
  readonly #timezone: string | undefined;

  constructor({ untyped, timezone }: AcceptOptions) {
    this.#untyped = untyped;
    this.#timezone = timezone;
  }

  record(fields: readonly InputField[], given: WfRecord): WfRecord {
    const made: WfRecord = {};
    const names = this.#untyped === undefined ? undefined : headingsFor(fields, given);
    for (const field of fields) {
      const { name } = field;
      const heading = names?.get(name) ?? name;
      const value = Object.hasOwn(given, heading) ? given[heading] : undefined;
      this.#path.push(name);
      if (this.#isLeftOut(field, value)) this.#fill(made, field, value);
      else setOwn(made, name, this.#value(field.kind, value));
      this.#path.pop();
    }
    return made;
  }

  /** In JSON, `""` counts as empty even if text is expected. */
  #isLeftOut({ kind }: InputField, value: Value): boolean {
    if (value === undefined || value === null) return true;
    return value === '' && (this.#untyped !== undefined || isText(kind));
  }

  #fill(made: WfRecord, { name, kind, optional, otherwise }: InputField, value: Value): void {
    if (otherwise !== undefined) setOwn(made, name, otherwise);
    else if (optional !== true) this.#report(kind, value);
    // Empty text is valid text; for any other kind, it means no value.
    else if (value !== undefined) setOwn(made, name, value === '' && (kind.is !== 'text' || this.#untyped) ? null : value);
  }

  #value(kind: FieldKind, value: Value): Value {
    switch (kind.is) {
      case 'record':
        return isRecord(value) ? this.record(kind.fields, value) : this.#report(kind, value);
      case 'list': {
        if (!Array.isArray(value)) return this.#report(kind, value);
        if (value.length < (kind.least ?? 0) || value.length > (kind.most ?? value.length)) this.#report(kind, value);
        return this.#list(kind.of, value);
      }
      case 'text':
      case 'number':
      case 'whole number':
      case 'date':
      case 'time':
      case 'yes or no':
      case 'email address':
      case 'anything':
      case 'choice': {
        const read = this.#untyped === undefined ? value : fromText(kind, value, this.#untyped);
        return scalarFits(kind, read, this.#timezone) ? read : this.#report(kind, value);
      }
    }
  }

  #list(of: FieldKind, given: Value[]): Value[] {
    const made: Value[] = [];
    for (const [index, item] of given.entries()) {
      if (this.problems.length >= mostProblems) break;
      this.#path.push(index);
      const isEmpty = item === null || item === undefined || (item === '' && of.is !== 'anything');
      made.push(isEmpty && of.is !== 'anything' ? this.#report(of, item ?? null) : this.#value(of, item));
      this.#path.pop();
    }
    return made;
  }

  #report(kind: FieldKind, value: Value): null {
    if (this.problems.length < mostProblems) {
      const must = kindWords(kind, this.#untyped === undefined);
      this.problems.push({ field: this.#path.join('.'), problem: `must be ${must}, and ${foundWords(kind, value)}` });
    }
    return null;
  }
}

/** Kinds whose values are text. */
const isText = ({ is }: FieldKind): boolean =>
  is === 'text' || is === 'date' || is === 'time' || is === 'email address' || is === 'choice';

/** A double represents this many digits exactly. */
const mostDigits = 15;

const answers: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
]);

/** @param untyped reads text without a declared kind */
function fromText(kind: ScalarKind, value: Value, untyped: (text: string) => Value): Value {
  switch (kind.is) {
    case 'text':
    case 'date':
    case 'time':
    case 'email address':
      return typeof value === 'number' || (typeof value === 'boolean' && kind.is === 'text') ? show(value) : value;
    case 'number':
    case 'whole number':
      return typeof value === 'string' ? (plainNumber(value) ?? value) : value;
    case 'yes or no':
      return typeof value === 'string' ? (answers.get(value.trim().toLowerCase()) ?? value) : value;
    case 'choice': {
      const text = typeof value === 'number' ? show(value) : value;
      return kind.values.find((one) => one === value || String(one) === text) ?? value;
    }
    case 'anything':
      return typeof value === 'string' ? untyped(value) : value;
  }
}

/** Digits with an optional sign and an optional fraction. Leading zeros are fine: the field is declared as a number. */
function plainNumber(text: string): number | undefined {
  // Nearly every number of a large table.
  if (text.length <= mostDigits && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return Number(text) + 0;
  const [, digits = ''] = /^[-+]?(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  const significant = digits.replace('.', '').replace(/^0+/, '');
  return digits === '' || significant.length > mostDigits ? undefined : Number(text) + 0;
}

type ScalarKind = Exclude<FieldKind, { readonly is: 'record' | 'list' }>;

/** @param timezone for times without an offset; UTC by default */
function scalarFits(kind: ScalarKind, value: Value, timezone: string | undefined): boolean {
  switch (kind.is) {
    case 'text':
      return typeof value === 'string' && textFits(kind, value);
    case 'number':
      return typeof value === 'number' && inLimits(kind, value, byNumber);
    case 'whole number':
      return typeof value === 'number' && Number.isInteger(value) && inLimits(kind, value, byNumber);
    case 'date':
    case 'time':
      return typeof value === 'string' && dateFits(kind, value, timezone);
    case 'yes or no':
      return typeof value === 'boolean';
    case 'email address':
      return typeof value === 'string' && isEmailAddress(value);
    case 'choice':
      return kind.values.some((one) => one === value);
    case 'anything':
      return true;
  }
}

function textFits({ least = 0, most = Number.POSITIVE_INFINITY, like }: TextKind, value: string): boolean {
  // Most texts are short, so their characters need not be counted.
  if (value.length < least || (value.length > most && countCharacters(value) > most)) return false;
  if (least > 1 && countCharacters(value) < least) return false;
  return like === undefined || fitsPattern(value, like);
}

function dateFits(kind: DateKind, value: string, timezone: string | undefined): boolean {
  const moment = parseMoment(value);
  if (moment === undefined || (moment.form === 'date') !== (kind.is === 'date')) return false;
  // Dates sort as text.
  return inLimits(kind, value, kind.is === 'date' ? byText : byInstant(timezone));
}

type Order<T> = (one: T, other: T) => number;

const byNumber: Order<number> = (one, other) => one - other;
const byText: Order<string> = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

const byInstant = (timezone = 'UTC'): Order<string> => {
  const calendar = new Calendar(timezone, undefined);
  const instant = (text: string): number => {
    const moment = parseMoment(text);
    return moment === undefined ? Number.NaN : calendar.instantOf(moment);
  };
  return (one, other) => instant(one) - instant(other);
};

function inLimits<T>({ from, to, above, below }: ValueLimits<T>, value: T, order: Order<T>): boolean {
  if (from !== undefined && order(value, from) < 0) return false;
  if (to !== undefined && order(value, to) > 0) return false;
  if (above !== undefined && order(value, above) <= 0) return false;
  return below === undefined || order(value, below) < 0;
}

/** The longest address that mail servers accept (RFC 5321, 4.5.3.1). */
const longestAddress = 254;
/** No spaces or control characters, nothing that could separate two addresses, and a dot in the host. */
const address =
  /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]{1,64}@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f.]+(?:\.[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f.]+)+$/;

const isEmailAddress = (text: string): boolean => text.length <= longestAddress && address.test(text);

/** `Due Date`, `due_date` and `due-date` are the same. */
export const loosely = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

/** By field; without those that have a heading of their own name, and those for which there is none or more than one. */
const known = new WeakMap<readonly InputField[], { readonly keys: string; readonly found: ReadonlyMap<string, string> }>();

/** The headings that differ from the names of their fields. All rows of a table have the same ones. */
function headingsFor(fields: readonly InputField[], given: WfRecord): ReadonlyMap<string, string> {
  const headings = Object.keys(given);
  const keys = headings.join('\n');
  const before = known.get(fields);
  if (before?.keys === keys) return before.found;
  const declared = new Set(fields.map(({ name }) => name));
  const free = headings.filter((heading) => !declared.has(heading));
  const found = new Map<string, string>();
  for (const { name } of fields) {
    if (Object.hasOwn(given, name)) continue;
    const alike = free.filter((heading) => loosely(heading) === loosely(name));
    const isShared = fields.some((other) => other.name !== name && loosely(other.name) === loosely(name));
    if (alike.length === 1 && alike[0] !== undefined && !isShared) found.set(name, alike[0]);
  }
  known.set(fields, { keys, found });
  return found;
}
