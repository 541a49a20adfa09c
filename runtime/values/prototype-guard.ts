// The names on the prototypes of data, and the guard that makes sure that there are no others. The compiler needs the list,
// every emitted module the guard.

/** Names that newer versions of JavaScript add, so that a module built today also runs safely on those. */
const newerNames = [
  'at',
  'findLast',
  'findLastIndex',
  'flat',
  'flatMap',
  'group',
  'groupBy',
  'groupByToMap',
  'groupToMap',
  'lastIndex',
  'lastItem',
  'toReversed',
  'toSorted',
  'toSpliced',
  'uniqueBy',
  'with',
];

/**
 * Names that `value.name` could find on a prototype of a list or record. Emitted code reads these only through `field`. It may
 * read any other name directly, after `assertPlain`.
 */
export const PROTOTYPE_KEYS: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Array.prototype),
  ...newerNames,
]);

/** Whether lists or records inherit this name, now: other code in the process may have added it. */
export const isOnPrototype = (key: string): boolean => key in Array.prototype;

/**
 * Runs at the start of each run, with the names that the module reads directly.
 * @throws Error if one of them is on a prototype, because other code in the process changed it, or this version of JavaScript
 * added a method with that name
 */
export function assertPlain(keys: readonly string[]): void {
  for (const key of keys) {
    // Lists inherit from Object.prototype, like records. Of text, numbers and booleans, emitted code only reads numbers.
    if (isOnPrototype(key) || isNumber(texts[key]) || isNumber(numbers[key]) || isNumber(booleans[key]))
      throw new Error(`A prototype of JavaScript has a property "${key}": this workflow cannot read its data safely.`);
  }
}

const isNumber = (value: unknown): boolean => typeof value === 'number';

type ByName = Readonly<Record<string, unknown>>;
// Read by any name.
const texts = String.prototype as unknown as ByName;
const numbers = Number.prototype as unknown as ByName;
const booleans = Boolean.prototype as unknown as ByName;
