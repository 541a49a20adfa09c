// `text of total written as "1,234.50"`: formats a number with the separators and places of the sample.

import type { SourceLocation, Value } from '../types.js';
import { rounded } from '../values/arithmetic.js';
import { numberText } from '../values/number-format.js';
import { cannotWriteNumber } from './number-errors.js';
import { numberSampleOf } from './sample-cache.js';

/** Rounds halves away from zero. @throws WfError for a value that is not a number, and for an invalid sample */
export function writeNumber(value: Value, written: Value, location?: SourceLocation): string {
  const { group, point, places, before, after } = numberSampleOf(written, location);
  if (typeof value !== 'number') throw cannotWriteNumber(value, location);
  const number = rounded(value, places);
  const size = Math.abs(number);
  const [whole = '0', fraction = ''] = size >= 1e21 ? [BigInt(size).toString()] : numberText(size).split('.');
  const grouped = group === '' ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, group);
  const decimals = places === 0 ? '' : point + fraction.padEnd(places, '0').slice(0, places);
  return `${number < 0 ? '-' : ''}${before}${grouped}${decimals}${after}`;
}
