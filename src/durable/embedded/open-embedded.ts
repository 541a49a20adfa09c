// Opens a store in a folder of this machine.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { faultCode, fileFault } from '../../engine/files/file-fault.js';
import { UsageError } from '../../engine/usage-error.js';
import type { DurableEngine } from '../durable-engine.js';
import type { OpenStoreOptions } from '../open-store.js';
import { prepareStoreFolder, SHARED_FILE } from '../store/store-folder.js';
import { troubles } from '../store/unreadable-slots.js';
import { EmbeddedEngine } from './embedded-engine.js';
import { EmbeddedStore } from './embedded-store.js';
import { isDamage, problemOf } from './store-problems.js';
import { StorePruning } from './store-pruning.js';

/** Why the system lets nobody write here, as the end of a sentence. */
function refusal(folder: string): string | undefined {
  try {
    for (const name of [folder, path.join(folder, SHARED_FILE)]) accessSync(name, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return faultCode(error) === 'ENOENT' ? undefined : fileFault(error);
  }
}

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
    const fault = (why: string, hint?: string): UsageError =>
      new UsageError(`The store ${where} cannot be opened: ${why}.`, hint);
    if (isDamage(error)) throw fault(problemOf(error), troubles.damaged.wayOut);
    const refused = refusal(folder);
    throw refused === undefined ? fault(problemOf(error)) : fault(refused, 'Give --store a folder that can be written.');
  });
  engine = new EmbeddedEngine(store, new StorePruning(store, { folder, key, isRekeying: false }), folder, options);
  return engine;
}
