// `wf audit`: lists who changed which run of a store, when, and through which entrance, as JSON lines.
import type { DurableEngine } from '../../durable/durable-engine.js';
import { toRunHex } from '../../durable/model/run-ids.js';
import type { Io } from '../../engine/io.js';
import type { Values } from '../command-spec.js';
import { readSince } from './list-runs.js';
import { optionText, unknownRunError, withCommandStore } from './open-command-store.js';

/** @throws UsageError for a time that can't be read, and for what can't be the id of a run */
export function auditCommand(values: Values, io: Io): Promise<number> {
  const since = readSince(optionText(values, 'since'));
  const run = optionText(values, 'run');
  if (run !== undefined && toRunHex(run) === undefined) throw unknownRunError(run);
  return withCommandStore('audit', values, io, (store) => printChanges(store, run, since, io));
}

/** Oldest first. Every line has the same fields; what nobody knows is `null`. */
async function printChanges(store: DurableEngine, run: string | undefined, since: string | undefined, io: Io): Promise<number> {
  for await (const change of store.changes.list({ run, since: since === undefined ? 0 : Date.parse(since) })) {
    const { time, name = null, role = null, way, action, run: of = null, about } = change;
    // An answer belongs to its run, which shows it without its secrets.
    const more = about === undefined || action === 'answer' ? {} : { about };
    io.stdout.write(`${JSON.stringify({ time, name, role, way, action, run: of, ...more })}\n`);
  }
  return 0;
}
