// The places of a workflow that pause for longer than a process should be trusted to live: for a person, a message, or many hours.
import type { WorkflowInfo } from '../../../runtime/types.js';
import { inMilliseconds } from '../2-parse/durations.js';
import type { Statement, Workflow } from '../2-parse/tree.js';
import { statementsIn } from '../2-parse/walk.js';
import type { Facts } from '../3-check/checker.js';

const LONG_MS = 3_600_000;

type CalledWorkflows = readonly { readonly info: WorkflowInfo }[];

/** @param called the workflows that it calls, by `Facts.called` */
export function pausesOf(
  { body }: Workflow,
  facts: Facts,
  called: CalledWorkflows,
): Pick<WorkflowInfo, 'longestWaitMs' | 'pauses'> {
  let longestWaitMs = 0;
  const pauses: { line: number; reason: string }[] = [];
  for (const statement of statementsIn(body)) {
    longestWaitMs = Math.max(longestWaitMs, waitOf(statement, 0));
    const reason = reasonOf(statement, facts, called);
    if (reason !== undefined) pauses.push({ line: statement.line, reason });
  }
  return { ...(longestWaitMs === 0 ? {} : { longestWaitMs }), ...(pauses.length === 0 ? {} : { pauses }) };
}

/** Milliseconds. @param unknown the amount where it is a value of the run */
function waitOf(statement: Statement, unknown: number): number {
  if (statement.kind !== 'wait') return 0;
  const { amount, unit } = statement;
  return inMilliseconds({ amount: amount.kind === 'number' ? amount.value : unknown, unit });
}

function reasonOf(statement: Statement, { services, called: calledAs }: Facts, called: CalledWorkflows): string | undefined {
  // At least one day or week.
  if (waitOf(statement, 1) > LONG_MS) return 'a long time';
  if (statement.kind === 'wait until') return 'a date';
  if (statement.kind === 'wait for') return `the message ${statement.message.text}`;
  if (statement.kind !== 'call' && statement.kind !== 'ask') return undefined;
  const { text: service } = statement.service;
  if (services.get(service)?.kind === 'person') return `${service} to answer`;
  const { index } = calledAs.get(service) ?? {};
  return index !== undefined && called[index]?.info.pauses !== undefined ? `the workflow ${service}` : undefined;
}
