// Counts how often runs that ended in the last 30 days came to each line of a served workflow.
import { DAY_MS } from '../../../runtime/values/time-units.js';
import type { ServedWorkflow } from '../console-options.js';
import type { ConsoleRequest } from '../http/console-request.js';
import type { PageContext } from '../pages/console-page.js';

const LATELY_MS = 30 * DAY_MS;

/**
 * Counts how often runs that ended lately came to each line; `undefined` if none has run this text. It counts all versions with this text: each
 * version of wf compiles it to another module.
 */
export async function reachedLately(
  { now }: ConsoleRequest,
  { store }: PageContext,
  { name, prepared }: ServedWorkflow,
): Promise<ReadonlyMap<number, number> | undefined> {
  const since = new Date(now - LATELY_MS).toISOString();
  let counts: Map<number, number> | undefined;
  for (const version of await store.versionsOf(name)) {
    if ((await store.text(version))?.text !== prepared.source) continue;
    counts ??= new Map();
    for (const [line, count] of await store.reached(version, since)) counts.set(line, count + (counts.get(line) ?? 0));
  }
  return counts;
}
