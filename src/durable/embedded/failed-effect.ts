// The journal of a run that is over → the rows that a rerun from the failure keeps, and the keys of calls that were left in doubt.
import type { RunError } from '../../../runtime/types.js';
import { type EntryRow, entryKinds } from '../store/slot-writes.js';
import type { StoredSite } from './own-slot.js';

export interface KeptRows {
  readonly rows: readonly EntryRow[];
  /** Place of the call that may have been received all the same; it is sent again with its old key. */
  readonly inDoubt: string | undefined;
}

/** What a call has brought, as far as it matters here. */
interface Brought {
  readonly r?: { readonly ok: boolean; readonly status?: number; readonly sent?: boolean };
}

const broughtBy = ({ body }: EntryRow): Brought => JSON.parse(body ?? '{}') as Brought; // written by the journal

/** Names a position for keys. */
export const placeOfRow = (branch: string, seq: number): string => (branch === '' ? String(seq) : `${branch}-${seq}`);

export function rowsBeforeFailure(
  rows: readonly EntryRow[],
  error: RunError | undefined,
  sites: ReadonlyMap<number, StoredSite>,
): KeptRows {
  const failed = rows.filter(
    (row) =>
      row.kind === entryKinds.call &&
      broughtBy(row).r?.ok === false &&
      (error?.line === undefined || (row.site !== null && sites.get(row.site)?.line === error.line)),
  );
  const last = failed.at(-1);
  const effects = rows.filter(({ kind, seq }) => kind !== entryKinds.resumed && seq !== null);
  // The failure was none of a call, or a handled one: everything that was done stays done.
  if (last === undefined || last.seq === null || error === undefined) {
    const end = Math.max(-1, ...effects.filter(({ branch }) => branch === '').map(({ seq }) => seq ?? -1));
    return { rows: rows.filter(({ kind }) => kind !== entryKinds.resumed), inDoubt: placeOfRow('', end + 1) };
  }
  const { r } = broughtBy(last);
  const isAnswered = r?.status !== undefined || r?.sent === false;
  return {
    rows: rows.filter((row) => row.kind !== entryKinds.resumed && isBefore(row, last)),
    inDoubt: isAnswered ? undefined : placeOfRow(last.branch, last.seq),
  };
}

/** Rows of the failed call, of what came after it in its branch, and of the blocks that it ended are left out. */
function isBefore(row: EntryRow, failed: EntryRow): boolean {
  if (row.seq === null) return row.pos < failed.pos;
  if (row.branch === failed.branch) return row.seq < (failed.seq ?? 0);
  const inside =
    row.branch === ''
      ? failed.branch
      : failed.branch.startsWith(`${row.branch}/`)
        ? failed.branch.slice(row.branch.length + 1)
        : '';
  // The position of the block, in the branch around it, that the failed call stands in.
  const block = inside === '' ? undefined : Number.parseInt(inside, 10);
  return block === undefined || row.seq < block;
}
