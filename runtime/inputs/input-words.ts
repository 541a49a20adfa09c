// Describes what a field must be, and what it is instead.
import { impossibleDay } from '../dates/date-errors.js';
import type { Value } from '../types.js';
import type { DateKind, FieldKind, ListKind, NumberKind, TextKind, ValueLimits } from './input-types.js';

const LONGEST = 60;

const plurals: Readonly<Record<string, string>> = {
  text: 'texts',
  number: 'numbers',
  'whole number': 'whole numbers',
  date: 'dates',
  time: 'times',
  'email address': 'email addresses',
  record: 'records',
};

/** `a number from 0 to 10`. @param asJson the request is JSON, whose reader may not know the meaning of yes */
export function kindWords(kind: FieldKind, asJson: boolean): string {
  switch (kind.is) {
    case 'text':
      return `a text${textLimits(kind)}`;
    case 'number':
    case 'whole number':
      return `a ${kind.is}${numberLimits(kind)}`;
    case 'date':
    case 'time':
      return dateWords(kind);
    case 'email address':
      return 'an email address';
    case 'yes or no':
      return asJson ? 'yes or no (true or false in JSON)' : 'yes or no';
    case 'choice':
      return `one of ${kind.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'record':
      return asJson ? 'a record (an object in JSON)' : 'a record';
    case 'list':
      if (kind.of.is === 'anything')
        return countWords(kind) === '' ? 'a list' : `a list of ${countWords(kind)}${isOne(kind) ? 'item' : 'items'}`;
      return `a list of ${countWords(kind)}${isOne(kind) ? kind.of.is : (plurals[kind.of.is] ?? kind.of.is)}${itemLimits(kind.of)}`;
    case 'anything':
      return 'given';
  }
}

const itemLimits = (kind: FieldKind): string =>
  kind.is === 'text' ? textLimits(kind) : kind.is === 'number' || kind.is === 'whole number' ? numberLimits(kind) : '';

/** Whether the count before a noun ends in 1. */
const isOne = ({ least, most }: Pick<ListKind, 'least' | 'most'>): boolean => most === 1 || (most === undefined && least === 1);

/** `1 to 5 `, `at least 2 `; empty for any number. */
function countWords({ least, most }: Pick<ListKind, 'least' | 'most'>): string {
  if (least !== undefined && most !== undefined) return least === most ? `${least} ` : `${least} to ${most} `;
  if (least !== undefined) return `at least ${least} `;
  return most === undefined ? '' : `at most ${most} `;
}

const signs = { '#': 'a digit', '@': 'a letter', '?': 'any character', '*': 'any number of characters' } as const;

function textLimits(kind: TextKind): string {
  const { like } = kind;
  const count = countWords(kind);
  const characters = count === '' ? '' : ` of ${count}${isOne(kind) ? 'character' : 'characters'}`;
  if (like === undefined) return characters;
  const meanings = Object.entries(signs).flatMap(([sign, meaning]) => (like.includes(sign) ? [`${sign} is ${meaning}`] : []));
  return `${characters} like ${JSON.stringify(like)}${meanings.length === 0 ? '' : ` (${meanings.join(', ')})`}`;
}

const numberLimits = ({ from, to, above, below }: Omit<NumberKind, 'is'>): string =>
  limitWords({ from, to, above, below }, ['of at least', 'of at most', 'above', 'below']);

function dateWords({ is, from, to, above, below }: DateKind): string {
  const limits = limitWords({ from, to, above, below }, ['on or after', 'on or before', 'after', 'before']);
  if (limits !== '') return `a ${is}${limits}`;
  return is === 'date' ? 'a date such as 2026-03-31' : 'a date and time such as 2026-03-31T09:30';
}

type Given<T> = { readonly [K in keyof ValueLimits<T>]: T | undefined };

function limitWords<T extends string | number>(
  { from, to, above, below }: Given<T>,
  [least, most, over, under]: readonly [string, string, string, string],
): string {
  if (from !== undefined && to !== undefined) return ` from ${from} to ${to}`;
  const parts = [
    ...(from === undefined ? [] : [`${least} ${from}`]),
    ...(above === undefined ? [] : [`${over} ${above}`]),
    ...(to === undefined ? [] : [`${most} ${to}`]),
    ...(below === undefined ? [] : [`${under} ${below}`]),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(' and ')}`;
}

/** Describes the field's value instead; completes `and …`. */
export function foundWords(kind: FieldKind, value: Value): string {
  if (value === undefined) return 'is missing';
  if (value === null || value === '') return 'is empty';
  if (Array.isArray(value)) return kind.is === 'list' ? (value.length === 0 ? 'is empty' : `has ${value.length}`) : 'is a list';
  if (typeof value === 'object') return 'is a record';
  if (typeof value === 'string') {
    // Not shortened: redaction looks for whole secrets and would miss the start of one.
    if (value.length > LONGEST) return `has ${countCharacters(value)} characters`;
    const why = kind.is === 'date' || kind.is === 'time' ? impossibleDay(value) : undefined;
    return `is ${JSON.stringify(value)}${why === undefined ? '' : ` (${why})`}`;
  }
  return `is ${value}`;
}

/** Approximately the characters that people count: code points. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 0; at + 1 < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0xd800 || code > 0xdbff) continue;
    const next = text.charCodeAt(at + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--;
      at++;
    }
  }
  return count;
}
