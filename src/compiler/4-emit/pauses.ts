// The places of a workflow that pause for longer than a process should be trusted to live: for a person, a message, or many hours.
import type { WorkflowInfo } from '../../../runtime/types.js';
import { inMilliseconds } from '../2-parse/durations.js';
import type { Statement, Workflow } from '../2-parse/tree.js';
import { statementsIn } from '../2-parse/walk.js';
import type { Facts } from '../3-check/checker.js';

const LONG_MS = 3_600_000;

export function pausesOf({ body }: Workflow, facts: Facts): Pick<WorkflowInfo, 'longestWaitMs' | 'pauses'> {
  let longestWaitMs = 0;
  const pauses: { line: number; reason: string }[] = [];
  for (const statement of statementsIn(body)) {
    const waitMs = waitOf(statement);
    longestWaitMs = Math.max(longestWaitMs, waitMs);
    const reason = waitMs > LONG_MS ? 'a long time' : reasonOf(statement, facts);
    if (reason !== undefined) pauses.push({ line: statement.line, reason });
  }
  return { ...(longestWaitMs === 0 ? {} : { longestWaitMs }), ...(pauses.length === 0 ? {} : { pauses }) };
}

/** Milliseconds, where the file writes them. */
const waitOf = (statement: Statement): number =>
  statement.kind === 'wait' && statement.amount.kind === 'number'
    ? inMilliseconds({ amount: statement.amount.value, unit: statement.unit })
    : 0;

function reasonOf(statement: Statement, { services }: Facts): string | undefined {
  if (statement.kind === 'wait for') return `the message ${statement.message.text}`;
  const isPerson = statement.kind === 'ask' && services.get(statement.service.text)?.kind === 'person';
  return isPerson ? `${statement.service.text} to answer` : undefined;
}
