// The evaluator's values, written only from docs/language.md. Records are Maps, and nothing is changed in place.
import type { Json } from './tree.js';

export type Val = null | boolean | number | string | readonly Val[] | ReadonlyMap<string, Val>;

/** A run-time error of the language. */
export class Fault extends Error {}
/** The program creates more data than a test should hold. */
export class TooBig extends Error {}

export const isList = (value: Val): value is readonly Val[] => Array.isArray(value);
export const isRecord = (value: Val): value is ReadonlyMap<string, Val> => value instanceof Map;

export function fromJson(json: Json): Val {
  if (Array.isArray(json)) return json.map(fromJson);
  if (typeof json === 'object' && json !== null) return new Map(Object.entries(json).map(([key, item]) => [key, fromJson(item)]));
  return json;
}

/** A value in output form. Lists of pairs represent records, so that the order of fields and every name can be compared. */
export function put(value: Val): unknown {
  if (isList(value)) return value.map(put);
  if (isRecord(value)) return { record: [...value].map(([key, item]) => [key, put(item)]) };
  return typeof value === 'number' ? withoutNoise(value) : value;
}

/** A value as it leaves a workflow: numbers without noise. */
export function tidy(value: Val): Val {
  if (isList(value)) return value.map(tidy);
  if (isRecord(value)) return new Map([...value].map(([key, item]) => [key, tidy(item)]));
  return typeof value === 'number' ? withoutNoise(value) : value;
}

/** The same form for the result of a run. */
export function putActual(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(putActual);
  if (typeof value === 'object' && value !== null)
    return { record: Object.entries(value).map(([key, item]) => [key, putActual(item)]) };
  return typeof value === 'number' ? withoutNoise(value) : (value ?? null);
}

/** Rounds to 15 significant digits if the result has 12 digits or fewer. */
export function withoutNoise(number: number): number {
  if (Number.isInteger(number)) return number === 0 ? 0 : number;
  const rounded = number.toPrecision(15);
  const digits = rounded.replace(/e.*/, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
  return digits.length <= 12 ? Number(rounded) : number;
}

export function numberText(number: number): string {
  const text = String(withoutNoise(number));
  const small = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (small === null) return text;
  const [, sign = '', first = '', rest = '', exponent = ''] = small;
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`;
}

export function show(value: Val): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'boolean' ? String(value) : json(value);
}

function json(value: Val): string {
  if (isList(value)) return `[${value.map(json).join(',')}]`;
  if (isRecord(value)) return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}:${json(item)}`).join(',')}}`;
  return typeof value === 'number' ? JSON.stringify(withoutNoise(value)) : JSON.stringify(value);
}

export const isEmpty = (value: Val): boolean =>
  value === null || value === '' || (isList(value) && value.length === 0) || (isRecord(value) && value.size === 0);

/** A text that says no counts neither as true nor as false. */
export function truthy(value: Val): boolean {
  if (typeof value === 'string' && /^\s*(?:no|false|n|off|0)\s*$/i.test(value)) throw new Fault('a text that says no');
  return typeof value === 'boolean' ? value : typeof value === 'number' ? value !== 0 : !isEmpty(value);
}

export function equal(one: Val, other: Val): boolean {
  if (typeof one === 'number' && typeof other === 'number') return withoutNoise(one) === withoutNoise(other);
  if (isList(one) && isList(other))
    return one.length === other.length && one.every((item, index) => equal(item, other[index] ?? null));
  if (isRecord(one) && isRecord(other))
    return [...one.keys(), ...other.keys()].every((key) => equal(one.get(key) ?? null, other.get(key) ?? null));
  return one === other;
}

const characters = (text: string): number => [...text].length;

export function field(value: Val, key: string): Val {
  if (value === null) return null;
  if (isRecord(value)) return value.get(key) ?? null;
  if (isList(value)) return key === 'count' ? value.length : /^(0|[1-9]\d*)$/.test(key) ? (value[Number(key)] ?? null) : null;
  if (typeof value === 'string' && key === 'count') return characters(value);
  throw new Fault(`field of ${typeof value}`);
}

export function setField(owner: Val, keys: readonly string[], value: Val): Val {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (owner !== null && !isRecord(owner)) throw new Fault('field set on no record');
  const old: ReadonlyMap<string, Val> = owner ?? new Map();
  return new Map([...old, [key, setField(old.get(key) ?? null, rest, value)]]);
}

/** Negative, 0 or positive. */
export function order(one: Val, other: Val): number {
  if (typeof one === 'number' && typeof other === 'number')
    return withoutNoise(one) === withoutNoise(other) ? 0 : withoutNoise(one) < withoutNoise(other) ? -1 : 1;
  if (typeof one !== 'string' || typeof other !== 'string') throw new Fault('no order');
  const [a, b] = [[...one], [...other]].map((letters) => letters.map((letter) => letter.codePointAt(0) ?? 0));
  for (let at = 0; at < Math.min(a?.length ?? 0, b?.length ?? 0); at++)
    if (a?.[at] !== b?.[at]) return (a?.[at] ?? 0) - (b?.[at] ?? 0);
  return (a?.length ?? 0) - (b?.length ?? 0);
}

export function compare(word: string, left: Val, right: Val): boolean {
  switch (word) {
    case 'is':
      return equal(left, right);
    case 'is not':
      return !equal(left, right);
    case 'is above':
      return order(left, right) > 0;
    case 'is below':
      return order(left, right) < 0;
    case 'is at least':
      return order(left, right) >= 0;
    case 'is at most':
      return order(left, right) <= 0;
    case 'contains':
      return contains(left, right);
    case 'does not contain':
      return !contains(left, right);
    case 'is one of':
      return isOneOf(left, right);
    case 'is not one of':
      return !isOneOf(left, right);
    default: {
      if (typeof left !== 'string' && left !== null) throw new Fault(word);
      if (typeof right === 'object' && right !== null) throw new Fault(word);
      if (left === null || right === null) return false;
      return word === 'starts with' ? left.startsWith(show(right)) : left.endsWith(show(right));
    }
  }
}

function contains(container: Val, sought: Val): boolean {
  if (container === null) return false;
  if (isList(container)) return container.some((item) => equal(item, sought));
  if (typeof container !== 'string' && !isRecord(container)) throw new Fault('contains');
  if (sought === null) return false;
  if (typeof sought === 'object') throw new Fault('contains');
  return typeof container === 'string' ? container.includes(show(sought)) : container.has(show(sought));
}

function isOneOf(value: Val, list: Val): boolean {
  if (list === null) return false;
  if (!isList(list)) throw new Fault('is one of');
  return list.some((item) => equal(item, value));
}

export function calculate(operator: string, left: Val, right: Val): Val {
  if (operator === 'plus') {
    if (isList(left) && isList(right)) return [...left, ...right];
  }
  if (typeof left !== 'number' || typeof right !== 'number') throw new Fault(operator);
  if (operator.startsWith('rounded to')) return round(left, right);
  if (operator === 'divided by' && right === 0) throw new Fault('zero');
  const result =
    operator === 'plus' ? left + right : operator === 'minus' ? left - right : operator === 'times' ? left * right : left / right;
  if (!Number.isFinite(result)) throw new Fault('not finite');
  return operator === 'plus' || operator === 'minus'
    ? withoutCancelled(result, Math.max(Math.abs(left), Math.abs(right)))
    : result;
}

/** If the result is smaller than the larger operand, digits were lost. Rounds it to that operand's 15th digit. */
function withoutCancelled(result: number, largest: number): number {
  if (Number.isInteger(result) || Math.abs(result) >= largest) return result;
  const places = 14 - Number(largest.toExponential().split('e')[1]);
  if (places < 0 || places > 22) return result;
  const size = Math.abs(result) * 10 ** places;
  return size < 1e15 ? (Math.sign(result) * Math.round(size)) / 10 ** places + 0 : result;
}

/** Rounds halves away from zero, based on the decimal form. */
function round(number: number, places: number): number {
  if (Number.isInteger(number)) return number;
  const [whole = '0', fraction = ''] = numberText(Math.abs(number)).split('.');
  if (fraction.length <= places) return withoutNoise(number);
  const digits = BigInt(whole + fraction.slice(0, places)) + (Number(fraction[places]) >= 5 ? 1n : 0n);
  const text = String(digits).padStart(places + 1, '0');
  const size = Number(places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`);
  return number < 0 && size !== 0 ? -size : size;
}

