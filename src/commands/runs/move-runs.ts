// `wf runs export --complete` and `wf runs import <file>`: all runs of a store, on their way to another one.
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { PortableLine } from '../../durable/portable-runs.js';
import { fileFault } from '../../engine/file-fault.js';
import type { Io } from '../../engine/io.js';
import { UsageError } from '../../engine/usage-error.js';
import type { Values } from '../command-table.js';
import { printDone } from './open-command-store.js';

const FORMAT = 'wf runs 1';

/**
 * @throws UsageError if another process uses the store: what it did to a run after the export would be done again. Also if a message or
 * an answer would be lost, because its run has not recorded it.
 */
export async function exportComplete(store: DurableEngine, io: Io): Promise<number> {
  if (await store.moving.isUsedElsewhere()) {
    throw new UsageError('Another process uses the store.', 'Stop the servers that use it, then try again.');
  }
  const unrecorded = await store.moving.unrecorded();
  if (unrecorded > 0) {
    const which = unrecorded === 1 ? '1 run has' : `${unrecorded} runs have`;
    throw new UsageError(
      `${which} received a message or an answer that no process has recorded yet. It would be lost.`,
      'Record it with: wf runs resume. Then try again.',
    );
  }
  io.stdout.write(`${JSON.stringify({ format: FORMAT })}\n`);
  for await (const line of store.moving.export()) io.stdout.write(`${JSON.stringify(line)}\n`);
  return 0;
}

/** @throws UsageError for a file that can't be read, or is no complete export */
export async function importCommand(store: DurableEngine, file: string, values: Values, io: Io): Promise<number> {
  const { runs, unfinished, known } = await store.moving.import(linesOf(path.resolve(io.cwd, file), file));
  const were = known === 0 ? '' : ` ${known} ${known === 1 ? 'was' : 'were'} there already.`;
  const sentence = `${runs} ${runs === 1 ? 'run' : 'runs'} imported, ${unfinished} of them unfinished.${were}`;
  printDone(values, io, { runs, unfinished, known }, sentence);
  return 0;
}

async function* linesOf(file: string, shown: string): AsyncIterable<PortableLine> {
  const noExport = new UsageError(
    `${shown} is not a complete export of a store.`,
    'Make one with: wf runs export --complete > runs.jsonl',
  );
  let isFirst = true;
  const input = createReadStream(file, 'utf8');
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (text === '') continue;
      let line: PortableLine & { readonly format?: unknown };
      try {
        line = JSON.parse(text);
      } catch {
        throw noExport;
      }
      if (isFirst && line.format !== FORMAT) throw noExport;
      if (!isFirst) yield line;
      isFirst = false;
    }
    if (isFirst) throw noExport;
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new UsageError(`${shown} cannot be read: ${fileFault(error)}.`);
    throw error;
  } finally {
    input.destroy();
  }
}
