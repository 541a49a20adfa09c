// Cuts the journal of a failed run where a rerun from the failure continues: decides which rows it keeps, and which calls keep their keys.
import type { LogEntry, RunError } from '../../../runtime/types.js';
import { runtimeErrors } from '../../../runtime/values/errors.js';
import { addressOfEffect, blockOf, isInside, keyAddress, outerBranch } from '../model/addresses.js';
import { branchOf, branchOfBlock, CallSites, type Sites } from '../model/call-places.js';
import { bodyOf, type EntryRow, endBody, entriesOfRow, entryKinds, isBegin, isEnd } from '../model/entries.js';
import { anyFirstCall } from '../model/stored-run.js';

export interface RetainedRows {
  readonly rows: readonly EntryRow[];
  /** Addresses of calls that may have been received. They are sent again with their old keys. */
  readonly inDoubt: readonly string[];
  /** Addresses of calls that failed, and certainly were not in doubt. */
  readonly failed?: readonly string[];
}

/** The log of a call that something aborted. */
const isOfAborted = (row: EntryRow): boolean =>
  row.kind === entryKinds.log && row.seq !== null && entriesOfRow(row).some(({ type }) => type === 'call');

export function rowsBeforeFailure(recorded: readonly EntryRow[], error: RunError | undefined, sites: Sites): RetainedRows {
  const found = effectsBeforeFailure(
    recorded.filter((row) => !isOfAborted(row)),
    error,
    sites,
  );
  return { ...found, rows: withAborted(found.rows, recorded.filter(isOfAborted)) };
}

/** Adds the calls whose block, question or called workflow is over. The others are sent again, and logged then. */
function withAborted(kept: readonly EntryRow[], aborted: readonly EntryRow[]): readonly EntryRow[] {
  const ends = kept.filter((row) => isEnd(row) && (row.kind === entryKinds.fork || row.kind === entryKinds.person));
  const ended = new Set(ends.map(({ branch, seq }) => keyAddress(branch, seq ?? 0)));
  const isOver = (branch: string, seq: number | null): boolean =>
    ended.has(keyAddress(branch, seq ?? 0)) || (branch !== '' && isOver(outerBranch(branch), blockOf(branch)));
  // The entry of a notification has the position of its question.
  const over = aborted.filter(({ branch, seq }) => isOver(branch, seq));
  return over.length === 0 ? kept : [...kept, ...over].sort((one, other) => one.pos - other.pos);
}

function effectsBeforeFailure(rows: readonly EntryRow[], error: RunError | undefined, sites: Sites): RetainedRows {
  const places = new CallSites(sites, rows, { root: '', branch: '' });
  const failed = rows.filter((row) => hasFailed(row) && (error?.line === undefined || places.placeOf(row)?.line === error.line));
  const last = innermost(failed);
  const isOpen = openWaits(rows);
  const isKept = (row: EntryRow): boolean => row.kind !== entryKinds.resumed && !endsRun(row) && !isOpen(row);
  // It did not fail in an effect, or the failure was handled: everything that was done stays done.
  if (last === undefined || last.seq === null || error === undefined) {
    const kept = withoutClosedSteps(rows.filter(isKept));
    return { rows: reopened(kept), inDoubt: abortedAddresses(kept, [], faultyBranches(rows, error)) };
  }
  const all = [last, ...failedAtTheEnd(rows, last)];
  const before = rows.filter((row) => all.every((one) => isBefore(row, one)) && !isOpen(row));
  const kept = before.filter(isKept);
  const addressesOf = (some: readonly EntryRow[]): string[] => some.map(({ branch, seq }) => keyAddress(branch, seq ?? 0));
  return {
    rows: reopened(kept),
    inDoubt: [...addressesOf(all.filter((row) => !isAnswered(row))), ...abortedAddresses(kept, all, faultyBranches(rows, error))],
    failed: addressesOf(all.filter(isAnswered)),
  };
}

function isAnswered(failed: EntryRow): boolean {
  const { r } = bodyOf(failed);
  return failed.kind !== entryKinds.call || r?.status !== undefined || r?.sent === false;
}

/** Maximum milliseconds between failures that count as simultaneous. */
const SAME_TIME_MS = 50;

