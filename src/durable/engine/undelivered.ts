// Finds answers and messages that were accepted for a run but never recorded, because it ended first. A rerun from the failure gets them.
import type { TaskAnswer } from '../../../runtime/run/durable-run.js';
import type { Value } from '../../../runtime/types.js';
import type { FoundAnswer } from '../journal/journal-host.js';
import { addressOfEffect, pathOfBlock } from '../model/addresses.js';
import { branchOf } from '../model/call-places.js';
import { bodyOf, type EntryRow, entryKinds } from '../model/entries.js';
import type { Successor } from '../model/messages.js';
import { calledRunHex } from '../model/run-ids.js';
import type { SharedRows } from '../store/port.js';

/** The answer to the question that a run has asked at a place. @param run 32 hexadecimal digits */
export async function answerTo(shared: Pick<SharedRows, 'taskOf'>, run: string, place: string): Promise<FoundAnswer | undefined> {
  const task = await shared.taskOf(run, place);
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
    if (row.part === 0) open.set(addressOfEffect(row.branch, row.seq), row);
    else open.delete(addressOfEffect(row.branch, row.seq));
  }
  const whole = [...rows];
  for (const [place, begin] of open) {
    const found =
      begin.kind === entryKinds.person ? await answerTo(shared, run, place) : await shared.undeliveredMessage(run, place);
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

const endOf = (begin: EntryRow, pos: number, at: number, body: { readonly m: Value } | { readonly a: TaskAnswer }): EntryRow => ({
  ...begin,
  ...{ pos, part: 1, at, ms: 1, body: JSON.stringify(body) },
});

/** The runs that continue in the place of a run and of those that it has called. @param rows what both have recorded */
export const successorsOf = (rows: readonly EntryRow[], ended: string, successor: string): readonly Successor[] => [
  [ended, successor],
  ...rows
    .filter((row) => row.kind === entryKinds.fork && row.part === 0 && bodyOf(row).called !== undefined)
    .map(branchOf)
    .map((branch): Successor => [calledRunHex(ended, branch), calledRunHex(successor, branch)]),
];
