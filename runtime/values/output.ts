// Prepares a value to leave the run: only JSON types, numbers without noise. Written for the largest data that a run has: it
// shares whatever is already right instead of copying it.
import type { Steps } from '../in-turns.js';
import type { Value, WfRecord } from '../values/value-types.js';
import { postponed } from '../workload.js';
import type { WfError } from './errors.js';
import { jsonSize, mostText } from './json.js';
import { withoutNoise } from './number-format.js';
import { setOwn } from './record.js';
import { tooDeep, tooLarge } from './value-errors.js';

/**
 * Maximum nesting of lists and records that are shown, compared or output. JSON.stringify recurses and has a few thousand
 * levels of stack; other parts of a host may recurse with larger frames.
 */
export const deepestValue = 1000;

/** More than the largest input file can contain; only reached if a value contains another one many times. */
const mostValues = 50_000_000;

/** The number of parts that one walk may still visit, so that a list that contains another one 2^40 times ends in an error. */
interface Budget {
  values: number;
  /** Characters of the JSON, counted without escapes, and with numbers as short as possible. */
  characters: number;
  /** The outputs of large values: others may contain them as well. */
  readonly known: Map<Value[] | WfRecord, Known>;
  /** Thrown when it is spent, in place of an error. */
  readonly beyond?: typeof postponed;
}

interface Known {
  readonly put: Value;
  readonly depth: number;
  readonly values: number;
  readonly characters: number;
}

/** Values in a list or record that is worth remembering. */
const large = 64;

/** If less of the budget is left, the JSON may be too long: escapes and long numbers can make it 12 times longer. */
const closeToLimit = mostText - mostText / 12;

/**
 * The value as it is output: a missing value becomes `null`, numbers have no noise, -0 is 0; own fields only, including
 * `__proto__`. Parts that need no change are shared with the original.
 * @throws WfError for more than 1,000 levels, 50,000,000 values, or 64 MB of JSON
 */
export function output(value: Value): Value {
  return outputs([value])[0];
}

/** Outputs several values that share the limits. */
export function outputs(values: Value[]): Value[] {
  const budget: Budget = { values: mostValues, characters: mostText, known: new Map() };
  const put = outputList(values, 0, budget);
  if (budget.characters < closeToLimit && jsonSize(put) > mostText) throw tooMuchText();
  return put;
}

/** As `outputs`; `postponed` if that takes longer than a few milliseconds, or the JSON takes up memory. */
export function shortOutputs(values: Value[]): Value[] | typeof postponed {
  try {
    return outputList(values, 0, { values: 20_000, characters: 128 * 1024, known: new Map(), beyond: postponed });
  } catch (error) {
    if (error !== postponed) throw error;
    return postponed;
  }
}

/** A value as it is output, and its JSON. */
interface Written {
  readonly put: Value;
  readonly json: string;
}

/** The values that `longOutput` has written. */
interface Writing {
  /** Long values, which others may contain as well. */
  readonly known: Map<Value[] | WfRecord, Written & { readonly depth: number }>;
  values: number;
}

/** Values between two turns of other work: about a millisecond. */
const inOneTurn = 4_096;

/** As `output`, in turns, and with the JSON. @param depth of the value: 1 for one alone, 0 for all outputs together @throws WfError as `output` */
export const longOutput = (value: Value[] | WfRecord, depth: 0 | 1 = 0): Steps<Written> =>
  written(value, depth, { known: new Map(), values: 0 });

function* written(value: Value[] | WfRecord, depth: number, writing: Writing): Steps<Written> {
  if (depth > deepestValue) throw tooDeep(deepestValue);
  const known = writing.known.get(value);
  if (known !== undefined && depth <= known.depth) return known;
  const isList = Array.isArray(value);
  const keys = isList ? undefined : Object.keys(value);
  const count = keys?.length ?? (value as Value[]).length;
  const itemAt = (index: number): Value => (isList ? value[index] : (value as WfRecord)[keys?.[index] ?? '']); // one of its keys
  // Naming them takes long already.
  if (count > inOneTurn) yield;
  let copy: Value[] | WfRecord | undefined;
  let json = '';
  // Joined now and then: the engine would follow millions of references at the end.
  let parts: string[] = [];
  let length = 0;
  for (let index = 0; index < count; index++) {
    const item = itemAt(index);
    const inner = yield* writtenItem(item, depth, writing);
    if (copy === undefined && !Object.is(inner.put, item)) {
      copy = isList ? [] : {};
      for (let before = 0; before < index; before++) {
        append(copy, keys?.[before], itemAt(before));
        if (before % inOneTurn === inOneTurn - 1) yield;
      }
    }
    if (copy !== undefined) append(copy, keys?.[index], inner.put);
    const part = `${index === 0 ? '' : ','}${isList ? '' : `${JSON.stringify(keys?.[index])}:`}${inner.json}`;
    length += part.length;
    if (length > mostText) throw tooMuchText();
    if (parts.push(part) === inOneTurn) {
      json += parts.join('');
      parts = [];
    }
    if (++writing.values % inOneTurn === 0) yield;
  }
  json += parts.join('');
  const done = { put: copy ?? value, json: isList ? `[${json}]` : `{${json}}`, depth };
  if (length > 8 * large) writing.known.set(value, done);
  return done;
}

