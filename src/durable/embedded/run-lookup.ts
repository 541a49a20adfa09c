// Reads runs: from memory if they are there and not yet written, otherwise from the store.
import type { LogEntry } from '../../../runtime/types.js';
import type { Journal, JournalRange } from '../durable-engine.js';
import { toJournalEntry, toLog } from '../journal-entries.js';
import { createdAt, toRunHex, toRunId } from '../run-ids.js';
import { type RunShowing, storedAs, toRunDetail, toRunState, toRunSummary } from '../run-rows.js';
import type { RunDetail, RunQuery, RunState, RunSummary, VersionText } from '../run-views.js';
import type { EntryRow } from '../store/slot-writes.js';
import type { FoundRun, StoredRunFilter } from '../store/store-reader.js';
import type { VersionInfo } from '../stored-version.js';
import type { LiveRun } from './live-run.js';
import type { LiveRuns } from './live-runs.js';
import type { StoredSite } from './own-slot.js';
import type { StoreAccess } from './store-access.js';
import { readExtra } from './stored-run.js';

const PAGE = 50;
const LARGEST_PAGE = 100;
const JOURNAL_PAGE = 1_000;

export class RunLookup {
  readonly #store: StoreAccess;
  readonly #runs: LiveRuns;
  readonly #showing: RunShowing;

  constructor(store: StoreAccess, runs: LiveRuns, showing: RunShowing) {
    this.#store = store;
    this.#runs = runs;
    this.#showing = showing;
  }

  /** From the store, after everything that this process has written. */
  async find(hex: string): Promise<FoundRun | undefined> {
    await this.#store.queue.settled(hex);
    return this.#store.client.reader.findRun(hex);
  }

  async state(id: string): Promise<RunState | undefined> {
    const hex = toRunHex(id);
    if (hex === undefined) return undefined;
    const known = this.#runs.get(hex);
    // A caller hears of a recorded run even while the store can't be written.
    const isPatient = known?.isRecorded !== true || this.#store.unlessTroubled === undefined;
    const found = await (isPatient ? this.find(hex) : this.#store.unlessTroubled?.(this.find(hex)));
    if (found !== undefined) return toRunState(found);
    const live = this.#runs.get(hex) ?? known;
    return live === undefined ? undefined : stateOf(live);
  }

  /** Whether a caller was told that this run is accepted. */
  async isAcknowledged(hex: string): Promise<boolean> {
    const live = this.#runs.get(hex);
    if (live !== undefined) return live.extra.acknowledged === true;
    return readExtra((await this.find(hex))?.row.extra ?? null).acknowledged === true;
  }

  async get(id: string): Promise<RunDetail | undefined> {
    const hex = toRunHex(id);
    const found = hex === undefined ? undefined : await this.find(hex);
    if (found === undefined) return undefined;
    const { reader } = this.#store.client;
    const reruns = await reader.rerunsOf(found.row.id);
    const effects = await reader.effectsOf(found.row);
    return { ...toRunDetail(found, this.#showing), reruns: reruns.map(toRunId), effects };
  }

  async list(query: RunQuery): Promise<{ readonly runs: readonly RunSummary[]; readonly next?: string }> {
    await this.#store.queue.settled();
    const limit = Math.min(Math.max(1, query.limit ?? PAGE), LARGEST_PAGE);
    const found = await this.#store.client.reader.list({ ...filterOf(query), limit: limit + 1 });
    const runs = found.slice(0, limit).map((run) => toRunSummary(run, this.#showing));
    const last = runs.at(-1);
    return found.length > limit && last !== undefined ? { runs, next: last.run } : { runs };
  }

  async log(id: string): Promise<LogEntry[]> {
    const hex = toRunHex(id);
    const found = hex === undefined ? undefined : await this.find(hex);
    if (found === undefined) return [];
    return toLog(await this.entries(found), await this.sites(found));
  }

  async journal(id: string, { from = 0, limit = JOURNAL_PAGE }: JournalRange = {}): Promise<Journal | undefined> {
    const hex = toRunHex(id);
    const found = hex === undefined ? undefined : await this.find(hex);
    if (found === undefined) return undefined;
    const sites = await this.sites(found);
    const rows = await this.entries(found, from, limit + 1);
    const entries = rows.slice(0, limit).flatMap((row) => toJournalEntry(row, sites));
    const next = rows[limit]?.pos;
    return next === undefined ? { entries } : { entries, next };
  }

  async text(version: string): Promise<VersionText | undefined> {
    const found = await this.#store.client.reader.versionOf(version);
    if (found === undefined) return undefined;
    const info = JSON.parse(found.info) as VersionInfo; // written with the version
    const text = (await this.#store.client.reader.readContent(info.text)) ?? '';
    return { workflow: found.workflow, title: info.title, version: info.version, file: info.file, text };
  }

  /** The journal of a run, or part of it. */
  async entries({ row: { slot, n, id } }: FoundRun, from = 0, most = Number.POSITIVE_INFINITY): Promise<EntryRow[]> {
    const rows: EntryRow[] = [];
    for (let isWhole = false; !isWhole && rows.length < most; ) {
      const part = await this.#store.client.reader.entries(slot, n, id, (rows.at(-1)?.pos ?? from - 1) + 1);
      rows.push(...part.rows);
      isWhole = part.isWhole;
    }
    return rows.length > most ? rows.slice(0, most) : rows;
  }

  /** What the places of its version do. */
  async sites({ row: { slot, v } }: FoundRun): Promise<Map<number, StoredSite>> {
    const sites = await this.#store.client.reader.sites(slot, v);
    return new Map(sites.map(([site, info]) => [site, JSON.parse(info) as StoredSite])); // written by `describe`
  }
}

/** For a run that is not in the store yet. */
export function stateOf({ id, parts: { version }, status }: LiveRun): RunState {
  const time = new Date(createdAt(id)).toISOString();
  return {
    run: toRunId(id),
    workflow: version.workflow,
    version: version.info.version,
    status,
    createdAt: time,
    startedAt: time,
  };
}

const ID_DIGITS = 32;
const lowest = '0'.repeat(ID_DIGITS);
const highest = 'f'.repeat(ID_DIGITS);

/** The first possible id at a moment. */
export const idAt = (iso: string): string =>
  Math.max(0, Date.parse(iso) || 0)
    .toString(16)
    .padStart(12, '0') + lowest.slice(12);

function filterOf({ workflow, status, since, until, q, cursor }: RunQuery): Omit<StoredRunFilter, 'limit'> {
  const prefix = q === undefined || !/^[0-9a-f][0-9a-f-]{3,35}$/i.test(q) ? undefined : q.replaceAll('-', '').toLowerCase();
  const from = [
    since === undefined ? undefined : idAt(since),
    prefix === undefined ? undefined : prefix + lowest.slice(prefix.length),
  ];
  const before = [
    until === undefined ? undefined : idAt(until),
    // One byte longer than an id, so it sorts after the last one with this prefix, even if that is a whole id.
    prefix === undefined ? undefined : `${prefix}${highest.slice(prefix.length)}ff`,
    cursor === undefined ? undefined : toRunHex(cursor),
  ];
  return {
    workflow,
    states: status === undefined ? undefined : storedAs(status),
    from: from
      .filter((id) => id !== undefined)
      .sort()
      .at(-1),
    before: before.filter((id) => id !== undefined).sort()[0],
    text: prefix === undefined ? q : undefined,
  };
}
