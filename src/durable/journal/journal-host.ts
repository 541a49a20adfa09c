// What a journal asks of the engine around it: the slot that keeps it, messages, people, and the surroundings of its run.
import type { AskedTask, EffectSite, Question, TaskAnswer, WantedMessage } from '../../../runtime/durable-run.js';
import type { Value } from '../../../runtime/types.js';
import type { WaitingFor } from '../run-views.js';
import type { SlotWrite } from '../store/slot-writes.js';

/** What a run waits for, as it is kept: `WaitingFor` with its line. */
export type StoredWait = WaitingFor;

export interface JournalHost {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** Number of the run in its slot. */
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether a recorded place is the one that comes now. */
  isSame(recorded: number | null, site: EffectSite, branch: string, seq: number): boolean;
  /** Numbers the calls of the run for their keys: a rerun has another id, but keeps the key of a call in doubt. */
  keyOf(branch: string, seq: number): string;
  /** Writes the run and its request, where that has not been done. */
  accept(): void;
  write(write: SlotWrite): void;
  /** What was written is made durable soon. */
  flush(): void;
  /** Resolves when everything that was written is on disk. */
  durable(): Promise<void>;
  /** Keeps what a place does, once for each version of a workflow. */
  describe(site: EffectSite): void;
  /** What a recorded place does, for messages: `line 7, "Api: POST /one"`. */
  placeOf(site: number | null): string;
  /** Asks for a message: the one that is for this place already, or `undefined`; from then on the run is woken when one comes. */
  wantMessage(place: string, wanted: WantedMessage, due: number | undefined): Promise<FoundMessage | undefined>;
  /** The place has its message in the journal, or gave it up. */
  messageDone(place: string): void;
  /** Makes a task, or finds the one that was made for this place. */
  openTask(place: string, question: Question, due: number | undefined): Promise<AskedTask>;
  /** The answer to the task of this place, where there is one. */
  answerOf(place: string): Promise<FoundAnswer | undefined>;
  /** The task has its answer in the journal, or is over. */
  taskDone(place: string): void;
  /** Resolves when something came for this run: a message, an answer. */
  knocked(): Promise<void>;
  /** How the run is shown while it waits; `undefined` when it goes on. */
  showWaiting(waiting: StoredWait | undefined, due: number | undefined): void;
}

export interface FoundMessage {
  readonly message: Value;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface FoundAnswer extends TaskAnswer {
  readonly at: number;
}
