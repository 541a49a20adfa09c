// Finds the rows of an ended run's journal that a rerun from the failure keeps, and the keys of calls in doubt.
import type { ForkEnd } from '../../../runtime/durable-run.js';
import type { RunError } from '../../../runtime/types.js';
import { CallPlaces, type Sites } from '../call-places.js';
import { type EntryRow, entryKinds } from '../store/slot-writes.js';

export interface KeptRows {
  readonly rows: readonly EntryRow[];
  /** Places of calls that may have been received. They are sent again with their old keys. */
  readonly inDoubt: readonly string[];
}

/** The relevant parts of a call's result. */
interface Brought {
  readonly r?: { readonly ok: boolean; readonly status?: number; readonly sent?: boolean };
}

const broughtBy = ({ body }: EntryRow): Brought => JSON.parse(body ?? '{}') as Brought; // written by the journal

/** Identifies a position for keys. */
export const placeOfRow = (branch: string, seq: number): string => (branch === '' ? String(seq) : `${branch}-${seq}`);

export function rowsBeforeFailure(rows: readonly EntryRow[], error: RunError | undefined, sites: Sites): KeptRows {
  const places = new CallPlaces(sites, rows, { root: '', branch: '' });
  const failed = rows.filter(
    (row) =>
      row.kind === entryKinds.call &&
      broughtBy(row).r?.ok === false &&
      (error?.line === undefined || places.placeOf(row)?.line === error.line),
  );
  const last = failed.at(-1);
  const isKept = (row: EntryRow): boolean => row.kind !== entryKinds.resumed && !endsRun(row);
  // It did not fail in a call, or the failure was handled: everything that was done stays done.
  if (last === undefined || last.seq === null || error === undefined) {
    const end = Math.max(-1, ...rows.filter(({ branch }) => branch === '').map(({ seq }) => seq ?? -1));
    return { rows: rows.filter(isKept), inDoubt: [placeOfRow('', end + 1), ...abortedPlaces(rows, undefined)] };
  }
  const { r } = broughtBy(last);
  const isAnswered = r?.status !== undefined || r?.sent === false;
  return {
    rows: rows.filter((row) => isKept(row) && isBefore(row, last)),
    inDoubt: [...(isAnswered ? [] : [placeOfRow(last.branch, last.seq)]), ...abortedPlaces(rows, last.branch)],
  };
}

/** The end of a concurrent block in which one branch ended the run. In the new run, it may end differently. */
function endsRun({ kind, part, body }: EntryRow): boolean {
  if (kind !== entryKinds.fork || part !== 1) return false;
  const { by, isStopped } = JSON.parse(body ?? '{}') as Partial<ForkEnd>; // written by the journal
  return by !== undefined && isStopped !== true;
}

/**
 * Where the branches other than `failed` were when they were aborted: at their next position, or between two attempts at their last one.
 * Work in progress has no record.
 */
function abortedPlaces(rows: readonly EntryRow[], failed: string | undefined): string[] {
  const last = new Map<string, number>();
  for (const { branch, seq } of rows)
    if (seq !== null && branch !== '' && branch !== failed) last.set(branch, Math.max(seq, last.get(branch) ?? 0));
  return [...last].flatMap(([branch, seq]) => [placeOfRow(branch, seq), placeOfRow(branch, seq + 1)]);
}

/** Omits the rows of the failed call, of what came after it in its branch, and of the blocks that it ended. */
function isBefore(row: EntryRow, failed: EntryRow): boolean {
  if (row.seq === null) return row.pos < failed.pos;
  if (row.branch === failed.branch) return row.seq < (failed.seq ?? 0);
  const inside =
    row.branch === ''
      ? failed.branch
      : failed.branch.startsWith(`${row.branch}/`)
        ? failed.branch.slice(row.branch.length + 1)
        : '';
  // The position, in the outer branch, of the block that contains the failed call.
  const block = inside === '' ? undefined : Number.parseInt(inside, 10);
  // The block starts as it did.
  return block === undefined || row.seq < block || (row.seq === block && row.kind === entryKinds.fork && row.part === 0);
}
