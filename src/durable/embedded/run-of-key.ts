// What a request learns if its key already belongs to another run.
import type { Health, Started } from '../durable-engine.js';
import { toRunId } from '../run-ids.js';
import type { RunLookup } from './run-lookup.js';
import type { StoreAccess } from './store-access.js';

interface KeyedStore extends Pick<StoreAccess, 'whileUsable'> {
  readonly health: Health;
}

/**
 * The answer to the request; `undefined` if the run is not in the store: its process is about to write it, or died before it could.
 * @param run the run that has the key, as 32 hexadecimal digits
 */
export async function runOfKey(
  store: KeyedStore,
  lookup: RunLookup,
  { run, isSameBody }: { readonly run: string; readonly isSameBody: boolean },
): Promise<Started | undefined> {
  const state = await store.whileUsable(lookup.state(toRunId(run)));
  const { health } = store;
  if (state === undefined) return health.ok ? undefined : { kind: 'unavailable', problem: health.problem };
  if (!isSameBody) return { kind: 'other request', run: state.run };
  return { kind: 'known', run: state.run, state, acknowledged: await lookup.isAcknowledged(run) };
}
