// Emits an expression whose time grows with its data as two functions: one attempt without a pause, which is all that short data needs, and
// the same expression in turns for an attempt that takes too long. Neither has effects, so nothing happens twice.
import type { Builtin, Comparison, Expression } from '../../2-parse/tree.js';
import { namesIn, operandsOf } from '../../2-parse/walk.js';
import { type TypeOf, typeOfExpression } from '../../3-check/infer-types.js';
import { readsFieldOfEach } from '../../vocabulary/builtin-names.js';
import { type EmittedCode, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import type { RuntimeName } from '../runtime-names.js';
import { localOf } from './reference.js';

/** Operations that take long for long data, and the same in turns. */
export const longBuiltins: Readonly<Partial<Record<Builtin['name'], RuntimeName>>> = {
  'highest of': 'highestSteps',
  'lowest of': 'lowestSteps',
  'unique of': 'uniqueSteps',
  'position of': 'positionOfSteps',
  'split by': 'splitSteps',
  'joined with': 'joinedSteps',
  'replaced by': 'replacedSteps',
};

export const longComparisons: Readonly<Partial<Record<Comparison['comparator'], RuntimeName>>> = {
  is: 'equalSteps',
  'is not': 'equalSteps',
  'is one of': 'oneOfSteps',
  'is not one of': 'oneOfSteps',
  'is like': 'isLikeSteps',
  contains: 'containsSteps',
  'does not contain': 'containsSteps',
};

/** Whether it contains an operation that takes long for long data. A statement awaits a long text where it stands (`Emitter.textOf`). */
export const mayTakeLong = (expression: Expression, typeOf: TypeOf): boolean => contains(expression, typeOf, takesLong);

/** Whether it does so in a round of an iteration, which awaits nothing unless it has to. */
export const roundMayTakeLong = (expression: Expression, typeOf: TypeOf): boolean =>
  contains(expression, typeOf, (inner) => takesLong(inner, typeOf) || showsLong(inner, typeOf));

function contains(expression: Expression, typeOf: TypeOf, is: typeof takesLong): boolean {
  return is(expression, typeOf) || operandsOf(expression).some((operand) => contains(operand.expression, typeOf, is));
}

/** A list or record as text. */
function showsLong(expression: Expression, typeOf: TypeOf): boolean {
  const isLong = (part: Expression): boolean => !shortAsText.has(typeOfExpression(part, typeOf));
  if (expression.kind === 'text') return expression.parts.some((part) => typeof part !== 'string' && isLong(part));
  return expression.kind === 'builtin' && expression.name === 'text of' && expression.operands.some(isLong);
}

function takesLong(expression: Expression, typeOf: TypeOf): boolean {
  switch (expression.kind) {
    case 'iteration':
    case 'arranged':
      return true;
    case 'builtin':
      return (
        Object.hasOwn(longBuiltins, expression.name) || (readsFieldOfEach(expression.name) && expression.operands.some(hasPath))
      );
    case 'comparison':
      return Object.hasOwn(longComparisons, expression.comparator) && comparesLong(expression, typeOf);
    default:
      return false;
  }
}

/** It may meet a list, and then reads a field of each item. The request itself is none. */
const hasPath = (expression: Expression): boolean =>
  expression.kind === 'reference' && expression.fields.length > (expression.root === 'request' ? 1 : 0);

/** A number, a fixed text or a list of those is compared in no time, unless it is a pattern. */
function comparesLong({ comparator, left, right }: Comparison, typeOf: TypeOf): boolean {
  const isShort = (side: Expression): boolean => scalars.has(typeOfExpression(side, typeOf)) || side.kind === 'text';
  if (comparator === 'is' || comparator === 'is not') return !isShort(left) && !isShort(right);
  return right.kind !== 'list' || !right.items.every(isShort);
}

const scalars: ReadonlySet<string> = new Set(['number', 'boolean', 'empty']);
const shortAsText: ReadonlySet<string> = new Set([...scalars, 'text']);

export function emitInTurns(emitter: Emitter, expression: Expression): EmittedCode {
  const outer = localsIn(emitter, namesIn(expression));
  const [attempt, inTurns] = [emitter.unique('attempt'), emitter.unique('inTurns')];
  const fast = emitter.inFunction(() => emitter.as('at once', () => emitter.expression(expression)));
  const slow = emitter.inFunction(() => emitter.as('in turns', () => emitter.expression(expression)));
  const words = ['run', ...outer].join(', ');
  const postponed = emitter.use('postponed');
  emitter.functions.push(
    `function ${attempt}(${words}) {`,
    ...declared(fast.temporaries),
    `  if (${emitter.use('beginAttempt')}()) return ${postponed};`,
    '  try {',
    `    return ${emitter.use('endAttempt')}(${fast.result.alone});`,
    '  } catch (error$) {',
    `    return ${emitter.use('attemptFailed')}(error$);`,
    '  }',
    '}',
    '',
    `async function ${inTurns}(${words}) {`,
    ...declared(slow.temporaries),
    `  if (await ${emitter.use('isShort')}(run, ${emitter.origin(expression.span.start).line + 1})) {`,
    `    const value$ = ${attempt}(${words});`,
    `    if (value$ !== ${postponed}) return value$;`,
    '  }',
    `  return ${slow.result.alone};`,
    '}',
    '',
  );
  const value = emitter.temporary();
  return operandCode(
    `((${value} = ${attempt}(${words})) === ${postponed} ? await ${inTurns}(${words}) : ${value})`,
    fast.result.type,
  );
}

export const declared = (temporaries: readonly string[]): readonly string[] =>
  temporaries.length === 0 ? [] : [`  let ${temporaries.join(', ')};`];

/** The identifiers of these names in `main`, for functions that receive them. What the run provides has none. */
export const localsIn = (emitter: Emitter, names: ReadonlySet<string>): string[] => [
  ...new Set([...names].flatMap((name) => localOf(emitter, name) ?? [])),
];
