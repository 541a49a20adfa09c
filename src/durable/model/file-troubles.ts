// The errors for a file of a store that can't be read: why, and what to do about it.
import { UsageError } from '../../engine/usage-error.js';

/** The reason why a file can't be read. */
export type FileTrouble = 'damaged' | 'denied' | 'missing' | 'empty';

const wholeBackup = 'Stop all processes that use the store, and restore its whole folder from one backup.';

export const troubles = {
  damaged: {
    problem: 'is damaged',
    wayOut: 'Stop all processes that use the store, and restore its folder from a backup.',
  },
  denied: {
    problem: 'cannot be opened: permission is denied',
    wayOut: 'Give it to the user who owns the folder, and run wf as that user only.',
  },
  missing: { problem: 'is missing', wayOut: wholeBackup },
  empty: { problem: 'is empty', wayOut: wholeBackup },
} as const;

/** Reports a file. */
export function troubleReport(file: string, trouble: FileTrouble): string {
  const { problem, wayOut } = troubles[trouble];
  const lastWayOut = trouble === 'denied' ? '' : ` Without a backup, give up its runs: wf runs give-up ${file}`;
  return `The file ${file} of the store ${problem}. The runs in it are neither shown nor continued. ${wayOut}${lastWayOut}`;
}

/** Whether even its own process can't use the file. */
export const isLoss = (trouble: FileTrouble): boolean => trouble === 'missing' || trouble === 'empty';

/** The reason why a store can't be used any more, as the end of a sentence. */
export const unusable = (trouble: FileTrouble): string => `one of its files ${troubles[trouble].problem}`;

export class UnreadableFile extends UsageError {}

/** The error for anything that needs such a file. @param file its name, if it is known */
export const troubleError = (trouble: FileTrouble, file?: string): UsageError =>
  new UnreadableFile(
    `${file === undefined ? 'A file' : `The file ${file}`} of the store ${troubles[trouble].problem}.`,
    troubles[trouble].wayOut,
  );

/** A run whose record was changed in the store, or is gone in part. */
export class DamagedRun extends UsageError {
  /** @param effect what is therefore not possible */
  constructor(run: string, effect = 'it cannot be read') {
    super(`The record of the run ${run} is damaged, so ${effect}.`, 'Restore the store from a backup, or erase that run.');
  }
}

/** A question whose record was changed in the store. */
export class DamagedTask extends UsageError {
  constructor(id: string) {
    super(
      `The record of the question ${id} is damaged, so it cannot be read.`,
      'Restore the store from a backup, or cancel its run.',
    );
  }
}

/** A record of the shared file, other than a question, that was changed there. */
export class DamagedRecord extends UsageError {
  /** @param record what it is, and how it is found */
  constructor(record: string) {
    super(
      `A record of the store is damaged, and is not used: the ${record}.`,
      'Stop all processes that use the store, and restore its folder from a backup.',
    );
  }
}

export interface GivenUp {
  /** Where what is left of the file is now; `undefined` if nothing is. */
  readonly keptAs: string | undefined;
}

export const usedElsewhere = (): UsageError =>
  new UsageError('Another process uses the store.', 'Stop the servers that use it, then try again.');
