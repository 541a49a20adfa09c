// A part of a case file with the way that led to it: what is wrong with it is told with the file, the line and the case.
import type { Value, WfRecord } from '../../runtime/types.js';
import { closest } from '../compiler/diagnostics/suggest.js';
import type { JsonFile } from '../engine/json-file.js';
import { UsageError } from '../engine/usage-error.js';
import { type JsonPath, lineOfPath } from './json-place.js';

export class CasePart {
  readonly value: Value;
  /** What it is, for messages: `case 2 ("sold out")`, `"expect" of case 2 ("sold out")`. */
  readonly what: string;
  readonly #file: JsonFile;
  readonly #path: JsonPath;

  constructor(file: JsonFile, value: Value, path: JsonPath, what: string) {
    this.value = value;
    this.what = what;
    this.#file = file;
    this.#path = path;
  }

  /** `problem` is a sentence without its full stop. */
  fault(problem: string, hint?: string): UsageError {
    return new UsageError(`${this.#file.shown}, line ${lineOfPath(this.#file.text, this.#path)}: ${problem}.`, hint);
  }

  /** The part under a key; where there is none, `otherwise` stands in, or nothing. Only for parts that are records. */
  field(key: string): CasePart | undefined;
  field(key: string, otherwise: Value): CasePart;
  field(key: string, otherwise?: Value): CasePart | undefined {
    const record = this.record();
    const value = Object.hasOwn(record, key) ? record[key] : otherwise;
    return value === undefined ? undefined : this.#inner(key, value, `"${key}" of ${this.what}`);
  }

  items(kind: string): CasePart[] {
    if (!Array.isArray(this.value)) throw this.fault(`${this.what} must be ${kind}, not ${typeOf(this.value)}`);
    return this.value.map((item, index) => this.#inner(index, item, `item ${index + 1} of ${this.what}`));
  }

  /** @param kind what is expected, e.g. `an object of texts` */
  record(kind = 'an object'): WfRecord {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.fault(`${this.what} must be ${kind}, not ${typeOf(value)}`);
    }
    return value;
  }

  text(example: string): string {
    if (typeof this.value === 'string') return this.value;
    throw this.fault(`${this.what} must be a text such as ${JSON.stringify(example)}, not ${typeOf(this.value)}`);
  }

  /** The text, where it is one of these. */
  oneOf<Word extends string>(words: readonly Word[]): Word {
    const found = words.find((word) => word === this.value);
    if (found !== undefined) return found;
    const near = typeof this.value === 'string' ? closest(this.value, words) : undefined;
    const list = words.map((word) => `"${word}"`);
    const choice = `${list.slice(0, -1).join(', ')} or ${list.at(-1)}`;
    const given = typeof this.value === 'string' ? JSON.stringify(this.value) : typeOf(this.value);
    throw this.fault(`${this.what} must be ${choice}, not ${given}`, near === undefined ? undefined : `Did you mean "${near}"?`);
  }

  /** @throws UsageError for a key that is none of these */
  onlyKeys(keys: readonly string[]): void {
    for (const key of Object.keys(this.record())) {
      if (keys.includes(key)) continue;
      const near = closest(key, keys);
      const meant = near === undefined ? '' : `Did you mean "${near}"?\n`;
      const place = this.#inner(key, undefined, '');
      throw place.fault(
        `${this.what} has a key "${key}", which means nothing here`,
        `${meant}The keys that it may have: ${keys.join(', ')}.`,
      );
    }
  }

  /** The same part under another name. */
  named(what: string): CasePart {
    return new CasePart(this.#file, this.value, this.#path, what);
  }

  #inner(key: string | number, value: Value, what: string): CasePart {
    return new CasePart(this.#file, value, [...this.#path, key], what);
  }
}

function typeOf(value: Value): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}
