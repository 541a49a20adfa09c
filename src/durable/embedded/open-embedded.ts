// Opens a store in a folder of this machine.
import { UsageError } from '../../engine/usage-error.js';
import type { DurableEngine } from '../durable-engine.js';
import type { OpenStoreOptions } from '../open-store.js';
import { prepareStoreFolder } from '../store/store-folder.js';
import { EmbeddedEngine } from './embedded-engine.js';
import { EmbeddedStore } from './embedded-store.js';
import { problemOf } from './store-problems.js';
import { StorePruning } from './store-pruning.js';

/** @throws UsageError if the folder can't be a store, or the store can't be opened */
export async function openEmbedded(
  where: string,
  key: Uint8Array | undefined,
  options: OpenStoreOptions,
): Promise<DurableEngine> {
  const folder = prepareStoreFolder(where, options.cwd);
  let engine: EmbeddedEngine | undefined;
  const store = await EmbeddedStore.open({
    folder,
    key,
    env: options.env,
    isRekeying: options.isRekeying === true,
    onProblem: options.onProblem ?? (() => undefined),
    onLost: () => engine?.lost() ?? false,
    onRenewed: async () => engine?.renewed(),
  }).catch((error: unknown) => {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The store ${where} cannot be opened: ${problemOf(error)}.`);
  });
  engine = new EmbeddedEngine(store, new StorePruning(store, { folder, key, isRekeying: false }), folder, options);
  return engine;
}
