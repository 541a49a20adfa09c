// Finds the run of `--run` for commands that show a workflow with what one of its runs did.
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { RunDetail } from '../../durable/model/run-views.js';
import type { Io } from '../../engine/io.js';
import { UsageError } from '../../engine/usage-error.js';
import type { Values } from '../command-spec.js';
import { optionText, unknownRunError, withCommandStore } from './open-command-store.js';

interface StoredRun {
  readonly store: DurableEngine;
  readonly run: RunDetail;
  /** The text that the run used, whatever the file says today. */
  readonly text: string;
  readonly file: string;
}

const baseName = (file: string): string => file.replace(/^.*[\\/]/, '');

/**
 * @param file its workflow, if the command line names one
 * @throws UsageError if there is no such run, or it is of another workflow
 */
export async function withStoredRun(
  command: string,
  file: string,
  values: Values,
  io: Io,
  work: (found: StoredRun) => Promise<number>,
): Promise<number> {
  const id = optionText(values, 'run') ?? '';
  return withCommandStore(command, values, io, async (store) => {
    const run = await store.get(id);
    if (run === undefined) throw unknownRunError(id);
    const version = await store.text(run.textHash);
    if (version === undefined) throw new UsageError('The text of this run is no longer in the store.');
    if (file !== '' && baseName(file) !== baseName(version.file))
      throw new UsageError(
        `This run is of ${baseName(version.file)}, not of ${file}.`,
        'Leave out the file: the run knows its own.',
      );
    return work({ store, run, text: version.text, file: version.file });
  });
}
