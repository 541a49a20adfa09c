// Checks the declared inputs, and turns them into the module's description and into what the check knows of the request.

import { impossibleDay } from '../../../runtime/dates/date-errors.js';
import { parseMoment } from '../../../runtime/dates/moment.js';
import { acceptRequest } from '../../../runtime/inputs/accept-request.js';
import type { FieldKind, InputField, ListKind } from '../../../runtime/inputs/input-types.js';
import type { Value } from '../../../runtime/types.js';
import type {
  CountRange,
  DeclaredInput,
  InputKind,
  InputLimit,
  Inputs,
  Literal,
  NumberLiteral,
  ScalarName,
} from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Span } from '../diagnostics/diagnostic.js';
import { instead } from '../diagnostics/hint-marks.js';
import { pathAsWritten } from '../vocabulary/field-names.js';
import { type Checker, checkPattern, checkThousands } from './checker.js';

export function checkInputs(checker: Checker, inputs: Inputs): InputField[] {
  const fields: InputField[] = [];
  const seen = new Set<string>();
  for (const input of inputs.fields) {
    const { name } = input;
    if (seen.has(name.text)) checker.report(catalogue.inputTwice(name.span, name.text));
    else if (input.kind === 'broken') fields.push({ name: name.text, kind: { is: 'anything' }, optional: true });
    else fields.push(checkField(checker, input));
    seen.add(name.text);
  }
  return fields;
}

function checkField(checker: Checker, input: DeclaredInput): InputField {
  const { presence, kind: written, fields, name } = input;
  const isRecord = (written.is === 'scalar' && written.name === 'record') || (written.is === 'list' && written.of === 'record');
  if (isRecord && fields === undefined)
    checker.report(catalogue.recordWithoutFields(written.span, name.text, written.is === 'list'));
  if (!isRecord && fields !== undefined) checker.report(catalogue.fieldsOfOtherKind(name.span, name.text));
  const known = fieldKindOf(checker, written, isRecord && fields !== undefined ? checkInputs(checker, fields) : []);
  // A line that could not be parsed may declare any field.
  const kind = isRecord && fields?.isWhole === false ? ({ is: 'anything' } as const) : known;
  const field: InputField = { name: name.text, kind };
  if (presence?.is === 'optional') return { ...field, optional: true };
  if (presence === undefined) return field;
  return { ...field, otherwise: defaultOf(checker, field, presence.value) };
}

/** Reports a default that does not fit. */
function defaultOf(checker: Checker, field: InputField, literal: Literal): Value {
  const variable = variableIn(literal);
  if (variable !== undefined) {
    checker.report(catalogue.defaultHasValue(literal.span, variable));
    return null;
  }
  if (field.kind.is === 'record') {
    checker.report(catalogue.noDefaultForRecord(literal.span));
    return null;
  }
  const value = literalValue(literal);
  const isEmptyText = value === '' && field.kind.is === 'text';
  // The rules for a request also apply to a default.
  const [problem] = isEmptyText ? [] : acceptRequest([{ ...field }], { [field.name]: value }).problems;
  // Choices with mistakes have their own message.
  const hasNone = field.kind.is === 'choice' && field.kind.values.length === 0;
  if (problem !== undefined && !hasNone) {
    const isQuoted = field.kind.is === 'yes or no' && (value === 'yes' || value === 'no');
    const said = problem.problem.replace(' (true or false in JSON)', '');
    checker.report(
      catalogue.badDefault(
        literal.span,
        said,
        isQuoted ? `Write it without quotes: ${instead(`otherwise ${value}`)}` : undefined,
      ),
    );
  }
  return value;
}

type Report = Checker['report'];

/** More items or characters than any request can have. */
const mostCount = 1_000_000_000;

