// Remote calls between threads of one process: messages, and errors with what the other side needs to know about them.
import { faultCode, fileFault } from '../../../engine/files/file-fault.js';
import type { FileTrouble } from '../../model/file-troubles.js';
import { sqliteCode, sqliteCodes } from './sqlite.js';

/** One of the objects that answer in a thread. */
export type ThreadPart = 'writer' | 'reader' | 'shared' | 'pruner';

/** A call. The number connects the answer to it. */
export interface ThreadCall {
  readonly id: number;
  readonly part: ThreadPart;
  readonly method: string;
  readonly args: readonly unknown[];
}

export type ThreadAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly fault: ThreadFault };

/** A report of a thread, unasked: a file can't be read. It precedes the answer to the call that found out. */
export interface ThreadReport {
  readonly file: string;
  readonly trouble: FileTrouble;
}

export interface ThreadFault {
  /** `UsageError` or another name. */
  readonly name: string;
  readonly message: string;
  readonly hint: string | undefined;
  /** Result code of SQLite, or 0. */
  readonly sqlite: number;
}

/** The methods of `T`, as called from another thread. */
export type Remote<T> = {
  readonly [K in keyof T as T[K] extends (...args: never[]) => unknown ? K : never]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

export function faultOf(error: unknown): ThreadFault {
  const hint =
    typeof error === 'object' && error !== null && 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined;
  const isOfFile = error instanceof Error && 'syscall' in error;
  return error instanceof Error
    ? {
        name: error.name,
        message: isOfFile ? fileFault(error) : error.message,
        hint,
        sqlite: sqliteCode(error) || (isOfFile ? fileCode(error) : 0),
      }
    : { name: 'Error', message: String(error), hint, sqlite: 0 };
}

/** A file error outside SQLite, such as a file that could not be created, by the number that SQLite would use. */
const fileCode = (error: Error): number => (faultCode(error) === 'ENOSPC' ? sqliteCodes.full : sqliteCodes.cannotOpen);
