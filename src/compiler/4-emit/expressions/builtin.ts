// Emits built-in values and operations such as `count of …` as runtime calls.
import type { Arranged, Builtin, Expression } from '../../2-parse/tree.js';
import { typeOfExpression } from '../../3-check/infer-types.js';
import { type BuiltinName, readsFieldOfEach } from '../../vocabulary/builtin-names.js';
import { type EmittedCode, jsText, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import type { RuntimeName } from '../runtime-names.js';
import { longBuiltins } from './in-turns.js';

interface RuntimeForm {
  readonly name: RuntimeName;
  /** Arguments before the operands: the calendar of the run, a keyword. */
  readonly before?: readonly string[];
  /** The operands in the order in which messages expect their texts, if it differs from that of the file. */
  readonly texts?: readonly number[];
}

const simple = (name: RuntimeName): RuntimeForm => ({ name });
const datePart = (part: string): RuntimeForm => ({ name: 'datePart', before: ['run.days.calendar', jsText(part)] });
const startOf = (period: string): RuntimeForm => ({ name: 'startOfPeriod', before: ['run.days.calendar', jsText(period)] });
const endOf = (period: string): RuntimeForm => ({ name: 'endOfPeriod', before: ['run.days.calendar', jsText(period)] });
/** The value to examine comes last. */
const lastFirst = (name: RuntimeName, ...texts: readonly number[]): RuntimeForm => ({ name, texts });

const forms: Readonly<Record<BuiltinName, RuntimeForm>> = {
  'count of': simple('countOf'),
  'sum of': simple('sumOf'),
  'first of': simple('firstOf'),
  'last of': simple('lastOf'),
  'highest of': simple('highestOf'),
  'lowest of': simple('lowestOf'),
  'average of': simple('averageOf'),
  'unique of': simple('uniqueOf'),
  'fields of': simple('fieldsOf'),
  'uppercase of': simple('uppercase'),
  'lowercase of': simple('lowercase'),
  trimmed: simple('trimmed'),
  reversed: simple('reversed'),
  'absolute value of': simple('absoluteValue'),
  'weekday of': datePart('weekday'),
  'day of': datePart('day'),
  'week of': datePart('week'),
  'month of': datePart('month'),
  'year of': datePart('year'),
  'hour of': datePart('hour'),
  'minute of': datePart('minute'),
  'date of': datePart('date'),
  'text of': simple('textOf'),
  'number of': simple('numberOf'),
  'start of week': startOf('week'),
  'start of month': startOf('month'),
  'start of quarter': startOf('quarter'),
  'start of year': startOf('year'),
  'end of week': endOf('week'),
  'end of month': endOf('month'),
  'end of quarter': endOf('quarter'),
  'end of year': endOf('year'),
  'date of written as': { name: 'readDate', before: ['run.days.calendar'] },
  'time of written as': { name: 'readTime', before: ['run.days.calendar'] },
  'text of written as': { name: 'writtenAs', before: ['run.days.calendar'] },
  'number of written as': simple('parseNumber'),
  'first items of': lastFirst('firstItems', 1, 0),
  'last items of': lastFirst('lastItems', 1, 0),
  'first characters of': lastFirst('charactersAtStart', 1, 0),
  'last characters of': lastFirst('charactersAtEnd', 1, 0),
  'characters of': lastFirst('charactersBetween', 2, 0, 1),
  'position of': lastFirst('positionOf', 1, 0),
  'remainder of': simple('remainder'),
  'percent of': simple('percentOf'),
  'split by': simple('split'),
  'joined with': simple('joined'),
  'replaced by': simple('replaced'),
  'padded to': simple('padded'),
};

export function emitBuiltin(emitter: Emitter, builtin: Builtin): EmittedCode {
  const { name, operands, span } = builtin;
  const [only] = operands;
  if (name === 'text of' && only !== undefined) return operandCode(emitter.textOf(emitter.expression(only), only.span), 'text');
  const { name: runtime, before = [], texts } = forms[name];
  const spans = operands.map((each) => each.span);
  const location = emitter.location(span, ...(texts === undefined ? spans : texts.map((index) => spans[index] ?? span)));
  const codes = operands.map((each) =>
    readsFieldOfEach(name) && hasPath(each) ? emitFieldOfEach(emitter, each, location) : emitter.expression(each).code,
  );
  const words = [...before, ...codes, location];
  const steps = longBuiltins[name];
  return operandCode(
    steps === undefined ? `${emitter.use(runtime)}(${words.join(', ')})` : emitter.longCall(runtime, steps, words),
    typeOfExpression(builtin, emitter.typeOf),
  );
}

const hasPath = (expression: Expression): expression is Extract<Expression, { kind: 'reference' }> =>
  expression.kind === 'reference' && expression.fields.length > 0 && expression.root !== 'env';

/** The value of the path. If it meets a list on the way, the rest of the path in each item. */
function emitFieldOfEach(emitter: Emitter, path: Extract<Expression, { kind: 'reference' }>, location: string): string {
  const start = emitter.expression({ ...path, fields: [] }).code;
  return emitter.longCall('fieldOfEach', 'fieldOfEachSteps', [start, `[${path.fields.map(jsText).join(', ')}]`, location]);
}

export function emitArranged(emitter: Emitter, { how, list, path, isDescending, span }: Arranged): EmittedCode {
  const keys = `[${path.map(jsText).join(', ')}]`;
  const { code } = emitter.expression(list);
  const location = emitter.location(span, list.span);
  const call =
    how === 'sorted'
      ? emitter.longCall('sorted', 'sortedSteps', [code, keys, String(isDescending), location])
      : emitter.longCall('groupedBy', 'groupedSteps', [code, keys, location]);
  return operandCode(call, 'list');
}