/** Failures in other branches before these learned of the end of the run: repeated from its record, it would end the new run as well. */
function failedAtTheEnd(rows: readonly EntryRow[], last: EntryRow): readonly EntryRow[] {
  const ends = new Map<string, number>();
  for (const { branch, seq } of rows) if (seq !== null) ends.set(branch, Math.max(seq, ends.get(branch) ?? 0));
  const wentWell = rows.filter((row) => row.kind === entryKinds.fork && isEnd(row) && !endsRun(row) && !hasFailed(row));
  const ended = new Set(wentWell.map(({ branch, seq }) => keyAddress(branch, seq ?? 0)));
  const isLastIn = (branch: string, seq: number | null): boolean => {
    if (ends.get(branch) !== seq || ended.has(keyAddress(branch, seq ?? 0))) return false;
    return branch === '' || isLastIn(outerBranch(branch), blockOf(branch));
  };
  const others = rows.filter(
    (row) =>
      row.branch !== last.branch &&
      hasFailed(row) &&
      Math.abs(endOfRow(row) - endOfRow(last)) <= SAME_TIME_MS &&
      isLastIn(row.branch, row.seq) &&
      !isInside(last.branch, branchOf(row)),
  );
  return others.filter((row) => row.kind !== entryKinds.fork || !others.some(({ branch }) => isInside(branch, branchOf(row))));
}

/** When it was over, in milliseconds since 1970. */
const endOfRow = ({ kind, at, ms }: EntryRow): number => at + (kind === entryKinds.call ? (ms ?? 0) : 0);

/** Drops the ends of steps that only the end of the run closed: in the new run, they continue. */
function withoutClosedSteps(rows: readonly EntryRow[]): EntryRow[] {
  const last = new Map(rows.map((row) => [row.branch, row]));
  const open = new Set([...openBlocks(rows)].map(({ branch, seq }) => keyAddress(branch, seq ?? 0)));
  const isOpen = (path: string): boolean =>
    path === '' || (open.has(keyAddress(outerBranch(path), blockOf(path))) && isOpen(outerBranch(path)));
  return rows.flatMap((row) => {
    if (row.kind !== entryKinds.log || last.get(row.branch) !== row || !isOpen(row.branch)) return [row];
    const entries = entriesOfRow(row);
    while (isEndOfStep(entries.at(-1))) entries.pop();
    return entries.length === 0 ? [] : [{ ...row, body: JSON.stringify(entries) }];
  });
}

const isEndOfStep = (entry: LogEntry | undefined): boolean => entry?.type === 'step' && entry.event === 'end';

/** The rows that do not belong to a wait for a message or a person that had not ended. */
export function withoutOpenWaits(rows: readonly EntryRow[]): readonly EntryRow[] {
  const isOpen = openWaits(rows);
  return rows.filter((row) => !isOpen(row));
}

/** Whether a row belongs to a wait for a message or a person that had not ended. Both begin anew: what was asked before is over. */
function openWaits(rows: readonly EntryRow[]): (row: EntryRow) => boolean {
  const open = new Set<string>();
  for (const row of rows) {
    const { kind, branch, seq } = row;
    if (seq === null || (kind !== entryKinds.message && kind !== entryKinds.person)) continue;
    if (isBegin(row)) open.add(keyAddress(branch, seq));
    else open.delete(keyAddress(branch, seq));
  }
  return ({ branch, seq }) => {
    if (seq !== null && open.has(keyAddress(branch, seq))) return true;
    // A notification is a branch of its own: `4.0` is the first one at position 4.
    return branch !== '' && open.has(keyAddress(outerBranch(branch), blockOf(branch)));
  };
}

/** A call failed, no message or answer came in time, or a called workflow did not complete. */
function hasFailed(row: EntryRow): boolean {
  if (row.kind === entryKinds.call) return bodyOf(row).r?.ok === false;
  if (!isEnd(row)) return false;
  if (row.kind === entryKinds.message) return endBody('message', row).m === undefined;
  if (row.kind === entryKinds.person) return endBody('person', row).a === undefined;
  if (row.kind !== entryKinds.fork) return false;
  const { called } = endBody('fork', row);
  return called !== undefined && called.status !== 'completed';
}