function* writtenItem(item: Value, depth: number, writing: Writing): Steps<Written> {
  if (typeof item === 'object' && item !== null) return yield* written(item, depth + 1, writing);
  if (typeof item === 'string' && item.length > textAtOnce) return yield* writtenText(textToPutOut(item));
  const put = tidy(item);
  return { put, json: JSON.stringify(put) };
}

/** Characters of a text that are written between two turns of other work. */
const textAtOnce = 256 * 1024;

function* writtenText(text: string): Steps<Written> {
  let json = '';
  for (let at = 0; at < text.length; ) {
    let end = at + textAtOnce;
    // Half a surrogate pair would be escaped.
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    json += JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
    yield;
  }
  return { put: text, json: `"${json}"` };
}

function append(to: Value[] | WfRecord, key: string | undefined, value: Value): void {
  if (Array.isArray(to)) to.push(value);
  else setOwn(to, key ?? '', value);
}

/** The text, if it may leave the run. @throws WfError for more than 64 MB */
export function textToPutOut(text: string): string {
  if (text.length > mostText) throw tooMuchText();
  return text;
}

/** For text assembled from several parts. */
export const tooMuchText = (): WfError => tooLarge('more than 64 MB of text at once');

type Scalar = Exclude<Value, Value[] | WfRecord>;

function scalar(value: Scalar, budget: Budget): Value {
  if (typeof value === 'string') spendText(budget, value.length);
  return tidy(value);
}

function tidy(value: Scalar): Value {
  if (typeof value === 'number') return tidyOutput(value);
  return value === undefined ? null : value;
}

function tidyOutput(number: number): number | null {
  if (number === 0) return 0;
  if (Math.trunc(number) === number) return Number.isFinite(number) ? number : null;
  return Number.isNaN(number) ? null : withoutNoise(number);
}

function outputOf(value: Value[] | WfRecord, depth: number, budget: Budget): Value {
  if (depth > deepestValue) throw tooDeep(deepestValue);
  const known = budget.known.get(value);
  if (known !== undefined && depth <= known.depth) {
    budget.values -= known.values;
    spendText(budget, known.characters);
    return known.put;
  }
  const { values, characters } = budget;
  const put = Array.isArray(value) ? outputList(value, depth, budget) : outputRecord(value, depth, budget);
  const spent = values - budget.values;
  if (spent > large) budget.known.set(value, { put, depth, values: spent, characters: characters - budget.characters });
  return put;
}

function outputList(list: Value[], depth: number, budget: Budget): Value[] {
  spend(budget, list.length);
  let copy: Value[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    const put = typeof item === 'object' && item !== null ? outputOf(item, depth + 1, budget) : scalar(item, budget);
    if (Object.is(put, item)) continue;
    copy ??= list.slice();
    copy[index] = put;
  }
  return copy ?? list;
}

function outputRecord(record: WfRecord, depth: number, budget: Budget): WfRecord {
  const keys = Object.keys(record);
  spend(budget, keys.length);
  let copy: WfRecord | undefined;
  for (const key of keys) {
    const item = record[key];
    spendText(budget, key.length);
    const put = typeof item === 'object' && item !== null ? outputOf(item, depth + 1, budget) : scalar(item, budget);
    if (Object.is(put, item)) continue;
    // The copy already has this key as its own, so the assignment below reaches data even if the key is `__proto__`.
    copy ??= { ...record };
    copy[key] = put;
  }
  return copy ?? record;
}

function spendText(budget: Budget, characters: number): void {
  budget.characters -= characters;
  if (budget.characters < 0) throw budget.beyond ?? tooMuchText();
}

function spend(budget: Budget, values: number): void {
  budget.values -= values;
  // Each value takes a comma and something before it.
  spendText(budget, 2 * values);
  if (budget.values < 0) throw budget.beyond ?? tooLarge('a list or record of more than 50,000,000 values');
}
