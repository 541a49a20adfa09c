// `prices.{country}`: fields named by a value.

import type { SourceLocation, Value } from '../types.js';
import { WfError } from './errors.js';
import { field } from './fields.js';
import { withoutNoise } from './number-format.js';
import { operandText } from './operand-text.js';

/**
 * Reads the field of a record with this name, or the item of a list at this position. An `empty` name gives `empty`.
 * @param location of the whole path; `named` is that of the name
 * @throws WfError for a name that is not text or a number, and as `field`
 */
export function fieldNamed(owner: Value, name: Value, location?: SourceLocation, named?: SourceLocation): Value {
  if (name === null || name === undefined) return null;
  return field(owner, fieldName(name, named), location);
}

/** The name of a field as text. @throws WfError for anything but text and a number */
export function fieldName(name: Value, location?: SourceLocation): string {
  if (typeof name === 'string') return name;
  if (typeof name === 'number') return String(withoutNoise(name));
  const fault = operandText(name, location?.[3], 'the value in braces');
  throw new WfError(
    'WF641',
    `I can't find that field: ${fault}, but a field is named by text, or by a position in a list.`,
    location,
  );
}
