// The port of a journal: what it needs from the engine that executes its run. A dry one records nothing.
import {
  type AskedTask,
  type EffectSite,
  type Question,
  suspend,
  type TaskAnswer,
  type WantedMessage,
} from '../../../runtime/run/durable-run.js';
import type { LogEntry, TakeTurn, Value } from '../../../runtime/types.js';
import { addressOfEffect } from '../model/addresses.js';
import { entryKinds, isEnd, rowOfWrite } from '../model/entries.js';
import type { StoreWrite } from '../model/run-rows.js';
import type { WaitingFor } from '../model/run-views.js';
import { isSameCallSite, type StoredSite } from '../model/versions.js';

export interface JournalHost {
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** Number of the run in its shard. */
  readonly n: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Whether a recorded call site is the current one. */
  isSame(recorded: number | null, site: EffectSite, branch: string, seq: number): boolean;
  /** Numbers the run's calls for their keys. A rerun has another id, but keeps the key of a call in doubt. */
  keyOf(branch: string, seq: number): string;
  /** Writes the run and its request, unless already done. */
  accept(): void;
  write(write: StoreWrite): void;
  /** Makes pending writes durable soon. */
  flush(): void;
  /** Resolves when everything written is on disk, or the run is lost; `undefined` if nothing is to be waited for. */
  durable(): Promise<void> | undefined;
  /** The run belongs to another process, or may: nothing more is done here. */
  readonly isLost?: boolean;
  /** Another process may have the run: it leaves memory, and nothing more is done or written here. */
  lose(): void;
  /** Learns of each effect that begins without a record. */
  onBegin?(site: EffectSite, branch: string): void;
  /** Stores the description of a call site, once per version of a workflow. */
  describe(site: EffectSite): void;
  /** Describes a recorded call site for messages: `line 7, "Api: POST /one"`. */
  siteText(site: number | null): string;
  /** Asks for a message: the one already assigned to the effect at this address, or `undefined`. From then on, a message wakes the run. */
  wantMessage(address: string, wanted: WantedMessage, due: number | undefined): Promise<FoundMessage | undefined>;
  /** The effect has its message in the journal, or no longer needs one: then, one that is there already is for reruns only. */
  messageDone(address: string, isRecorded: boolean): void;
  /** Creates a task, or finds the one created for the effect at this address. */
  openTask(address: string, question: Question, due: number | undefined): Promise<AskedTask>;
  /** The answer to the task of this effect, if there is one. @param isLast from now on, no answer is accepted */
  answerOf(address: string, isLast?: boolean): Promise<FoundAnswer | undefined>;
  /** The task has its answer in the journal, or is over. */
  taskDone(address: string): void;
  /** Resolves when something arrived for this run: a message, an answer. */
  knocked(): Promise<void>;
  /** Waits before a retry that had begun by then are over: someone ended them. Milliseconds since 1970. */
  readonly retriedAt?: number;
  /** Waits in this line that had begun by then are over: someone skipped them. Milliseconds since 1970. */
  skippedAt?(line: number): number;
  /** Resolves when someone ends waits early. */
  hurried?(): Promise<void>;
  /** The run leaves memory as soon as it only waits, for however short. */
  readonly leavesToWait?: boolean;
  /** Nothing is sent or written: the run only repeats what is recorded. */
  readonly isDry?: boolean;
  /** Learns of each entry that is not recorded, and of the position of the next effect of its branch. */
  onLog?(branch: string, seq: number, entry: LogEntry): void;
  /** Shows that the run waits; `undefined` when it continues. */
  showWaiting(waiting: WaitingFor | undefined, due: number | undefined): void;
}

export interface FoundMessage {
  readonly message: Value;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface FoundAnswer extends TaskAnswer {
  readonly at: number;
}

/**
 * The log of a branch and the end of a block: these follow from records, and may be missing at the end of a journal. No one handles an error
 * while a branch closes, and one at the end of a block would stop others that still have records.
 */
function isFollowUp(write: StoreWrite): boolean {
  if (write[0] !== 'entry') return false;
  const row = rowOfWrite(write);
  return row.kind === entryKinds.log || (row.kind === entryKinds.fork && isEnd(row));
}

interface DryHost extends JournalHost {
  /** The call sites that the tested workflow came to, by the addresses of their effects. */
  readonly sites: ReadonlyMap<string, EffectSite>;
  /** No call is sent, so none counts towards the limit of its service. */
  readonly takeTurn: TakeTurn;
}

/** @param siteOf what a recorded call site does */
export function createDryHost(startedAt: number, siteOf: (site: number | null) => StoredSite | undefined): DryHost {
  const sites = new Map<string, EffectSite>();
  const end = (): never => {
    throw suspend('released');
  };
  return {
    id: '',
    n: 0,
    startedAt,
    sites,
    takeTurn: () => ({ turn: Promise.resolve(), leave: () => undefined }),
    isSame(recorded, site, branch, seq) {
      sites.set(addressOfEffect(branch, seq), site);
      return isSameCallSite(siteOf(recorded), site);
    },
    keyOf: () => '',
    leavesToWait: true,
    isDry: true,
    accept: () => undefined,
    write(write) {
      if (!isFollowUp(write)) end();
    },
    flush: () => undefined,
    durable: end,
    lose: () => undefined,
    describe: () => undefined,
    siteText: (site) => siteOf(site)?.title ?? 'something else',
    wantMessage: end,
    messageDone: () => undefined,
    openTask: end,
    answerOf: end,
    taskDone: () => undefined,
    knocked: () => new Promise(() => undefined),
    showWaiting: () => undefined,
  };
}
