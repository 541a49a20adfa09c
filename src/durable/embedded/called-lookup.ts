// Finds the runs of called workflows in the journals of the runs that called them.
import { isDeepStrictEqual } from 'node:util';
import { inTurn } from '../../engine/in-turn.js';
import { CalledRuns, type ShownRun } from '../called/called-runs.js';
import { CALLED_PREFIX } from '../run-ids.js';
import { toStatus } from '../run-rows.js';
import type { RunQuery } from '../run-views.js';
import { type EntryRow, firstFinished } from '../store/slot-writes.js';
import type { FoundRun } from '../store/store-reader.js';
import type { StoredSite } from './own-slot.js';
import type { StoreAccess } from './store-access.js';

/** Maximum runs whose ids begin like that of a called run: those of one process within a millisecond. */
const MOST_ALIKE = 50;

/** Milliseconds after which the journal that was read last is dropped from memory. */
const KEPT_MS = 60_000;

export interface CalledLookupParts {
  readonly store: StoreAccess;
  /** The journal of a run from a position on. */
  readonly entries: (found: FoundRun, from: number) => Promise<EntryRow[]>;
  readonly sites: (found: FoundRun) => Promise<Map<number, StoredSite>>;
}

/** The journal of a run, as far as it was read. */
interface ReadJournal {
  readonly id: string;
  readonly runs: CalledRuns;
  readonly sites: Map<number, StoredSite>;
  readonly last: EntryRow | undefined;
  /** Its run has ended, so nothing will follow. */
  readonly isOver: boolean;
}

export class CalledLookup {
  readonly #parts: CalledLookupParts;
  readonly #reading = inTurn();
  #latest: ReadJournal | undefined;
  #forgetting: ReturnType<typeof setTimeout> | undefined;

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
  async of(parent: ShownRun, { workflow, status, since, until, cursor }: RunQuery, most: number): Promise<ShownRun[]> {
    const { called, row } = parent;
    const root = called === undefined ? parent : await this.#parts.store.client.reader.findRun(called.root);
    if (root === undefined) return [];
    const runs = await this.#calledBy(root);
    const ids = runs.of(row.id);
    const after = cursor === undefined ? -1 : ids.indexOf(cursor.replaceAll('-', '').toLowerCase());
    const [from, before] = [since, until].map((moment) => (moment === undefined ? undefined : Date.parse(moment)));
    const found: ShownRun[] = [];
    for (const id of ids.slice(after + 1)) {
      if (found.length >= most) break;
      const { workflow: name, createdAt = 0, state } = runs.outline(id) ?? {};
      if (state === undefined || (workflow !== undefined && name !== workflow)) continue;
      if (createdAt < (from ?? 0) || createdAt >= (before ?? Number.POSITIVE_INFINITY)) continue;
      if (status !== undefined && toStatus(state()) !== status) continue;
      const run = runs.find(id);
      if (run !== undefined) found.push(run);
    }
    return found;
  }

  /** One after the other is asked for, as an export does, and one is read page by page. */
  async #calledBy(root: FoundRun): Promise<CalledRuns> {
    clearTimeout(this.#forgetting);
    this.#forgetting = setTimeout(() => {
      this.#latest = undefined;
    }, KEPT_MS);
    this.#forgetting.unref();
    const { id } = root.row;
    return this.#reading(async () => {
      const known = this.#latest?.id === id ? this.#latest : undefined;
      if (known?.isOver) return known.runs;
      this.#latest = undefined;
      this.#latest = await this.#read(root, known);
      return this.#latest.runs;
    });
  }

  /** A journal only grows: of one that was read before, what has been recorded since. */
  async #read(root: FoundRun, known: ReadJournal | undefined): Promise<ReadJournal> {
    const { id, state } = root.row;
    const rows = await this.#parts.entries(root, known?.last?.pos ?? 0);
    // Another store may have been restored in place of this one, for example.
    const first = known?.last === undefined ? undefined : rows.shift();
    if (known !== undefined && !isDeepStrictEqual(first, known.last)) return this.#read(root, undefined);
    // Places are recorded with the first rows that refer to them.
    const sites = known?.sites ?? new Map<number, StoredSite>();
    if (rows.length > 0) for (const [number, site] of await this.#parts.sites(root)) sites.set(number, site);
    const runs = known?.runs ?? new CalledRuns(root, [], sites);
    runs.extend(root, rows);
    return { id, runs, sites, last: rows.at(-1) ?? known?.last, isOver: state >= firstFinished };
  }
}
