// `wf runs prune`, `export`, `rekey` and `give-up`: maintain a store.
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { Io } from '../../engine/io.js';
import { readDays } from '../../engine/read-keep.js';
import { UsageError } from '../../engine/usage-error.js';
import type { Values } from '../command-table.js';
import { readSince } from './list-runs.js';
import { exportComplete } from './move-runs.js';
import { optionText, printDone } from './open-command-store.js';

export async function pruneCommand(store: DurableEngine, values: Values, io: Io): Promise<number> {
  const older = optionText(values, 'olderThan');
  if (older === undefined)
    throw new UsageError('wf runs prune needs --older-than.', 'For example: wf runs prune --older-than 30d');
  const dryRun = values.dryRun === true;
  const { runs } = await store.prune({ olderThanMs: readDays('--older-than', older), dryRun });
  const sentence = `${runs} finished ${runs === 1 ? 'run' : 'runs'} ${dryRun ? 'would be deleted' : 'deleted'}.`;
  printDone(values, io, { runs, dryRun }, sentence);
  return 0;
}

/** JSON lines, oldest first. */
export async function exportCommand(store: DurableEngine, values: Values, io: Io): Promise<number> {
  if (values.complete === true) return exportComplete(store, io);
  for await (const run of store.export(readSince(optionText(values, 'since')))) io.stdout.write(`${JSON.stringify(run)}\n`);
  return 0;
}

/** The current key is `WF_STORE_KEY`, the new one `WF_NEW_STORE_KEY`, so that neither appears in a process list. */
export async function rekeyCommand(store: DurableEngine, values: Values, io: Io): Promise<number> {
  const text = io.env.WF_NEW_STORE_KEY;
  if (text === undefined)
    throw new UsageError(
      'wf runs rekey needs the new key in WF_NEW_STORE_KEY; the present one is WF_STORE_KEY.',
      'Make a key with: openssl rand -base64 32. Set WF_NEW_STORE_KEY to an empty text to store without encryption.',
    );
  const key = text === '' ? undefined : Buffer.from(text, 'base64');
  if (key !== undefined && key.length !== 32)
    throw new UsageError('WF_NEW_STORE_KEY must be 32 bytes in base64.', 'Make one with: openssl rand -base64 32');
  await store.rekey(key);
  const isEncrypted = key !== undefined;
  const sentence = isEncrypted ? 'The store is encrypted with the new key.' : 'The store is no longer encrypted.';
  printDone(values, io, { encrypted: isEncrypted }, sentence);
  return 0;
}

/** The last way out of a loss: the rest of the store works again as if those runs had never been. */
export async function giveUpCommand(store: DurableEngine, file: string, values: Values, io: Io): Promise<number> {
  const { keptAs } = await store.giveUp(file);
  const rest = keptAs === undefined ? '' : ` The file is kept as ${keptAs}.`;
  printDone(values, io, { file, ...(keptAs === undefined ? {} : { keptAs }) }, `The runs in ${file} are given up.${rest}`);
  return 0;
}
