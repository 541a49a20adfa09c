// `--record <file>`: records the calls of a real run for `--mocks`. Checks the path before anything runs. If the file can't be
// written in the end, that only costs a line of output and never changes the outcome.
import path from 'node:path';
import type { ServiceExchange } from '../../../runtime/types.js';
import { fileFault } from '../files/file-fault.js';
import { makeFolder } from '../files/make-folder.js';
import { probeWhole, writeWhole } from '../files/write-whole.js';
import { UsageError } from '../usage-error.js';
import type { SavedLog } from './log-file.js';
import { recordMocks } from './record-mocks.js';
import type { RunRecord } from './run-record.js';

export interface Recording {
  /** Pass this to the run. */
  readonly onExchange: (exchange: ServiceExchange) => void;
  /** Writes the file, whole or not at all, without the secrets of the run. Never rejects. */
  save(record: RunRecord): Promise<SavedLog>;
}

/** Creates the folder of the file. @throws UsageError if the file can't be written, before anything runs */
export async function prepareRecording(given: string, cwd: string): Promise<Recording> {
  if (given === '') throw new UsageError('--record needs a path.');
  if (given.includes('\0')) throw new UsageError('The path in --record contains a NUL character.');
  const file = path.resolve(cwd, given);
  try {
    makeFolder(path.dirname(file));
    await probeWhole(file);
  } catch (error) {
    throw new UsageError(
      `The recording can't be written to ${given}: ${fileFault(error)}.`,
      'Nothing ran. Set --record to a path that you can write to.',
    );
  }
  const recorder = recordMocks();
  return {
    onExchange: recorder.onExchange,
    async save({ redactor, outcome }) {
      try {
        await writeWhole(file, `${JSON.stringify(recorder.recorded(redactor), null, 2)}\n`);
        if (!recorder.isFull()) return { file };
        return { problem: `The recording in ${given} is not complete: the answers have more than 64 MB.` };
      } catch (error) {
        const reason = error instanceof RangeError ? 'it is too large for one file' : fileFault(error);
        return {
          problem: `The recording could not be written to ${given}: ${reason}. The run ended as ${outcome.status}.`,
        };
      }
    },
  };
}
