// How often runs that ended in the last 30 days came to each line of a served workflow.
import { DAY_MS } from '../../../runtime/values/time-units.js';
import type { ServedWorkflow } from '../console-options.js';
import type { ConsoleRequest } from '../http/console-request.js';
import type { PageContext } from '../pages/console-page.js';

const LATELY_MS = 30 * DAY_MS;

/** How often runs that ended lately came to each line; `undefined` if none has run this text. */
export async function reachedLately(
  { now }: ConsoleRequest,
  { store }: PageContext,
  { name, prepared }: ServedWorkflow,
): Promise<ReadonlyMap<number, number> | undefined> {
  // Runs record the hash of their text. The latest run shows whether it is the current one.
  const latest = (await store.list({ workflow: name, limit: 1 })).runs[0];
  const isTodays = latest !== undefined && (await store.text(latest.textHash))?.text === prepared.source;
  return isTodays ? store.reached(latest.textHash, new Date(now - LATELY_MS).toISOString()) : undefined;
}
