// The exact text of a CSV cell goes in, the value that it stands for comes out. Its own file because it is the one place that
// turns text into something else, and so the one that could spoil a customer number.
import { numberText } from '../../runtime/tidy.js';
import type { Value } from '../../runtime/types.js';

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/**
 * Nothing is `empty`, `true` and `false` are booleans; a number is one only where writing it gives the same text back (`behaviour.md` 3),
 * so `00123`, `1.50`, `1e5` and 20 digits stay text. All else is text, blanks included. Whether the cell was quoted does not matter: many
 * programs quote every cell.
 */
export function csvValue(cell: string): Value {
  if (cell === '') return null;
  if (cell === 'true') return true;
  if (cell === 'false') return false;
  // The longest text that a double gives back is shorter; a cell of a million digits need not be converted to find that out.
  if (cell.length > 25 || !DECIMAL.test(cell)) return cell;
  const number = Number(cell);
  return numberText(number) === cell ? number : cell;
}
