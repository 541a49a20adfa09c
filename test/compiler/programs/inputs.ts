// Declared inputs of random programs: how they are written, and what they accept, written only from docs/language.md.
import type { Dates } from './date-operations.js';
import { quoted } from './quoted.js';
import { textOperations } from './text-operations.js';
import type { Json } from './tree.js';
import { fromJson, isList, isRecord, show, type Val } from './values.js';

export interface Input {
  readonly name: string;
  readonly kind: InputKind;
  /** `undefined`: it is required. */
  readonly presence: 'optional' | { readonly otherwise: Json } | undefined;
}

export interface Limits<T> {
  readonly from?: T;
  readonly to?: T;
  readonly above?: T;
  readonly below?: T;
}

export type ItemKind =
  | { readonly is: 'text'; readonly least?: number; readonly most?: number; readonly like?: string }
  | ({ readonly is: 'number' | 'whole number' } & Limits<number>)
  | ({ readonly is: 'date' | 'time' } & Limits<string>)
  | { readonly is: 'yes or no' | 'email address' | 'anything' }
  | { readonly is: 'record'; readonly fields: readonly Input[] };

export type InputKind =
  | ItemKind
  | { readonly is: 'choice'; readonly values: readonly (string | number)[] }
  | { readonly is: 'list'; readonly of: ItemKind; readonly least?: number; readonly most?: number };

/** A field, and how its problem ends: what it is instead. */
export type Problem = readonly [field: string, found: string];

/** The fields that a value of this kind has in the language. */
export function deeperFields(kind: InputKind): readonly string[] {
  if (kind.is === 'record') return kind.fields.map(({ name }) => name);
  if (kind.is === 'list') return ['count', '0', '1'];
  return /number|yes|anything/.test(kind.is) || kind.is === 'choice' ? [] : ['count'];
}

// --- how they are written -------------------------------------------------------------------------------------------------

export function printInputs(inputs: readonly Input[], depth = 1): string[] {
  return inputs.flatMap(({ name, kind, presence }) => {
    const end =
      presence === undefined
        ? ''
        : presence === 'optional'
          ? ', optional'
          : `, otherwise ${literal(presence.otherwise, kind.is === 'yes or no')}`;
    const record = kind.is === 'list' ? kind.of : kind;
    const line = `${'    '.repeat(depth)}${name} is ${kindWords(kind)}${end}`;
    return record.is === 'record' ? [`${line}:`, ...printInputs(record.fields, depth + 1)] : [line];
  });
}

function kindWords(kind: InputKind): string {
  switch (kind.is) {
    case 'yes or no':
    case 'anything':
      return kind.is;
    case 'email address':
      return 'an email address';
    case 'choice':
      return `one of ${kind.values.map((value) => literal(value)).join(', ')}`;
    case 'list': {
      const { is } = kind.of;
      const plural = is === 'email address' ? 'email addresses' : is === 'yes or no' || is === 'anything' ? is : `${is}s`;
      return `a list of ${countWords(kind)}${plural}${limitWords(kind.of)}`;
    }
    default:
      return `a ${kind.is}${limitWords(kind)}`;
  }
}

