// Checks that a JavaScript number can hold a number as written.
import { withoutEnd } from '../../../../runtime/values/without-end.js';
import type { NumberLiteral } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';

export function checkNumber(checker: Checker, { value, written, span }: NumberLiteral): void {
  if (!Number.isFinite(value)) {
    checker.report(catalogue.badNumber(span, `${written.slice(0, 12)}…`, 'The number is too large.'));
    return;
  }
  const digits = written.replace(/^-?0*|\./g, '').replace(/^0+/, '');
  if (digits.length <= 15) return;
  const held = value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20, maximumSignificantDigits: 17 });
  const plain = (text: string): string => withoutZeros(text).replace(/^(-?)0+(?=\d)/, '$1');
  const isWhole = !written.includes('.');
  if (plain(held) !== plain(written) && (isWhole || digits.length > 16))
    checker.report(catalogue.inexactNumber(span, written, String(value)));
}

/** Without trailing zeros of a fraction, and without a trailing point. */
const withoutZeros = (text: string): string => (text.includes('.') ? withoutEnd(withoutEnd(text, '0'), '.') : text);
