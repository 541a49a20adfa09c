// A minus sign before a name, which only numbers can have: `set y to -total`.

/** Where a value starts, so that nothing can be subtracted from. */
const START =
  /(?:\b(?:to|is|not|plus|minus|times|by|above|below|least|most|between|log|of)\s+|[([,]\s*|\bwith\s+[\p{L}_][\p{L}\p{N}_-]*\s+)$/u;
const OPERAND = /^ ?([\p{L}_][\p{L}\p{N}_.-]*|\([^()"]*\))/u;

/** @param before the line up to the sign @param after the rest of the line */
export function signHint(before: string, after: string): string | undefined {
  const [all = '', value] = OPERAND.exec(after) ?? [];
  if (value === undefined || !START.test(before) || before.length > 200) return undefined;
  const rest = after.slice(all.length);
  const sorted = /^(.*\bsorted\s+by\s)\s*$/.exec(before)?.[1];
  if (sorted !== undefined) return `To sort from high to low, write:\n    ${sorted}${value} descending${rest}`;
  const [, left, sign] = /^(.*\s)(plus|minus)\s+$/.exec(before) ?? [];
  if (left !== undefined) return `Two signs are one:\n    ${left}${sign === 'plus' ? 'minus' : 'plus'} ${value}${rest}`;
  // Other signs in the line have the same mistake.
  if (/(?:^|[\s([,])-[\p{L}(]/u.test(rest)) return `To change the sign of a value, subtract it from 0: (0 minus ${value})`;
  const negative = rest === '' && /\b(?:to|log)\s+$/.test(before) ? `0 minus ${value}` : `(0 minus ${value})`;
  return `To change the sign of a value, subtract it from 0:\n    ${before}${negative}${rest}`;
}