function countWords({ least, most }: { readonly least?: number; readonly most?: number }): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most} `;
  return least !== undefined ? `at least ${least} ` : most !== undefined ? `at most ${most} ` : '';
}

function limitWords(kind: ItemKind): string {
  if (kind.is === 'text') {
    const count = countWords(kind);
    return `${count === '' ? '' : ` of ${count}characters`}${kind.like === undefined ? '' : ` like ${literal(kind.like)}`}`;
  }
  if (kind.is !== 'number' && kind.is !== 'whole number' && kind.is !== 'date' && kind.is !== 'time') return '';
  const { from, to, above, below } = kind;
  if (from !== undefined && to !== undefined) return ` from ${literal(from)} to ${literal(to)}`;
  const parts = { 'at least': from, above, 'at most': to, below };
  return Object.entries(parts)
    .map(([word, value]) => (value === undefined ? '' : ` ${word} ${literal(value)}`))
    .join('');
}

function literal(value: Json, isAnswer = false): string {
  if (Array.isArray(value)) return `[${value.map((item) => literal(item)).join(', ')}]`;
  if (typeof value === 'boolean') return isAnswer ? (value ? 'yes' : 'no') : String(value);
  return typeof value === 'string' ? quoted(value) : String(value);
}

// --- what they accept -----------------------------------------------------------------------------------------------------

export interface Accepted {
  readonly request: ReadonlyMap<string, Val>;
  readonly problems: readonly Problem[];
}

/** @param isText the values are cells of a table, which become what is declared */
export function accept(inputs: readonly Input[], request: Val, dates: Dates, isText = false): Accepted {
  const problems: Problem[] = [];
  const taken = record(inputs, request, '', { dates, isText, tell: (problem) => problems.push(problem) });
  return { request: taken, problems };
}

interface Context {
  readonly dates: Dates;
  readonly isText: boolean;
  readonly tell: (problem: Problem) => void;
}

function record(inputs: readonly Input[], given: Val, path: string, context: Context): Map<string, Val> {
  const taken = new Map<string, Val>();
  for (const { name, kind, presence } of inputs) {
    const at = path === '' ? name : `${path}.${name}`;
    const value = isRecord(given) ? given.get(name) : undefined;
    const isTextual = ['text', 'date', 'time', 'email address', 'choice'].includes(kind.is);
    const isLeftOut = value === undefined || value === null || (value === '' && (context.isText || isTextual));
    if (!isLeftOut) taken.set(name, taking(kind, value, at, context));
    else if (presence === undefined) context.tell([at, value === undefined ? 'is missing' : 'is empty']);
    else if (presence !== 'optional') taken.set(name, fromJson(presence.otherwise));
    // A field that is left out stays left out.
    else if (value !== undefined) taken.set(name, value === '' && kind.is === 'text' && !context.isText ? '' : null);
  }
  return taken;
}

function taking(kind: InputKind, given: Val, path: string, context: Context): Val {
  const refuse = (): null => {
    context.tell([path, found(kind, given)]);
    return null;
  };
  if (kind.is === 'record') return isRecord(given) ? record(kind.fields, given, path, context) : refuse();
  if (kind.is !== 'list') {
    const value = context.isText ? converted(kind, given) : given;
    return fits(kind, value, context.dates) ? value : refuse();
  }
  if (!isList(given)) return refuse();
  if (given.length < (kind.least ?? 0) || given.length > (kind.most ?? Number.POSITIVE_INFINITY)) refuse();
  return given.map((item, index) => {
    const at = `${path}.${index}`;
    if (kind.of.is === 'anything' || (item !== null && item !== '')) return taking(kind.of, item, at, context);
    context.tell([at, 'is empty']);
    return null;
  });
}

function found(kind: InputKind, value: Val): string {
  if (value === null || value === '') return 'is empty';
  if (isList(value)) return kind.is !== 'list' ? 'is a list' : value.length === 0 ? 'is empty' : `has ${value.length}`;
  if (isRecord(value)) return 'is a record';
  return typeof value === 'string' ? `is ${JSON.stringify(value)}` : `is ${value}`;
}

function fits(kind: Exclude<InputKind, { readonly is: 'record' | 'list' }>, value: Val, dates: Dates): boolean {
  switch (kind.is) {
    case 'anything':
      return true;
    case 'yes or no':
      return typeof value === 'boolean';
    case 'choice':
      return kind.values.some((one) => one === value);
    case 'email address':
      return typeof value === 'string' && /^[a-z.]+@([a-z]+\.)+[a-z]+$/.test(value);
    case 'text': {
      if (typeof value !== 'string') return false;
      const length = [...value].length;
      if (length < (kind.least ?? 0) || length > (kind.most ?? Number.POSITIVE_INFINITY)) return false;
      return kind.like === undefined || textOperations['# is like #']?.(value, kind.like) === true;
    }
    case 'number':
    case 'whole number':
      if (typeof value !== 'number' || (kind.is === 'whole number' && !Number.isInteger(value))) return false;
      return inLimits(kind, (limit) => value - limit);
    case 'date':
    case 'time': {
      if (typeof value !== 'string' || (value.length === 10) !== (kind.is === 'date') || !dates.exists(value)) return false;
      return inLimits(kind, (limit) =>
        dates.compare('is before', value, limit) ? -1 : dates.compare('is after', value, limit) ? 1 : 0,
      );
    }
  }
}

function inLimits<T>({ from, to, above, below }: Limits<T>, order: (limit: T) => number): boolean {
  if (from !== undefined && order(from) < 0) return false;
  if (to !== undefined && order(to) > 0) return false;
  if (above !== undefined && order(above) <= 0) return false;
  return below === undefined || order(below) < 0;
}

/** The text of a cell as the declared kind, if it can be that. */
function converted(kind: InputKind, value: Val): Val {
  if (kind.is === 'choice') return kind.values.find((one) => one === value || String(one) === show(value)) ?? value;
  if (typeof value === 'number' || typeof value === 'boolean')
    return kind.is === 'text' || (typeof value === 'number' && /date|time|email/.test(kind.is)) ? show(value) : value;
  if (typeof value !== 'string') return value;
  // More digits than a number has.
  const isNumber = /^-?\d+(\.\d+)?$/.test(value) && value.replace(/\D/g, '').length <= 15;
  if (kind.is === 'number' || kind.is === 'whole number') return isNumber ? Number(value) : value;
  if (kind.is === 'yes or no') return ({ yes: true, true: true, no: false, false: false } as const)[value] ?? value;
  if (kind.is !== 'anything') return value;
  // As in a CSV file.
  return value === 'true' || value === 'false' ? value === 'true' : isNumber && !/^-?0\d/.test(value) ? Number(value) : value;
}
