// The value of a CSV cell. Everything that turns text into something else happens here, and could spoil a customer number if it
// were wrong.
import type { Value } from '../../runtime/types.js';

const DECIMAL = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?$/;
/** A double preserves this many digits. */
const MOST_DIGITS = 15;

/**
 * Nothing is `empty`; `true` and `false` are booleans. A number is digits with an optional minus and an optional fraction,
 * without leading zeros, at most 15 digits. So `12.50` is 12.5, while `00123`, `+1`, `1e5`, `1,5` and 20 digits stay text.
 * Everything else is text, including spaces. Quoting makes no difference, because many programs quote every cell.
 */
export function csvValue(cell: string): Value {
  if (cell === '') return null;
  if (cell === 'true') return true;
  if (cell === 'false') return false;
  if (!DECIMAL.test(cell) || digitCount(cell) > MOST_DIGITS) return cell;
  const number = Number(cell);
  // No spreadsheet distinguishes -0 from 0.
  return number === 0 ? 0 : number;
}

const digitCount = (decimal: string): number =>
  decimal.length - (decimal.startsWith('-') ? 1 : 0) - (decimal.includes('.') ? 1 : 0);