export function readyMade(name: string, value: Val): Val {
  switch (name) {
    case 'text of':
      return show(value);
    case 'number of': {
      if (typeof value === 'number') return value;
      if (typeof value !== 'string' || !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value.trim())) throw new Fault(name);
      return Number(value);
    }
    case 'count of':
      if (value === null) return 0;
      if (typeof value === 'string') return characters(value);
      if (isList(value)) return value.length;
      throw new Fault(name);
    case 'sum of':
      return sum(value);
    case 'first of':
    case 'last of':
      if (value === null) return null;
      if (!isList(value)) throw new Fault(name);
      return value[name === 'first of' ? 0 : value.length - 1] ?? null;
    default:
      if (value === null) return null;
      if (typeof value !== 'string') throw new Fault(name);
      return name === 'trimmed' ? value.trim() : name === 'uppercase of' ? value.toUpperCase() : value.toLowerCase();
  }
}

/** The path of `sum of rows.amount`: reads the field from each record once it meets a list. */
export function eachField(value: Val, fields: readonly string[]): Val {
  const [key, ...rest] = fields;
  if (key === undefined) return value;
  if (isList(value) && !/^\d+$/.test(key)) return gather(value, fields);
  return eachField(field(value, key), rest);
}

function gather(value: Val, fields: readonly string[]): Val[] {
  const [key, ...rest] = fields;
  if (isList(value)) return value.flatMap((item) => (isList(item) && key === undefined ? [item] : gatherItem(item, fields)));
  return key === undefined ? [value] : gather(field(value, key), rest);
}

const gatherItem = (item: Val, fields: readonly string[]): Val[] => {
  let value = item;
  let rest = fields;
  while (rest.length > 0 && !isList(value)) {
    value = field(value, rest[0] ?? '');
    rest = rest.slice(1);
  }
  return rest.length > 0 ? gather(value, rest) : [value];
};

function sum(value: Val): number {
  if (value === null) return 0;
  if (!isList(value)) throw new Fault('sum of');
  const numbers = value.filter((item) => item !== null);
  for (const item of numbers) if (typeof item !== 'number') throw new Fault('sum of');
  const texts = numbers.map((item) => numberText(item as number)); // checked above
  const decimals = Math.max(0, ...texts.map((text) => text.split('.')[1]?.length ?? 0));
  const isShort = decimals <= 12 && texts.every((text) => Number.isSafeInteger(Number(text.replace('.', ''))));
  const result = isShort ? exactSum(texts, decimals) : numbers.reduce<number>((total, item) => total + (item as number), 0);
  if (!Number.isFinite(result)) throw new Fault('not finite');
  return result;
}

/** Adds short decimals as decimals, so that no noise accumulates. */
function exactSum(texts: readonly string[], decimals: number): number {
  let total = 0n;
  for (const text of texts) {
    const [whole = '', fraction = ''] = text.split('.');
    total += BigInt(whole + fraction.padEnd(decimals, '0'));
  }
  return Number(`${total}e-${decimals}`);
}