/** The last failure. In a called workflow that failed, the last failure inside of it, if there is one. */
function innermost(failed: readonly EntryRow[]): EntryRow | undefined {
  const last = failed.at(-1);
  if (last?.kind !== entryKinds.fork) return last;
  const branch = branchOf(last);
  return innermost(failed.filter((row) => isInside(row.branch, branch))) ?? last;
}

/** Starts of blocks and of called workflows that have no end. */
function openBlocks(rows: readonly EntryRow[]): ReadonlySet<EntryRow> {
  const blocks = rows.filter(({ kind }) => kind === entryKinds.fork);
  const ended = new Set(blocks.filter(isEnd).map(branchOf));
  return new Set(blocks.filter((row) => isBegin(row) && !ended.has(branchOf(row))));
}

/** The time limits of called workflows that continue count from the new run. */
function reopened(rows: readonly EntryRow[]): readonly EntryRow[] {
  const open = openBlocks(rows);
  const now = Date.now();
  return rows.map((row) => (open.has(row) ? { ...row, at: now } : row));
}

/** The end of a concurrent block in which one branch ended the run. In the new run, it may end differently. */
function endsRun(row: EntryRow): boolean {
  if (row.kind !== entryKinds.fork || !isEnd(row)) return false;
  const { by, isStopped } = endBody('fork', row);
  return by !== undefined && isStopped !== true;
}

/** The branches in which nothing was in progress at the end of the run, because they ended by a fault in the workflow or its data. */
function faultyBranches(rows: readonly EntryRow[], error: RunError | undefined): ReadonlySet<string> {
  // Any other error may have interrupted a call.
  const isFault = (some: RunError | undefined): boolean => some !== undefined && Object.hasOwn(runtimeErrors, some.code);
  const ended = new Set(isFault(error) ? [''] : []);
  for (const row of rows) {
    if (row.kind !== entryKinds.fork || !isEnd(row)) continue;
    const { by, called } = endBody('fork', row);
    if (by !== undefined && isFault(error)) ended.add(branchOfBlock(row, by));
    if (called?.status === 'rejected' || isFault(called?.error)) ended.add(branchOf(row));
  }
  return ended;
}

/**
 * Where the branches without a failure were when they were aborted: between two attempts at their last position, or at their next one, unless
 * the last one was not over. Work in progress has no record, so a branch without any may have been at its first position.
 * @param ended branches that were not aborted, but ended by themselves
 */
function abortedAddresses(rows: readonly EntryRow[], failed: readonly EntryRow[], ended: ReadonlySet<string>): string[] {
  const hasFailedIn = new Set(failed.map(({ branch }) => branch));
  const last = new Map<string, EntryRow>();
  for (const row of rows) if (row.seq !== null && row.seq >= (last.get(row.branch)?.seq ?? 0)) last.set(row.branch, row);
  const first = [...openBlocks(rows)].map((block) => anyFirstCall(keyAddress(branchOf(block), 0)));
  if (!last.has('') && !ended.has('')) first.push(keyAddress('', 0));
  const addresses = [...last].flatMap(([branch, row]) => {
    if (hasFailedIn.has(branch)) return [];
    const seq = row.seq ?? 0;
    const address = keyAddress(branch, seq);
    return isOver(row) && !ended.has(branch) ? [address, keyAddress(branch, seq + 1)] : [address];
  });
  return [...first, ...addresses];
}

/** Whether an effect has ended. @param last its last row */
const isOver = (row: EntryRow): boolean => row.kind === entryKinds.call || (isEnd(row) && row.kind !== entryKinds.retry);

/** Omits the rows of the failed effect, of what came after it in its branch, and of the blocks that it ended. */
function isBefore(row: EntryRow, failed: EntryRow): boolean {
  if (row.seq === null) return row.pos < failed.pos;
  const position = failed.seq ?? 0;
  // A called workflow without a failed effect continues from its last one.
  const continues = failed.kind === entryKinds.fork;
  if (row.branch === failed.branch) return row.seq < position || (continues && row.seq === position && isBegin(row));
  const inner = within(row.branch, failed.branch);
  // Effects inside a block or a question at a later position are omitted with it.
  if (inner !== undefined) return inner < position || (continues && inner === position);
  const block = within(failed.branch, row.branch);
  // The block starts as it did.
  return block === undefined || row.seq < block || (row.seq === block && row.kind === entryKinds.fork && isBegin(row));
}

