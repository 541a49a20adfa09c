// `--record <file>`: the calls of a real run → a file that `--mocks` replays. Checked before anything runs, written at the end; a
// recording that cannot be written then is a line to show and never changes how the run ended.
import path from 'node:path';
import type { Exchange } from '../../runtime/types.js';
import { makeFolder } from '../compiler/5-bundle/make-folder.js';
import { fileFault } from './file-fault.js';
import type { SavedLog } from './log-file.js';
import { recordMocks } from './record-mocks.js';
import type { RunRecord } from './run-record.js';
import { UsageError } from './usage-error.js';
import { probeWhole, writeWhole } from './write-whole.js';

export interface Recording {
  /** To be given to the run. */
  readonly onExchange: (exchange: Exchange) => void;
  /** Writes the file whole or not at all, without the secrets of the run. Never rejects. */
  save(record: RunRecord): Promise<SavedLog>;
}

/** The folder of the file is made. @throws UsageError where the file cannot be written, before anything runs. */
export async function prepareRecording(given: string, cwd: string): Promise<Recording> {
  if (given === '') throw new UsageError('--record needs the path that the answers are written to.');
  if (given.includes('\0')) throw new UsageError('The path of --record cannot have a NUL character in it.');
  const file = path.resolve(cwd, given);
  try {
    makeFolder(path.dirname(file));
    await probeWhole(file);
  } catch (error) {
    throw new UsageError(
      `The recording cannot be written to ${given}: ${fileFault(error)}.`,
      'Nothing was run. Give --record a path that can be written.',
    );
  }
  const recorder = recordMocks();
  return {
    onExchange: recorder.onExchange,
    async save({ redactor, outcome }) {
      try {
        await writeWhole(file, `${JSON.stringify(recorder.recorded(redactor), null, 2)}\n`);
        return { file };
      } catch (error) {
        const reason = error instanceof RangeError ? 'it is too large for one file' : fileFault(error);
        return {
          problem: `The recording could not be written to ${given}: ${reason}. The run itself ended as ${outcome.status}.`,
        };
      }
    },
  };
}
