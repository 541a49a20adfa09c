// The JSON lines in which runs move from one store to another, and the interfaces that export and import them. Types only.
import type { EntryRow } from './entries.js';
import type { StoredState } from './run-rows.js';
import type { StoredSite, VersionInfo } from './versions.js';

export type PortableLine =
  | { readonly kind: 'text'; readonly hash: string; readonly data: string }
  | {
      readonly kind: 'version';
      readonly workflow: string;
      readonly hash: string;
      readonly info: VersionInfo;
      readonly sites: readonly StoredSite[];
    }
  | PortableRun;

export interface PortableRun {
  readonly kind: 'run';
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly workflow: string;
  /** Hash of its version. */
  readonly version: string;
  readonly state: StoredState;
  readonly finished: number | null;
  readonly request: string;
  readonly outcome: string | null;
  readonly extra: string | null;
  readonly entries: readonly EntryRow[];
}

export interface Imported {
  readonly runs: number;
  readonly unfinished: number;
  /** Runs that were there already. */
  readonly known: number;
}

/** Runs on their way between two stores. */
export interface RunMoving {
  /** Whether another process uses the store: it may be working on unfinished runs. */
  isUsedElsewhere(): Promise<boolean>;
  /** Number of runs that can continue with a message or an answer that is not in their journals yet, and would be lost. */
  unrecorded(): Promise<number>;
  export(): AsyncIterable<PortableLine>;
  /** Leaves out runs that are there already. Unfinished ones continue with the next server of this store. @throws for other lines */
  import(lines: AsyncIterable<PortableLine>): Promise<Imported>;
}
