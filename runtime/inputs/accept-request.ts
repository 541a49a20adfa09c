// Validates a request against the fields that its workflow declares: reports all problems at once, fills in defaults, and drops undeclared
// fields.

import type { Value, WfRecord } from '../types.js';
import { isRecord } from '../values/is-record.js';
import { setOwn } from '../values/record.js';
import { fromText } from './from-text.js';
import { headingsFor } from './headings.js';
import type { Acceptance, FieldKind, InputField, InputProblem } from './input-types.js';
import { foundWords, kindWords } from './input-words.js';
import { scalarFits } from './scalar-fits.js';

export interface AcceptOptions {
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
