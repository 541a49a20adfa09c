// Finds the runs of called workflows in the journals of the runs that called them.

import type { EntryRow } from '../model/entries.js';
import { CALLED_PREFIX } from '../model/run-ids.js';
import type { FoundRun, RunSearch, StoredRunFilter } from '../model/run-rows.js';
import { hasEnded } from '../model/run-rows.js';
import type { RunQuery } from '../model/run-views.js';
import type { StoredSite } from '../model/versions.js';
import type { StoreAccess } from '../store/port.js';
import { LatestJournal } from '../store/shared/latest-journal.js';
import { CalledRuns, type ShownRun } from './called-runs.js';
import { toStatus } from './show-run.js';

/** Maximum runs whose ids begin like that of a called run: those of one process within a millisecond. */
const MOST_ALIKE = 50;

/** Maximum runs whose journals are searched for those that they have called, and milliseconds until no more are read. */
const MOST_CALLERS = 200;
const PATIENCE_MS = 250;

interface CalledLookupParts {
  readonly store: StoreAccess;
  /** The journal of a run from a position on. */
  readonly entries: (found: FoundRun, from: number) => Promise<EntryRow[]>;
  readonly sites: (found: FoundRun) => Promise<Map<number, StoredSite>>;
}

/** The called runs in a journal. */
interface ReadRuns {
  readonly runs: CalledRuns;
  readonly sites: Map<number, StoredSite>;
}

export class CalledLookup {
  readonly #parts: CalledLookupParts;
  readonly #journals = new LatestJournal<EntryRow, ReadRuns>();

  constructor(parts: CalledLookupParts) {
    this.#parts = parts;
  }

  /** @param hex 32 hexadecimal digits of an id that no run in the store has */
  async find(hex: string): Promise<ShownRun | undefined> {
    const { queue, client } = this.#parts.store;
    const alike = hex.slice(0, CALLED_PREFIX);
    await queue.settled();
    const roots = await client.reader.list({
      from: alike.padEnd(hex.length, '0'),
      // Sorts after the last id that begins like this.
      before: `${alike.padEnd(hex.length, 'f')}ff`,
      limit: MOST_ALIKE,
    });
    for (const root of roots) {
      const found = (await this.#calledBy(root)).find(hex);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The runs that a run has called itself, newest first. */
  async of(parent: ShownRun, query: RunQuery, most: number): Promise<ShownRun[]> {
    const { called, row } = parent;
    const { cursor } = query;
    const root = called === undefined ? parent : await this.#parts.store.client.reader.findRun(called.root);
    if (root === undefined) return [];
    const runs = await this.#calledBy(root);
    const ids = runs.of(row.id);
    const after = cursor === undefined ? -1 : ids.indexOf(cursor.replaceAll('-', '').toLowerCase());
    const passes = passing(query);
    const found: ShownRun[] = [];
    for (const id of ids.slice(after + 1)) {
      if (found.length >= most) break;
      const run = passes(runs, id) ? runs.find(id) : undefined;
      if (run !== undefined) found.push(run);
    }
    return found;
  }

  /**
   * The runs of a workflow that others have called, newest first. Looks at the newest runs that may have called it, for a moment.
   * @param filter of the query, without its bounds
   */
  async named(query: RunQuery, { before, search }: Omit<StoredRunFilter, 'limit'>, most: number): Promise<ShownRun[]> {
    const { workflow, since } = query;
    const { reader } = this.#parts.store.client;
    if (workflow === undefined || (search !== undefined && (await reader.isEncrypted()))) return [];
    const until = performance.now() + PATIENCE_MS;
    const passes = passing(query);
    const found: ShownRun[] = [];
    for (const root of await reader.list({ calling: `${workflow}.wf`, before, limit: MOST_CALLERS })) {
      if (found.length >= most || performance.now() > until) break;
      if (since !== undefined && (root.row.finished ?? Number.POSITIVE_INFINITY) < Date.parse(since)) continue;
      const runs = await this.#calledBy(root);
      for (const id of runs.named(workflow).filter((one) => before === undefined || one < before)) {
        const run = passes(runs, id) ? runs.find(id) : undefined;
        if (run !== undefined && isFound(run, search)) found.push(run);
      }
    }
    return found;
  }

  #calledBy(root: FoundRun): Promise<CalledRuns> {
    const { entries, sites: sitesOf } = this.#parts;
    const { id, state } = root.row;
    const read = this.#journals.of(id, {
      isOver: hasEnded(state),
      read: (from) => entries(root, from?.pos ?? 0),
      async extend(known, rows) {
        const { runs, sites } = known ?? newRuns(root);
        // Places are recorded with the first rows that refer to them.
        if (rows.length > 0) for (const [number, site] of await sitesOf(root)) sites.set(number, site);
        runs.extend(root, rows);
        return { runs, sites };
      },
    });
    return read.then(({ runs }) => runs);
  }
}

/** Whether a called run is in a list, by its outline. */
function passing({ workflow, status, since, until }: RunQuery): (runs: CalledRuns, id: string) => boolean {
  const [from, before] = [since, until].map((moment) => (moment === undefined ? undefined : Date.parse(moment)));
  return (runs, id) => {
    const { workflow: name, createdAt = 0, state } = runs.outline(id) ?? {};
    if (state === undefined || (workflow !== undefined && name !== workflow)) return false;
    if (createdAt < (from ?? 0) || createdAt >= (before ?? Number.POSITIVE_INFINITY)) return false;
    return status === undefined || toStatus(state()) === status;
  };
}

/** As stores compare runs with a term. */
function isFound({ row: { id, request } }: FoundRun, search: RunSearch | undefined): boolean {
  if (search === undefined || request.toLowerCase().includes(search.text.toLowerCase())) return true;
  const [first, last] = search.ids ?? [];
  return first !== undefined && last !== undefined && id >= first && id <= last;
}

function newRuns(root: FoundRun): ReadRuns {
  const sites = new Map<number, StoredSite>();
  return { runs: new CalledRuns(root, [], sites), sites };
}
