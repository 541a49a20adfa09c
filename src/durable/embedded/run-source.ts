// Where the runs of a process come from when they continue.
import type { WfRecord } from '../../../runtime/types.js';
import type { Runnable } from '../../engine/engine.js';
import type { RunRecords } from '../journal/run-records.js';
import type { OwnVersion } from './own-slot.js';
import type { RunSlot } from './run-slot.js';
import type { RunExtra } from './stored-run.js';

/** A stored run that continues. */
export interface TakenUp {
  readonly slot: RunSlot;
  readonly n: number;
  readonly id: string;
}

/** A run as read from its store. */
export interface LoadedRun {
  readonly version: OwnVersion;
  readonly request: WfRecord;
  readonly records: RunRecords;
  readonly extra: RunExtra;
  /** Names of environment variables whose values differ from those at its start. */
  readonly changedEnv?: readonly string[];
  readonly wasWaiting: boolean;
}

/** The store, as far as continuing runs are read from it. */
export interface RunSource {
  /** `undefined` if the run is gone. */
  load(run: TakenUp): Promise<LoadedRun | undefined>;
  /** Loads a stored version, once. @throws if its module is gone or damaged */
  runnable(version: OwnVersion): Promise<Runnable>;
}
