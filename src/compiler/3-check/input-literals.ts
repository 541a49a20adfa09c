// Fixed values in a declaration.
import type { Value } from '../../../runtime/types.js';
import type { Literal } from '../2-parse/tree.js';

export function literalValue(literal: Literal): Value {
  if (literal.kind === 'literals') return literal.items.map(literalValue);
  return literal.kind === 'text' ? literal.parts.join('') : literal.value;
}

/** A variable in text that must be fixed: `{request.name}`. */
export function variableIn(literal: Literal): string | undefined {
  if (literal.kind === 'literals') return literal.items.map(variableIn).find((name) => name !== undefined);
  if (literal.kind !== 'text') return undefined;
  const part = literal.parts.find((one) => typeof one !== 'string');
  return part === undefined || typeof part === 'string' ? undefined : [part.root, ...part.fields].join('.');
}

/** `a text`, for a sentence. */
export const literalWords = (literal: Literal): string =>
  ({ text: 'a text', number: 'a number', constant: 'yes or no', literals: 'a list' })[literal.kind];
