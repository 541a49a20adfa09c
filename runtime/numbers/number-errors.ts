// Run-time errors of numbers written like a sample, and of operations that need numbers.
import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { isLiteral, named, numberHint, operandText } from '../values/operand-text.js';

export function notWrittenLike(value: Value, location: SourceLocation | undefined): WfError {
  const source = location?.[3];
  const sample = named(location?.[4], 'the sample');
  const fault =
    typeof value !== 'string'
      ? `${operandText(value, source, 'the value')}, but it must be text like ${sample}`
      : source !== undefined && isLiteral(source)
        ? `${source} is not written like ${sample}`
        : `${operandText(value, source, 'the value')}, which is not written like ${sample}`;
  return new WfError('WF627', `I can't read a number: ${fault}.`, location);
}

export function cannotWriteNumber(value: Value, location: SourceLocation | undefined): WfError {
  const source = location?.[3];
  const fault = operandText(value, source, 'the value');
  const message = `I can't write it like ${named(location?.[4], 'the sample')}: ${fault}, but it must be a number.${numberHint(value, source)}`;
  return new WfError('WF601', message, location);
}

/** @param word the operation as written: `absolute value of` */
export function needsNumber(
  word: string,
  value: Value,
  source: string | undefined,
  location: SourceLocation | undefined,
): WfError {
  const fault = operandText(value, source, 'the value');
  return new WfError('WF601', `I can't apply "${word}": ${fault}, but it needs a number.${numberHint(value, source)}`, location);
}
