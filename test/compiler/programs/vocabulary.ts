// The words that random programs are made of: names, fields, texts, numbers. Many are names in JavaScript or words of the language.
import type { Kind } from './generate-operations.js';

export const names = [
  'x',
  'y',
  'total',
  'rows',
  'item',
  'a-b',
  'a_b',
  'constructor',
  'await',
  '__proto__',
  'toString',
  'count',
  'status',
  'result',
  '名前',
  'größe',
  'class',
  'P',
  'run',
  'step',
  'text',
  'arguments',
  'failure',
  'services',
  'trimmed',
  'main',
  'é',
  'e',
  'log',
  'first',
  'plus_2',
  'x_2',
] as const;
/** Variables of rounds at the same time, which nothing outside of them sets. One list for each level of such loops. */
export const roundNames = [
  ['own', 'r_2', 'mine', 'r-total', 'r_rows'],
  ['deep', 'd_2', 'd-total'],
] as const;

export const kinds = ['number', 'text', 'list', 'rows', 'date', 'any'] as const;
export const kindOf = (name: string): Kind => {
  const list: readonly string[] = [names, ...roundNames].find((some: readonly string[]) => some.includes(name)) ?? [];
  return kinds[list.indexOf(name) % kinds.length] ?? 'any';
};
export const fieldsOf: Readonly<Record<Kind, readonly [string, ...string[]]>> = {
  number: ['amount', 'length'],
  list: ['items'],
  text: ['name-of', '名'],
  rows: ['rows'],
  date: ['day', 'at'],
  any: ['a', 'b', 'count', 'constructor', '__proto__', 'toString', 'valueOf'],
};

export const fields = [
  'a',
  'b',
  'count',
  'constructor',
  '__proto__',
  'toString',
  'length',
  '0',
  '1',
  'name-of',
  'amount',
  'items',
  'valueOf',
  '名',
  'rows',
  'day',
] as const;
export const texts = [
  '',
  'a',
  'b',
  'ab',
  'Ada',
  ' x ',
  '12',
  '1.5',
  '2026-03-01',
  '2026-02-01',
  'é😀',
  '￿',
  '😀',
  '{',
  '}',
  '"q"',
  'back\\slash',
  '\n\t',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the compiler must leave it unchanged
  '`${x}`',
  '\u2028',
  '*/',
  '</script>',
  '#no comment',
  '.',
  '..',
  'a/b?c#d',
  'true',
] as const;
export const numbers = [
  '0',
  '1',
  '2',
  '3',
  '-1',
  '-2',
  '0.1',
  '0.2',
  '0.3',
  '2.5',
  '-3.5',
  '1.005',
  '10',
  '100',
  '1000000000',
  '0.000001',
  '99.99',
  '12345.678',
  '3.3333',
  '0.07',
  '1.1',
  '123456789012',
  '9007199254740992',
] as const;
export const phrases = [
  'get the order',
  'fetch x',
  'send note',
  'create',
  'update it',
  'delete old rows',
  'list open orders',
  'patch it',
  'notify all of them',
  'add up',
  'set things',
  'log it',
  'Get Loud',
] as const;
export const words = {
  order: ['is above', 'is below', 'is at least', 'is at most'],
  text: ['starts with', 'ends with', 'contains', 'does not contain'],
  list: ['is one of', 'is not one of'],
} as const;
export const states = ['is empty', 'is not empty', 'exists', 'does not exist'] as const;
export const ready = [
  'count of',
  'sum of',
  'first of',
  'last of',
  'uppercase of',
  'lowercase of',
  'trimmed',
  'number of',
  'text of',
] as const;

/** The fields of requests that lines of a program read. */
export const requestFields: readonly string[] = [
  ...['a', 'b', 'items', 'amount', 'name-of', '名', 'length', 'rows', 'day', 'at'],
  ...['count', 'constructor', '__proto__', 'toString', 'valueOf'],
];
