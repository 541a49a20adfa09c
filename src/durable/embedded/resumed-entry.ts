// What continuing a stored run adds to its journal: that its process had ended, if it was in memory then.
import type { RunRecords } from '../journal/run-records.js';
import { entryKinds, storedStates } from '../store/slot-writes.js';
import type { RunSlot } from './run-slot.js';
import type { TakenUp } from './run-source.js';

/** A run that waited continues. */
export function writeContinued({ slot, n }: TakenUp, records: RunRecords): void {
  // Watchers must see that it continues. It reports itself when it waits again.
  slot.write(['state', n, storedStates.running, null, null]);
  // While it was in memory, nothing but the end of its process can have taken it from there.
  if (records.waitsInMemory) writeResumed(slot, n, records, true);
}

/** @param wasWaiting so no call was in progress */
export function writeResumed(slot: RunSlot, n: number, records: RunRecords, wasWaiting = false): void {
  const body = wasWaiting ? '{"waited":true}' : null;
  slot.write(['entry', n, records.pos, null, null, null, entryKinds.resumed, null, Date.now(), null, body]);
  records.pos++;
}
