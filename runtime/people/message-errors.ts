// Run-time errors of `wait for` and `wait until`.

import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { operandText } from '../values/operand-text.js';

export const emptyMessagePair = (name: string, key: string, location: SourceLocation): WfError =>
  new WfError('WF634', `I can't wait for "${name}": "${key}" is empty, so no message could ever match it.`, location);

export const noMessage = (name: string, location: SourceLocation): WfError =>
  new WfError(
    'WF635',
    `No message "${name}" came in time. To continue without it, add "if nothing comes:" below the line.`,
    location,
  );

export const notAMoment = (value: Value, location: SourceLocation | undefined): WfError =>
  new WfError(
    'WF636',
    `I can't wait until then: ${operandText(value, location?.[3], 'the value')}, but I need a date such as "2026-03-01", or a date and time such as "2026-03-01T09:30:00Z".`,
    location,
  );
