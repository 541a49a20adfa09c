// Reads where runs are kept.
import type { Environment } from '../../../runtime/types.js';
import { UsageError } from '../usage-error.js';

/**
 * A folder or the address of a database: the value of `--store`, otherwise of `WF_STORE`; `undefined` if neither names one.
 * @throws UsageError for an empty `--store`: without it, runs would be lost unnoticed
 */
export function readStorePlace(option: string | undefined, env: Environment): string | undefined {
  const place = (option ?? env.WF_STORE)?.trim() || undefined;
  if (option !== undefined && place === undefined) throw new UsageError('--store is empty.', 'Name a folder, such as ./runs.');
  return place;
}
