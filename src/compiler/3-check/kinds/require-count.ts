// Reports a number of items, characters, rounds or places that is certainly none: negative, a fraction, or too large.
import type { Expression } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import type { Kind } from './kind.js';

/** Returns whether it did. @param what starts a sentence: `The number of rounds` */
export function requireCount(
  checker: Checker,
  { span }: Expression,
  kind: Kind,
  what: string,
  least: number,
  most?: number,
): boolean {
  if (kind.is !== 'number' || kind.value === undefined) return false;
  if (Number.isInteger(kind.value) && kind.value >= least && (most === undefined || kind.value <= most)) return false;
  checker.report(most === undefined ? catalogue.tooSmallCount(span, what, least) : catalogue.outOfRange(span, what, least, most));
  return true;
}
