// Where the structured log of a run goes: `--output-log` names a file (`run`, `test`) or a folder (`schedule`). Checked before anything
// runs, written at the end; a log that cannot be written then is a line to show and never changes how the run ended.
import path from 'node:path';
import { makeFolder } from '../compiler/5-bundle/make-folder.js';
import { fileFault } from './file-fault.js';
import { toRunLog } from './run-log.js';
import type { RunRecord } from './run-record.js';
import { UsageError } from './usage-error.js';
import { probeFolder, probeWhole, writeExclusive, writeWhole } from './write-whole.js';

/** What became of a log: the file that holds it, or the sentence that says why there is none. */
export type SavedLog = { readonly file: string } | { readonly problem: string };

/**
 * The absolute path of the log file; its folder is made.
 * @throws UsageError where it cannot be written, before anything runs.
 */
export async function prepareLogFile(given: string, cwd: string): Promise<string> {
  const file = resolve(given, cwd);
  await prepare(given, path.dirname(file), () => probeWhole(file));
  return file;
}

/** As `prepareLogFile`, for the folder that gets one file a run. */
export async function prepareLogFolder(given: string, cwd: string): Promise<string> {
  const folder = resolve(given, cwd);
  await prepare(given, folder, () => probeFolder(folder));
  return folder;
}

/** Writes over what is there. */
export async function saveLogFile(file: string, record: RunRecord): Promise<SavedLog> {
  return save(file, record, async (text) => {
    await writeWhole(file, text);
    return file;
  });
}

/** Writes `2026-03-02T09-00-00-000Z.json`, after the start of the run; a second one of that name gets `-2`. */
export async function saveLogInFolder(folder: string, record: RunRecord): Promise<SavedLog> {
  const file = path.join(folder, `${record.startedAt.toISOString().replace(/[:.]/g, '-')}.json`);
  return save(file, record, (text) => writeExclusive(file, text));
}

function resolve(given: string, cwd: string): string {
  if (given === '') throw new UsageError('--output-log needs the path that the log is written to.');
  if (given.includes('\0')) throw new UsageError('The path of --output-log cannot have a NUL character in it.');
  return path.resolve(cwd, given);
}

async function prepare(given: string, folder: string, probe: () => Promise<void>): Promise<void> {
  try {
    makeFolder(folder);
    await probe();
  } catch (error) {
    throw new UsageError(
      `The log cannot be written to ${given}: ${fileFault(error)}.`,
      'Nothing was run. Give --output-log a path that can be written.',
    );
  }
}

async function save(file: string, record: RunRecord, write: (text: string) => Promise<string>): Promise<SavedLog> {
  try {
    return { file: await write(`${JSON.stringify(toRunLog(record), null, 2)}\n`) };
  } catch (error) {
    const reason = error instanceof RangeError ? 'it is too large for one file' : fileFault(error);
    return { problem: `The log could not be written to ${file}: ${reason}. The run itself ended as ${record.outcome.status}.` };
  }
}
