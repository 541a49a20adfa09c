// Caches parsed samples of numbers, because loops use the same one in every round.

import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { isLiteral, named, operandText } from '../values/operand-text.js';
import { privatePart } from '../values/private-part.js';
import { type NumberSample, readSample } from './number-sample.js';

/** More than any workflow names. A sample can also come from data. */
const MOST = 200;
const known = new Map<string, NumberSample>();

/** The sample after `written as`. @throws WfError if it is invalid */
export function numberSampleOf(written: Value, location: SourceLocation | undefined): NumberSample {
  const source = location?.[4];
  if (typeof written !== 'string') {
    const fault = operandText(written, source, 'the value after "written as"');
    throw new WfError('WF640', `I can't read the sample: ${fault}, but it must be text like "1,234.50".`, location);
  }
  const found = known.get(written);
  if (found !== undefined) return found;
  const read = readSample(written);
  if (!read.ok) {
    const shown = source !== undefined && isLiteral(source) ? read.fault : `is not usable${privatePart(`: it ${read.fault}`)}`;
    throw new WfError('WF640', `The sample ${named(source, 'after "written as"')} ${shown}.`, location);
  }
  if (known.size >= MOST) known.clear();
  known.set(written, read.sample);
  return read.sample;
}
