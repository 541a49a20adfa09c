// Opens a store in a folder of this machine.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { faultCode, fileFault } from '../../../engine/files/file-fault.js';
import { UsageError } from '../../../engine/usage-error.js';
import { troubles } from '../../model/file-troubles.js';
import type { OpenOptions, Store } from '../port.js';
import { SqliteStore } from './sqlite-store.js';
import { isDamage, problemOf } from './store-client.js';
import { prepareStoreFolder, SHARED_FILE } from './store-folder.js';

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
export async function openFolder(where: string, key: Uint8Array | undefined, options: OpenOptions): Promise<Store> {
  const folder = prepareStoreFolder(where, options.cwd);
  return SqliteStore.open({
    folder,
    key,
    env: options.env,
    isRekeying: options.isRekeying === true,
    onCommitted: options.observer?.committed,
    onProblem: options.onProblem ?? (() => undefined),
  }).catch((error: unknown) => {
    if (error instanceof UsageError) throw error;
    const fault = (why: string, hint?: string): UsageError =>
      new UsageError(`The store ${where} cannot be opened: ${why}.`, hint);
    if (isDamage(error)) throw fault(problemOf(error), troubles.damaged.wayOut);
    const refused = refusal(folder);
    throw refused === undefined ? fault(problemOf(error)) : fault(refused, 'Give --store a folder that can be written.');
  });
}