/** @param fields of a record, or of the records in a list */
function fieldKindOf({ report }: Checker, kind: InputKind & { readonly span: Span }, fields: InputField[]): FieldKind {
  switch (kind.is) {
    case 'yes or no':
    case 'anything':
      return { is: kind.is };
    case 'choice':
      return { is: 'choice', values: choices(report, kind.values) };
    case 'list': {
      const count = kind.count === undefined ? {} : countOf(report, kind.count);
      const of: FieldKind =
        kind.of === 'yes or no' || kind.of === 'anything' ? { is: kind.of } : scalarKind(report, kind.of, kind.limits, fields);
      return { is: 'list', of, ...count };
    }
    case 'scalar':
      return scalarKind(report, kind.name, kind.limits, fields);
  }
}

function choices(report: Report, literals: readonly Literal[]): (string | number)[] {
  const values: (string | number)[] = [];
  for (const literal of literals) {
    const variable = variableIn(literal);
    const value = literalValue(literal);
    if (variable !== undefined) report(catalogue.limitHasValue(literal.span, variable));
    else if (typeof value !== 'string' && typeof value !== 'number') report(catalogue.mixedChoices(literal.span));
    else if (values.includes(value)) report(catalogue.choiceTwice(literal.span, JSON.stringify(value)));
    else values.push(value);
  }
  return values;
}

function countOf(report: Report, { least, most, span }: CountRange): Pick<ListKind, 'least' | 'most'> {
  for (const number of [least, most])
    if (number !== undefined && !isCount(number)) {
      report(catalogue.badCount(number.span, number.written));
      return {};
    }
  if (least !== undefined && most !== undefined && least.value > most.value)
    report(catalogue.limitsCross(span, least.written, most.written));
  return { ...(least !== undefined && { least: least.value }), ...(most !== undefined && { most: most.value }) };
}

const isCount = ({ value }: NumberLiteral): boolean => Number.isInteger(value) && value >= 0 && value <= mostCount;

interface Limited {
  least?: number;
  most?: number;
  like?: string;
  from?: number | string;
  to?: number | string;
  above?: number | string;
  below?: number | string;
}

const bounds = { 'at least': 'from', 'at most': 'to', above: 'above', below: 'below' } as const;

function scalarKind(report: Report, name: ScalarName, written: readonly InputLimit[], fields: InputField[]): FieldKind {
  const limits: Limited = {};
  let isRepeated = false;
  const set = <K extends keyof Limited>(key: K, value: Limited[K], span: Span): void => {
    if (limits[key] === undefined) limits[key] = value;
    else {
      isRepeated = true;
      report(catalogue.limitTwice(span));
    }
  };
  for (const limit of written) {
    if (!isFor(name, limit.kind)) {
      report(catalogue.limitOnOtherKind(limit.span, withArticle(name), hintFor(name, limit)));
    } else if (limit.kind === 'characters') {
      const { least, most } = countOf(report, limit.count);
      if (least !== undefined) set('least', least, limit.span);
      if (most !== undefined) set('most', most, limit.span);
    } else if (limit.kind === 'like') {
      const variable = variableIn(limit.pattern);
      const pattern = limit.pattern.parts.join('');
      if (variable === undefined) checkPattern({ report }, pattern, limit.pattern.span);
      if (variable === undefined) set('like', pattern, limit.pattern.span);
      else report(catalogue.limitHasValue(limit.pattern.span, variable));
    } else if (limit.kind === 'range') {
      const low = boundValue(report, name, limit.low);
      const high = boundValue(report, name, limit.high);
      if (low !== undefined) set('from', low, limit.span);
      if (high !== undefined) set('to', high, limit.span);
      if (low !== undefined && high !== undefined && low > high)
        report(catalogue.limitsCross(limit.span, String(low), String(high)));
    } else {
      const value = boundValue(report, name, limit.value);
      if (value !== undefined) set(bounds[limit.word], value, limit.span);
    }
  }
  if (written.length > 0 && !isRepeated) reportEmptyRange(report, name, limits, written);
  // The allowed limits of a kind have been checked above.
  return (name === 'record' ? { is: 'record', fields } : { is: name, ...limits }) as FieldKind;
}

const withArticle = (name: ScalarName): string => (name === 'email address' ? `an ${name}` : `a ${name}`);

