// Describes operands for run-time errors: its source text, its type and value, and a hint if there is an easy fix.
import { privatePart } from './errors.js';
import { numberIn, numberText } from './number-format.js';
import type { Value } from './value-types.js';

/** Messages quote text of up to this many UTF-16 units. */
const longestQuote = 60;

/**
 * Describes a value in a message: `is text ("ten")`. Long text is described rather than cut off, because redaction looks for whole secrets
 * and would miss the beginning of one.
 */
export function what(value: Value): string {
  if (value === null || value === undefined) return 'is empty';
  if (typeof value === 'string') {
    return value.length <= longestQuote ? `is text${shown(JSON.stringify(value))}` : `is text of ${value.length} characters`;
  }
  if (typeof value === 'number') return `is a number${shown(numberText(value))}`;
  if (typeof value === 'boolean') return `is a boolean${shown(String(value))}`;
  if (!Array.isArray(value)) return 'is a record';
  return value.length === 1 ? 'is a list of 1 item' : `is a list of ${value.length} items`;
}

const shown = (text: string): string => privatePart(` (${text})`);

export const isLiteral = (source: string): boolean => /^("|\[|-?\d|(true|false|empty)$)/.test(source);

/** Refers to an operand: by its source text, in quotes if it is a name, or by its role if the source is unknown. */
export function named(source: string | undefined, role: string): string {
  if (source === undefined || source === '') return role;
  const short = source.length > longestQuote ? `${source.slice(0, longestQuote).trimEnd()}…` : source;
  return isLiteral(source) ? short : `"${short}"`;
}

export function operandText(value: Value, source: string | undefined, role: string): string {
  if (source !== undefined && isLiteral(source) && source !== 'empty')
    return `${named(source, role)} is ${typeName(value) === 'text' ? 'text' : `a ${typeName(value)}`}`;
  return `${named(source, role)} ${what(value)}`;
}

/** Says of an operand that can't be read why not: `"x" is …` for a literal, else what it is, `, which is …`. */
export const operandWhich = (value: Value, source: string | undefined, why: string): string =>
  source !== undefined && isLiteral(source) ? `${source} ${why}` : `${operandText(value, source, 'the value')}, which ${why}`;

const looksLikeNumber = (value: Value): boolean => typeof value === 'string' && numberIn(value) !== undefined;

/** The fix for text that contains a number. */
export function numberHint(value: Value, source: string | undefined): string {
  if (!looksLikeNumber(value) || source === undefined || source === '' || source.length > longestQuote) return '';
  return isLiteral(source) ? ' Write the number without quotes.' : ` To read it as a number, write: number of ${source}.`;
}

/** The fix for a number or boolean in place of text. */
export function textHint(value: Value, source: string | undefined): string {
  if ((typeof value !== 'number' && typeof value !== 'boolean') || source === undefined || isLiteral(source)) return '';
  return ` To use it as text, write: text of ${source}.`;
}

export type TypeName = 'empty' | 'text' | 'number' | 'boolean' | 'list' | 'record';

/** The type of a value, as messages name it. */
export function typeName(value: Value): TypeName {
  if (value === null || value === undefined) return 'empty';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'object') return Array.isArray(value) ? 'list' : 'record';
  return typeof value === 'number' ? 'number' : 'boolean';
}
