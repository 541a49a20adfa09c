// Replaces the log of a rerun with another text: what that text logs beside the kept effects, so that the rerun finds each entry if it is
// interrupted.
import type { LogEntry } from '../../../runtime/types.js';
import { addressOfEffect, blockOf, outerBranch } from '../model/addresses.js';
import { type EntryRow, entriesOfRow, entryKinds } from '../model/entries.js';
import { endOfRow } from './rerun-cut.js';

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
    const place = addressOfEffect(row.branch, row.seq);
    if (isLog(row)) {
      const entries = known.get(row.branch) ?? [];
      known.set(row.branch, entries);
      for (const entry of entriesOfRow(row)) entries.push(entry);
    } else if (row.kind === entryKinds.fork && row.part === 1) endOf.set(place, row);
    if (row.seq !== null && !firstAt.has(place)) firstAt.set(place, row);
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

/** With the time at which the same was logged, or else that of what came before it. */
function withTime(entry: LogEntry, known: LogEntry[], since: number): LogEntry {
  const index = known.findIndex(
    ({ type, step, event, message }) =>
      type === entry.type && step === entry.step && event === entry.event && message === entry.message,
  );
  const [same] = index < 0 ? [] : known.splice(0, index + 1).slice(-1);
  if (same === undefined) return { ...entry, time: new Date(since).toISOString() };
  return { ...entry, time: same.time, ...(same.durationMs === undefined ? {} : { durationMs: same.durationMs }) };
}
