// The names that stand on the prototypes of data, and the guard that they are the only ones. Its own file: the compiler needs
// the list, every emitted module the guard, neither needs the rest.

/** Names that newer or coming versions of JavaScript put there, so that a module built here also runs safely on those. */
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
 * Names that `value.name` could find on a prototype of a list or record. Emitted code reads these through `field` only; any
 * other name it may read directly, after `assertPlain`.
 */
export const PROTOTYPE_KEYS: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Array.prototype),
  ...newerNames,
]);

/**
 * Run once at the start of each run with the names that the module reads directly.
 * @throws Error where one of them is on a prototype: other code in the process has changed it, or this version of JavaScript has
 * a new method of that name.
 */
export function assertPlain(keys: readonly string[]): void {
  for (const key of keys) {
    // Lists inherit from Object.prototype, as records do. Of texts, numbers and booleans, emitted code reads numbers only.
    if (key in Array.prototype || isNumber(texts[key]) || isNumber(numbers[key]) || isNumber(booleans[key]))
      throw new Error(`A prototype of JavaScript has a property "${key}": this workflow cannot read its data safely.`);
  }
}

const isNumber = (value: unknown): boolean => typeof value === 'number';

type ByName = Readonly<Record<string, unknown>>;
// Read by any name.
const texts = String.prototype as unknown as ByName;
const numbers = Number.prototype as unknown as ByName;
const booleans = Boolean.prototype as unknown as ByName;
