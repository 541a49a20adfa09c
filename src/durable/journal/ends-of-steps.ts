// Closes the steps of a called workflow that ends before its records were replayed: because its time was over while the run was not in memory.
// The steps are open in its log only. Those of a whole run that has ended are closed when its log is read.
import { entryKinds } from '../store/slot-writes.js';
import { isoOf } from './long-waits.js';
import type { RunJournal } from './run-journal.js';

/** @param path the branch that has ended */
export function writeEndsOfSteps(run: RunJournal, path: string): void {
  const at = Date.now();
  for (const [branch, ends] of run.records.endsOfSteps(path, isoOf(at)))
    run.writeUnlessReleased({ kind: entryKinds.log, branch, seq: null, part: null, at, body: JSON.stringify(ends) });
}
