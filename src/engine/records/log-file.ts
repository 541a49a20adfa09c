// Writes the structured log of a run (`--output-log`) to a file (`run`, `test`) or into a folder (`schedule`). Checks the path
// before anything runs. If the log can't be written in the end, that only costs a line of output and never changes the outcome.
import path from 'node:path';
import { fileFault } from '../files/file-fault.js';
import { makeFolder } from '../files/make-folder.js';
import { probeFolder, probeWhole, writeExclusive, writeWhole } from '../files/write-whole.js';
import { UsageError } from '../usage-error.js';
import { toRunLog } from './run-log-file.js';
import type { RunRecord } from './run-record.js';

/** The file that contains the log, or a sentence that says why there is none. */
export type SavedLog = { readonly file: string } | { readonly problem: string };

/**
 * Returns the absolute path of the log file and creates its folder.
 * @throws UsageError if it can't be written, before anything runs
 */
export async function prepareLogFile(given: string, cwd: string): Promise<string> {
  const file = resolve(given, cwd);
  await prepare(given, path.dirname(file), () => probeWhole(file));
  return file;
}

/** Like `prepareLogFile`, for a folder that gets one file per run. */
export async function prepareLogFolder(given: string, cwd: string): Promise<string> {
  const folder = resolve(given, cwd);
  await prepare(given, folder, () => probeFolder(folder));
  return folder;
}

/** Overwrites an existing file. */
export async function saveLogFile(file: string, record: RunRecord): Promise<SavedLog> {
  return save(file, record, async (text) => {
    await writeWhole(file, text);
    return file;
  });
}

/** Writes `2026-03-02T09-00-00-000Z.json`, named after the start of the run; a second file with that name gets `-2`. */
export async function saveLogInFolder(folder: string, record: RunRecord): Promise<SavedLog> {
  const file = path.join(folder, `${record.startedAt.toISOString().replace(/[:.]/g, '-')}.json`);
  return save(file, record, (text) => writeExclusive(file, text));
}

function resolve(given: string, cwd: string): string {
  if (given === '') throw new UsageError('--output-log needs a path.');
  if (given.includes('\0')) throw new UsageError('The path in --output-log contains a NUL character.');
  return path.resolve(cwd, given);
}

async function prepare(given: string, folder: string, probe: () => Promise<void>): Promise<void> {
  try {
    makeFolder(folder);
    await probe();
  } catch (error) {
    throw new UsageError(
      `The log can't be written to ${given}: ${fileFault(error)}.`,
      'Nothing ran. Set --output-log to a path that you can write to.',
    );
  }
}

async function save(file: string, record: RunRecord, write: (text: string) => Promise<string>): Promise<SavedLog> {
  try {
    return { file: await write(`${JSON.stringify(toRunLog(record), null, 2)}\n`) };
  } catch (error) {
    const reason = error instanceof RangeError ? 'it is too large for one file' : fileFault(error);
    const { outcome, unfinished } = record;
    const state = unfinished === undefined ? `ended as ${outcome.status}` : `is ${unfinished}`;
    return { problem: `The log could not be written to ${file}: ${reason}. The run ${state}.` };
  }
}
