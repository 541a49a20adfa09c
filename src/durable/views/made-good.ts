// Which failed runs were made good: a rerun of theirs has completed, or a rerun of that rerun.
import { hasEnded, storedStates } from '../model/run-rows.js';
import type { RunReader } from '../store/port.js';

/** Runs asked for at once. */
const SLICE = 500;

/**
 * @param ids of runs that ended without completing: 32 hexadecimal digits each
 * @returns the first completed rerun of each that has one
 */
export async function madeGood(
  reader: Pick<RunReader, 'rerunsOfAll'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const good = new Map<string, string>();
  for (let from = 0; from < ids.length; from += SLICE) await addMadeGood(reader, ids.slice(from, from + SLICE), good);
  return good;
}

async function addMadeGood(
  reader: Pick<RunReader, 'rerunsOfAll'>,
  ids: readonly string[],
  good: Map<string, string>,
): Promise<void> {
  /** Each rerun that may have reruns of its own, with the run of `ids` that it goes back to. */
  let origins = new Map(ids.map((id) => [id, id]));
  while (origins.size > 0) {
    const next = new Map<string, string>();
    for (const { id, of, state } of await reader.rerunsOfAll([...origins.keys()])) {
      const origin = origins.get(of);
      if (origin === undefined || good.has(origin)) continue;
      if (state === storedStates.completed) good.set(origin, id);
      else if (hasEnded(state)) next.set(id, origin);
    }
    origins = next;
  }
}
