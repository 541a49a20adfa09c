// Gives executing runs their messages and answers, and reports their progress and waits. A rerun from the failure gets those that were
// accepted for a run but never recorded, because it ended first.
import type { AskedTask, Question, WantedMessage } from '../../../runtime/run/durable-run.js';
import { record } from '../../../runtime/values/record.js';
import { withoutEnd } from '../../../runtime/values/without-end.js';
import type { FoundAnswer, FoundMessage } from '../journal/journal-host.js';
import { addressOfEffect, pathOfBlock } from '../model/addresses.js';
import { branchOf } from '../model/call-places.js';
import { beginBody, type EndBody, type EntryRow, entryKinds, isBegin, partOf } from '../model/entries.js';
import type { Successor } from '../model/messages.js';
import { calledRunHex, toRunId } from '../model/run-ids.js';
import type { WaitingFor } from '../model/run-views.js';
import type { SharedRows, StoreAccess } from '../store/port.js';
import type { ChangeNews } from './change-news.js';
import type { LiveRun, LiveRunEngine } from './live-run.js';

interface RunHostOptions {
  readonly store: StoreAccess;
  readonly news: ChangeNews;
  readonly publicUrl: string | undefined;
  /** Called when a run begins or stops waiting. */
  readonly onWaits: LiveRunEngine['waits'];
}

const DEFAULT_URL = 'http://localhost:3000';

export function createRunHost({ store, news, publicUrl = DEFAULT_URL, onWaits }: RunHostOptions): LiveRunEngine {
  const { shared } = store.client;
  const base = withoutEnd(publicUrl, '/');
  const persistently = <T>(work: () => Promise<T>): Promise<T> => store.persistently?.(work) ?? work();
  /** Performs work when everything recorded so far is on disk: only then may others drop what the journal has. */
  const afterCommit = (run: LiveRun, work: () => Promise<void>): void => {
    void run
      .settled()
      .then(work)
      // If something remains, it is found again, and its effect is known to have it.
      .catch(() => undefined);
  };
  return {
    async wantMessage(run: LiveRun, address: string, { name, pairs }: WantedMessage, due): Promise<FoundMessage | undefined> {
      run.isAwaited = true;
      return persistently(() => shared.wantMessage({ run: run.id, place: address, name, pairs, due, now: Date.now() }));
    },
    messageDone: (run, address, isRecorded) => afterCommit(run, () => shared.endWait(run.id, address, isRecorded)),
    async openTask(run: LiveRun, address: string, question: Question, due): Promise<AskedTask> {
      run.isAwaited = true;
      const { service, question: text, addressee, choices, pairs } = question;
      const body = {
        service,
        question: text,
        ...(addressee === undefined ? {} : { addressee }),
        ...(choices === undefined ? {} : { choices }),
        ...(pairs.length === 0 ? {} : { pairs: record(pairs) }),
      };
      const asked = Date.now();
      const { workflow } = run.parts.version;
      const { id, key } = await persistently(() => shared.openTask({ run: run.id, place: address, workflow, body, asked, due }));
      news.tasks();
      return {
        task: id,
        run: toRunId(run.id),
        question: text,
        url: `${base}/tasks/${id}?key=${key}`,
        ...(due === undefined ? {} : { due: new Date(due).toISOString() }),
      };
    },
    async answerOf(run, address, isLast = false) {
      if (isLast) await persistently(() => shared.endTask(run.id, address));
      return answerTo(shared, run.id, address);
    },
    taskDone: (run, address) => afterCommit(run, () => shared.endTask(run.id, address)),
    progress: (run: LiveRun) => news.run(run.id),
    waits(run: LiveRun, waiting: WaitingFor | undefined, due: number | undefined): void {
      news.run(run.id);
      onWaits(run, waiting, due);
    },
  };
}

/** The answer to the question that a run has asked at this address. @param run 32 hexadecimal digits */
async function answerTo(shared: Pick<SharedRows, 'taskOf'>, run: string, address: string): Promise<FoundAnswer | undefined> {
  const task = await shared.taskOf(run, address);
  if (task?.answer === undefined) return undefined;
  const { answer, comment = null, by = null } = task.answer;
  return { answer, comment, by, at: task.answered ?? task.asked };
}

/** The rows of a run that has ended, with the answers and messages that they lack. @param run 32 hexadecimal digits */
export async function withUndelivered(
  rows: readonly EntryRow[],
  shared: Pick<SharedRows, 'taskOf' | 'undeliveredMessage'>,
  run: string,
): Promise<readonly EntryRow[]> {
  const open = new Map<string, EntryRow>();
  for (const row of rows) {
    if (row.kind !== entryKinds.person && row.kind !== entryKinds.message) continue;
    if (isBegin(row)) open.set(addressOfEffect(row.branch, row.seq), row);
    else open.delete(addressOfEffect(row.branch, row.seq));
  }
  const whole = [...rows];
  for (const [address, begin] of open) {
    const found =
      begin.kind === entryKinds.person ? await answerTo(shared, run, address) : await shared.undeliveredMessage(run, address);
    if (found === undefined) continue;
    const { at, ...arrived } = found;
    // Before the ends of steps that the end of the run closed.
    const last = whole.findLastIndex((row) => isOfWait(row, begin));
    whole.splice(
      last + 1,
      0,
      endOf(begin, whole[last]?.pos ?? begin.pos, at, 'message' in arrived ? { m: arrived.message } : { a: arrived }),
    );
  }
  return whole;
}

/** Its start; of a question, also its notifications, and what these sent. */
function isOfWait({ branch, seq }: EntryRow, begin: EntryRow): boolean {
  if (branch === begin.branch) return seq === begin.seq;
  return branch.startsWith(`${pathOfBlock(begin.branch, begin.seq)}.`);
}

const endOf = (begin: EntryRow, pos: number, at: number, body: EndBody<'message' | 'person'>): EntryRow => ({
  ...begin,
  pos,
  part: partOf.end,
  at,
  ms: 1,
  body: JSON.stringify(body),
});

/** The runs that continue in the place of a run and of those that it has called. @param rows what both have recorded */
export const successorsOf = (rows: readonly EntryRow[], ended: string, successor: string): readonly Successor[] => [
  [ended, successor],
  ...rows
    .filter((row) => row.kind === entryKinds.fork && isBegin(row) && beginBody('fork', row).called !== undefined)
    .map(branchOf)
    .map((branch): Successor => [calledRunHex(ended, branch), calledRunHex(successor, branch)]),
];
