// The part of a journal that belongs to a called workflow, as the journal of a run of its own: with its own branches, lines and places.
import { CallPlaces, type JournalPart, type Sites } from '../call-places.js';
import type { StoredSite } from '../embedded/own-slot.js';
import { entriesOfRow } from '../entry-body.js';
import { type EntryRow, entryKinds } from '../store/slot-writes.js';

export interface CalledPart {
  readonly rows: readonly EntryRow[];
  readonly sites: Sites;
  readonly places: CallPlaces;
}

/** @param all rows of the journal, at least those inside of the called workflow @param of the branch in which the called workflow runs */
export function calledPart(all: readonly EntryRow[], sites: Sites, of: JournalPart): CalledPart {
  const { branch } = of;
  const inside = `${branch}/`;
  const rows = all.flatMap((row) => {
    if (row.branch === branch) return [{ ...row, branch: '' }];
    return row.branch.startsWith(inside) ? [{ ...row, branch: row.branch.slice(inside.length) }] : [];
  });
  const calls = new CallPlaces(sites, rows, of);
  const own = new Map(sites);
  for (const row of rows) {
    const site = calls.around(row.branch).length === 0 ? calls.siteOf(row) : undefined;
    if (site?.inside !== undefined) own.set(site.site, ownSite(site));
  }
  const places = new CallPlaces(own, rows, of);
  return { rows: rows.map((row) => (row.kind === entryKinds.log ? ownLog(row, places) : row)), sites: own, places };
}

/** A place as the called workflow itself has it. */
function ownSite({ inside, ...site }: StoredSite): StoredSite {
  return inside === undefined ? site : { ...site, line: inside.line, title: inside.title };
}

/** Log entries with lines of the called workflow, or of its own calls. */
function ownLog(row: EntryRow, places: CallPlaces): EntryRow {
  const [call] = places.around(row.branch);
  const site = call === undefined ? undefined : places.siteOf(call);
  const entries = entriesOfRow(row);
  const own = entries.map(({ workflow: _, calledLine, line: __, ...entry }) => {
    if (site !== undefined) return { ...entry, line: site.line, workflow: site.service, calledLine };
    return { ...entry, ...(calledLine === undefined ? {} : { line: calledLine }) };
  });
  return { ...row, body: JSON.stringify(own) };
}
