// Converts the cell of a table or the field of a form to the declared kind. What can't be converted stays unchanged, so that the problem
// shows it.
import type { Value } from '../types.js';
import { show } from '../values/values.js';
import type { ScalarKind } from './scalar-fits.js';

/** A double represents this many digits exactly. */
const mostDigits = 15;

const answers: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
]);

/** @param untyped reads text without a declared kind */
export function fromText(kind: ScalarKind, value: Value, untyped: (text: string) => Value): Value {
  switch (kind.is) {
    case 'text':
    case 'date':
    case 'time':
    case 'email address':
      return typeof value === 'number' || (typeof value === 'boolean' && kind.is === 'text') ? show(value) : value;
    case 'number':
    case 'whole number':
      return typeof value === 'string' ? (plainNumber(value) ?? value) : value;
    case 'yes or no':
      return typeof value === 'string' ? (answers.get(value.trim().toLowerCase()) ?? value) : value;
    case 'choice': {
      const text = typeof value === 'number' ? show(value) : value;
      return kind.values.find((one) => one === value || String(one) === text) ?? value;
    }
    case 'anything':
      return typeof value === 'string' ? untyped(value) : value;
  }
}

/** Digits with an optional sign and an optional fraction. Leading zeros are fine: the field is declared as a number. */
function plainNumber(text: string): number | undefined {
  // Nearly every number of a large table.
  if (text.length <= mostDigits && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return Number(text) + 0;
  const [, digits = ''] = /^[-+]?(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  const significant = digits.replace('.', '').replace(/^0+/, '');
  return digits === '' || significant.length > mostDigits ? undefined : Number(text) + 0;
}