const isOrdered = (name: ScalarName): boolean =>
  name === 'number' || name === 'whole number' || name === 'date' || name === 'time';

const isFor = (name: ScalarName, kind: InputLimit['kind']): boolean =>
  kind === 'characters' || kind === 'like' ? name === 'text' : isOrdered(name);

function hintFor(name: ScalarName, limit: InputLimit): string {
  if (name === 'text')
    return 'The limits of a text are its characters, or a pattern:\n    note is a text of at most 200 characters\n    sku is a text like "AB-####"';
  if (isOrdered(name))
    return limit.kind === 'like'
      ? 'A pattern describes a text:\n    sku is a text like "AB-####"'
      : `Write it like this:\n    ${name === 'date' ? 'due is a date from "2026-01-01" to "2026-12-31"' : 'amount is a number from 1 to 100'}`;
  return 'Only texts, numbers, dates and times have limits. Delete it.';
}

/** The value of a bound, if it has the right kind. */
function boundValue(report: Report, name: ScalarName, literal: Literal): number | string | undefined {
  const isDate = name === 'date' || name === 'time';
  if (literal.kind === 'number') checkThousands({ report }, literal.written, literal.span);
  if (literal.kind === 'number' && !isDate) return literal.value;
  const variable = variableIn(literal);
  if (variable !== undefined) report(catalogue.limitHasValue(literal.span, variable));
  else if (!isDate || literal.kind !== 'text') {
    const need = isDate ? `a ${name} in quotes` : 'a number';
    report(catalogue.limitOfOtherKind(literal.span, literalWords(literal), need));
  } else {
    const text = literal.parts.join('');
    const form = parseMoment(text)?.form;
    if (form !== undefined && (form === 'date') === (name === 'date')) return text;
    report(catalogue.limitIsNoDate(literal.span, text, name, impossibleDay(text)));
  }
  return undefined;
}

/** `at least 5 below 3`, `a whole number above 1 below 2`: each limit is valid, but no value satisfies both. */
function reportEmptyRange(report: Report, name: ScalarName, limits: Limited, written: readonly InputLimit[]): void {
  const { from, to, above, below } = limits;
  const [low, high] = [from ?? above, to ?? below];
  const [first, last] = [written[0], written.at(-1)];
  if (low === undefined || high === undefined || first === undefined || last === undefined) return;
  const isStrict = above !== undefined || below !== undefined;
  // `from 5 to 3` has its own message.
  const isCrossed = written.length > 1 && (low > high || (low === high && isStrict));
  if (isCrossed || (name === 'whole number' && low <= high && !hasWholeNumber(limits)))
    report(
      catalogue.emptyRange(
        { start: first.span.start, end: last.span.end },
        isCrossed ? 'value' : name,
        `${above === undefined ? 'at least' : 'above'} ${low} and ${below === undefined ? 'at most' : 'below'} ${high}`,
      ),
    );
}

function hasWholeNumber({ from, to, above, below }: Limited): boolean {
  const low = above === undefined ? Math.ceil(Number(from)) : Math.floor(Number(above)) + 1;
  const high = below === undefined ? Math.floor(Number(to)) : Math.ceil(Number(below)) - 1;
  return low <= high;
}

/** Fixed values in a declaration. */
function literalValue(literal: Literal): Value {
  if (literal.kind === 'literals') return literal.items.map(literalValue);
  return literal.kind === 'text' ? literal.parts.join('') : literal.value;
}

/** A variable in text that must be fixed: `{request.name}`. */
function variableIn(literal: Literal): string | undefined {
  if (literal.kind === 'literals') return literal.items.map(variableIn).find((name) => name !== undefined);
  if (literal.kind !== 'text') return undefined;
  const part = literal.parts.find((one) => typeof one !== 'string');
  return part === undefined || typeof part === 'string' ? undefined : pathAsWritten(part);
}

/** `a text`, for a sentence. */
const literalWords = (literal: Literal): string =>
  ({ text: 'a text', number: 'a number', constant: 'yes or no', literals: 'a list' })[literal.kind];
