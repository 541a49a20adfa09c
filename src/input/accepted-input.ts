// Converts the input of a run to the request that its workflow declares, or lists all its problems.
import { acceptRequest } from '../../runtime/inputs/accept-request.js';
import type { Acceptance } from '../../runtime/inputs/input-types.js';
import type { WorkflowInfo } from '../../runtime/types.js';
import { csvValue } from './csv-value.js';
import type { Input } from './read-input.js';

type Declared = Pick<WorkflowInfo, 'inputs' | 'timezone'>;

/**
 * The cells of a table are converted to the declared kinds; JSON must be valid as it is.
 * @param fallback the time zone of a workflow that names none
 */
export function acceptedInput(workflow: Declared, input: Input, fallback?: string): Acceptance {
  const { inputs, timezone = fallback } = workflow;
  if (inputs === undefined) return { request: input.request, problems: [] };
  if (input.untyped === undefined) return acceptRequest(inputs, input.request, { timezone });
  return acceptRequest(inputs, input.untyped(), { timezone, untyped: csvValue });
}
