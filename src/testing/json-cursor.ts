// A part of a case file and the path that leads to it. Messages about it give file, line and case.
import type { Value, WfRecord } from '../../runtime/types.js';
import { anyOf } from '../compiler/diagnostics/render-text.js';
import { closest } from '../compiler/diagnostics/suggest.js';
import type { JsonFile } from '../engine/files/json-file.js';
import { UsageError } from '../engine/usage-error.js';

export class JsonCursor {
  readonly value: Value;
  /** How messages refer to it: `case 2 ("sold out")`, `"expect" of case 2 ("sold out")`. */
  readonly what: string;
  readonly #file: JsonFile;
  readonly #path: JsonPath;

  constructor(file: JsonFile, value: Value, path: JsonPath, what: string) {
    this.value = value;
    this.what = what;
    this.#file = file;
    this.#path = path;
  }

  /** @param problem a sentence without its full stop */
  fault(problem: string, hint?: string): UsageError {
    return new UsageError(`${this.#file.shown}, line ${lineOfPath(this.#file.text, this.#path)}: ${problem}.`, hint);
  }

  /** The part under a key, or `otherwise`, or `undefined`. Only for records. */
  field(key: string): JsonCursor | undefined;
  field(key: string, otherwise: Value): JsonCursor;
  field(key: string, otherwise?: Value): JsonCursor | undefined {
    const record = this.record();
    const value = Object.hasOwn(record, key) ? record[key] : otherwise;
    return value === undefined ? undefined : this.#inner(key, value, `"${key}" of ${this.what}`);
  }

  items(kind: string): JsonCursor[] {
    if (!Array.isArray(this.value)) throw this.fault(`${this.what} must be ${kind}, not ${typeOf(this.value)}`);
    return this.value.map((item, index) => this.#inner(index, item, `item ${index + 1} of ${this.what}`));
  }

  /** @param kind what is expected: `an object of texts` */
  record(kind = 'an object'): WfRecord {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.fault(`${this.what} must be ${kind}, not ${typeOf(value)}`);
    }
    return value;
  }

  text(example: string): string {
    if (typeof this.value === 'string') return this.value;
    throw this.fault(`${this.what} must be text such as ${JSON.stringify(example)}, not ${typeOf(this.value)}`);
  }

  /** The text, if it is one of these. */
  oneOf<Word extends string>(words: readonly Word[]): Word {
    const found = words.find((word) => word === this.value);
    if (found !== undefined) return found;
    const near = typeof this.value === 'string' ? closest(this.value, words) : undefined;
    const choice = anyOf(words.map((word) => `"${word}"`));
    const given = typeof this.value === 'string' ? JSON.stringify(this.value) : typeOf(this.value);
    throw this.fault(`${this.what} must be ${choice}, not ${given}`, near === undefined ? undefined : `Did you mean "${near}"?`);
  }

  /** @throws UsageError for any other key */
  onlyKeys(keys: readonly string[]): void {
    for (const key of Object.keys(this.record())) {
      if (keys.includes(key)) continue;
      const near = closest(key, keys);
      const meant = near === undefined ? '' : `Did you mean "${near}"?\n`;
      const place = this.#inner(key, undefined, '');
      throw place.fault(`${this.what} has an unknown key "${key}"`, `${meant}The known keys are ${keys.join(', ')}.`);
    }
  }

  /** Renames this part for messages. */
  named(what: string): JsonCursor {
    return new JsonCursor(this.#file, this.value, this.#path, what);
  }

  #inner(key: string | number, value: Value, what: string): JsonCursor {
    return new JsonCursor(this.#file, value, [...this.#path, key], what);
  }
}

function typeOf(value: Value): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

type JsonPath = readonly (string | number)[];

/** Of valid JSON: a text always ends. */
const tokens = /"(?:[^"\\]|\\.)*"?|[[\]{}:,]|[^\s[\]{}:,"]+/g;

/** The line, counting from 1, of the key or list item at `path`, or of the innermost one that exists. */
export function lineOfPath(text: string, path: JsonPath): number {
  const open: { readonly isList: boolean; key: string | number }[] = [];
  let isKeyNext = false;
  let nearest = { depth: -1, offset: 0 };
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const inner = open.at(-1);
    if (token === '}' || token === ']') {
      open.pop();
      isKeyNext = false;
    } else if (token === ',') {
      if (inner?.isList === true && typeof inner.key === 'number') inner.key++;
      else isKeyNext = true;
    } else if (token !== ':') {
      if (isKeyNext && inner !== undefined) inner.key = String(JSON.parse(token));
      const isPlace = isKeyNext || inner?.isList !== false;
      if (isPlace && open.length > nearest.depth && open.every(({ key }, depth) => key === path[depth])) {
        nearest = { depth: open.length, offset: index };
        if (open.length === path.length) break;
      }
      if (!isKeyNext && (token === '{' || token === '[')) {
        open.push(token === '{' ? { isList: false, key: '' } : { isList: true, key: 0 });
        isKeyNext = token === '{';
      } else isKeyNext = false;
    }
  }
  return text.slice(0, nearest.offset).split('\n').length;
}
