// What recorders of runs need from their process, and where a stored run continues. Types only.
import type { RunSlot } from '../embedded/run-slot.js';
import type { DbosProcess } from './dbos-process.js';
import type { KeptVersions } from './kept-versions.js';
import type { Lease } from './lease.js';
import type { PostgresDatabase } from './postgres-database.js';
import type { TextSealing } from './text-sealing.js';

export interface RecorderHost {
  readonly database: PostgresDatabase;
  readonly dbos: DbosProcess;
  readonly versions: KeptVersions;
  readonly lease: Lease;
  readonly sealing: TextSealing;
  /** The run belongs to another process, or can't be written at all. */
  readonly onLost: (recorder: RunSlot) => void;
}

/** A run that is already in the store. */
export interface StoredPlace {
  readonly id: string;
  readonly leg: number;
  readonly v: number;
}