/** The position, in an outer branch, of the block that contains the other one; `undefined` if it is not inside. */
function within(branch: string, outer: string): number | undefined {
  if (outer === '') return branch === '' ? undefined : Number.parseInt(branch, 10);
  return branch.startsWith(`${outer}/`) ? Number.parseInt(branch.slice(outer.length + 1), 10) : undefined;
}

/** An entry before the effect at this position of its branch. */
export interface LoggedEntry {
  readonly branch: string;
  readonly seq: number;
  readonly entry: LogEntry;
}

/** Warnings are found by their message, wherever they are. */
const isWarning = ({ type }: LogEntry): boolean => type === 'warning';

const rowWith = (row: EntryRow, entries: readonly LogEntry[]): EntryRow => ({ ...row, body: JSON.stringify(entries) });

/** The rows without what their branches logged outside of effects, except for warnings. */
export const withoutLog = (rows: readonly EntryRow[]): EntryRow[] =>
  rows.flatMap((row) => {
    if (!isLog(row)) return [row];
    const warnings = entriesOfRow(row).filter(isWarning);
    return warnings.length === 0 ? [] : [rowWith(row, warnings)];
  });

const isLog = ({ kind, seq }: EntryRow): boolean => kind === entryKinds.log && seq === null;

/**
 * Replaces the log of a rerun with that of another text: what that text logs beside the kept effects, so that the rerun finds each entry if
 * it is interrupted.
 * @param rows the kept ones
 * @param executed the branches that the new text executes
 * @param logged what it logs, in the order of each branch
 */
export function withLogOf(
  rows: readonly EntryRow[],
  executed: ReadonlySet<string>,
  logged: readonly LoggedEntry[],
): readonly EntryRow[] {
  const firstAt = new Map<string, EntryRow>();
  const endOf = new Map<string, EntryRow>();
  const known = new Map<string, LogEntry[]>();
  const since = new Map<EntryRow, number>();
  for (const [index, row] of rows.entries()) {
    since.set(row, endOfRow(rows[index - 1] ?? row));
    const address = addressOfEffect(row.branch, row.seq);
    if (isLog(row)) {
      const entries = known.get(row.branch) ?? [];
      known.set(row.branch, entries);
      for (const entry of entriesOfRow(row)) entries.push(entry);
    } else if (row.kind === entryKinds.fork && isEnd(row)) endOf.set(address, row);
    if (row.seq !== null && !firstAt.has(address)) firstAt.set(address, row);
  }
  const before = new Map<EntryRow, { readonly branch: string; readonly entries: LogEntry[] }[]>();
  for (const { branch, seq, entry } of logged) {
    // The rerun logs everything after the last effect of a branch that continues.
    const next = firstAt.get(addressOfEffect(branch, seq)) ?? endOf.get(addressOfEffect(outerBranch(branch), blockOf(branch)));
    if (next === undefined) continue;
    const written = withTime(entry, known.get(branch) ?? [], since.get(next) ?? next.at);
    const added = before.get(next) ?? [];
    before.set(next, added);
    const last = added.at(-1);
    if (last?.branch === branch) last.entries.push(written);
    else added.push({ branch, entries: [written] });
  }
  const asRow = { seq: null, part: null, kind: entryKinds.log, site: null, ms: null };
  return rows.flatMap((row) => [
    ...(before.get(row) ?? []).map(({ branch, entries }) => rowWith({ ...row, ...asRow, branch }, entries)),
    ...(executed.has(row.branch) ? withoutLog([row]) : [row]),
  ]);
}

/** The entry with the time at which an equal one was logged, or else that of the entry before it. */
function withTime(entry: LogEntry, known: LogEntry[], since: number): LogEntry {
  const index = known.findIndex(
    ({ type, step, event, message }) =>
      type === entry.type && step === entry.step && event === entry.event && message === entry.message,
  );
  const [same] = index < 0 ? [] : known.splice(0, index + 1).slice(-1);
  if (same === undefined) return { ...entry, time: new Date(since).toISOString() };
  return { ...entry, time: same.time, ...(same.durationMs === undefined ? {} : { durationMs: same.durationMs }) };
}
