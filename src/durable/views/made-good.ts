// Follows up failed runs: the latest rerun of each, and whether a rerun has made it good. A rerun of a rerun counts, too.
import { hasEnded, storedStates } from '../model/run-rows.js';
import type { RunReader } from '../store/port.js';

/** Runs asked for at once. */
const SLICE = 500;

/** Ids: 32 hexadecimal digits each. */
export interface RerunsOfRun {
  /** The latest one of this run itself. */
  latest: string;
  /** The first one that has completed. */
  good?: string;
}

/** @param ids of runs that ended without completing. Those that were not rerun are not in the result */
export async function rerunsOfRuns(
  reader: Pick<RunReader, 'rerunsOfAll'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RerunsOfRun>> {
  const found = new Map<string, RerunsOfRun>();
  for (let from = 0; from < ids.length; from += SLICE) await addReruns(reader, ids.slice(from, from + SLICE), found);
  return found;
}

async function addReruns(
  reader: Pick<RunReader, 'rerunsOfAll'>,
  ids: readonly string[],
  found: Map<string, RerunsOfRun>,
): Promise<void> {
  /** Each rerun that may have reruns of its own, with the run of `ids` that it goes back to. */
  let origins = new Map(ids.map((id) => [id, id]));
  while (origins.size > 0) {
    const next = new Map<string, string>();
    for (const { id, of, state } of await reader.rerunsOfAll([...origins.keys()])) {
      const origin = origins.get(of);
      if (origin === undefined) continue;
      const known: RerunsOfRun = found.get(origin) ?? { latest: id };
      found.set(origin, known);
      if (of === origin) known.latest = id;
      if (known.good !== undefined) continue;
      if (state === storedStates.completed) known.good = id;
      else if (hasEnded(state)) next.set(id, origin);
    }
    origins = next;
  }
}
