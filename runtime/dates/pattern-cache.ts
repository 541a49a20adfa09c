// Caches parsed date patterns, because loops use the same one in every round.

import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { isLiteral, named, operandText } from '../values/operand-text.js';
import { privatePart } from '../values/private-part.js';
import { type PatternPart, readPattern } from './date-pattern.js';

export interface KnownPattern {
  readonly pattern: string;
  readonly parts: readonly PatternPart[];
}

/** More than any workflow names. A pattern can also come from data. */
const MOST = 200;
const known = new Map<string, KnownPattern>();

/** The pattern after `written as`. @throws WfError if it is not a pattern */
export function patternOf(pattern: Value, location: SourceLocation | undefined): KnownPattern {
  if (typeof pattern !== 'string') {
    const fault = operandText(pattern, location?.[4], 'the value after "written as"');
    throw new WfError('WF640', `I can't read the pattern: ${fault}, but it must be text like "DD.MM.YYYY".`, location);
  }
  const found = known.get(pattern);
  if (found !== undefined) return found;
  const read = readPattern(pattern);
  if (!read.ok) throw unusablePattern(read.fault, location);
  if (known.size >= MOST) known.clear();
  const made = { pattern, parts: read.parts };
  known.set(pattern, made);
  return made;
}

/** @param fault completes `The pattern "…" ` */
export function unusablePattern(fault: string, location: SourceLocation | undefined): WfError {
  const source = location?.[4];
  // Don't show a pattern that comes from data.
  const shown = source !== undefined && isLiteral(source) ? fault : `is not usable${privatePart(`: it ${fault}`)}`;
  return new WfError('WF640', `The pattern ${named(source, 'after "written as"')} ${shown}.`, location);
}
