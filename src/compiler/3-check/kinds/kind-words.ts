// Names kinds of values in sentences about an operand.
import type { Expression } from '../../2-parse/tree.js';
import type { Kind } from './kind.js';

const LONGEST = 40;

const names: Readonly<Record<Kind['is'], string>> = {
  unknown: 'of some kind',
  empty: 'empty',
  number: 'a number',
  text: 'a text',
  boolean: 'true or false',
  list: 'a list',
  record: 'a record',
};

/** `a number`, `a date (a text)`. */
export function kindName(kind: Kind): string {
  if (kind.is === 'text' && kind.form !== undefined) return `a ${kind.form} (a text)`;
  return names[kind.is];
}

/** `"score" is a number`, `"abc" is a text`: source text and kind of an operand. */
export function operandWords(text: string, expression: Expression, kind: Kind): string {
  const written = text.slice(expression.span.start, expression.span.end);
  const short = written.length > LONGEST ? `${written.slice(0, LONGEST).trimEnd()}…` : written;
  const isLiteral = /^["[\d(-]/.test(short) || expression.kind === 'constant';
  const is = kind.is === 'empty' && short === 'empty' ? 'is no value' : `is ${kindName(kind)}`;
  return `${isLiteral ? short : `"${short}"`} ${is}`;
}
