// The parts of a live run, what it needs from its engine, and how it leaves memory. Types only.
import type { EndSignal } from '../../../runtime/run/cancellation.js';
import type { AskedTask, Question, WantedMessage } from '../../../runtime/run/durable-run.js';
import type { Outcome, RunOptions, WfRecord } from '../../../runtime/types.js';
import type { FoundAnswer, FoundMessage } from '../journal/journal-host.js';
import type { RunRecords } from '../journal/run-records.js';
import type { WaitingFor } from '../run-views.js';
import type { LiveRun } from './live-run.js';
import type { OwnVersion } from './own-slot.js';
import type { RunSlot } from './run-slot.js';
import type { RunExtra } from './stored-run.js';

/** How a run left memory. */
export type LeftMemory =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'cancelled' | 'parked' | 'released' | 'lost' | 'stuck' };

export interface LiveRunParts {
  readonly slot: RunSlot;
  readonly version: OwnVersion;
  readonly id: string;
  readonly n: number;
  readonly request: WfRecord;
  readonly records: RunRecords;
  readonly isAccepted: boolean;
  readonly extra: RunExtra;
  readonly execute: (run: LiveRun, signal: EndSignal) => Promise<{ readonly outcome: Outcome }>;
  readonly options: RunOptions;
  readonly engine: LiveRunEngine;
}

/** What a live run needs from its engine. */
export interface LiveRunEngine {
  wantMessage(run: LiveRun, place: string, wanted: WantedMessage, due: number | undefined): Promise<FoundMessage | undefined>;
  messageDone(run: LiveRun, place: string, isRecorded: boolean): void;
  openTask(run: LiveRun, place: string, question: Question, due: number | undefined): Promise<AskedTask>;
  answerOf(run: LiveRun, place: string, isLast?: boolean): Promise<FoundAnswer | undefined>;
  taskDone(run: LiveRun, place: string): void;
  /** The run has changed; watchers want to know. */
  progress(run: LiveRun): void;
  /** The run begins or stops waiting. */
  waits(run: LiveRun, waiting: WaitingFor | undefined, due: number | undefined): void;
}
