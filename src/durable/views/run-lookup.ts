// Reads runs: from memory if they are there and not yet written, otherwise from the store.
import path from 'node:path';
import { redactorFor, secretsOf } from '../../../runtime/run/redaction.js';
import type { LogEntry, Redactor, WorkflowInfo } from '../../../runtime/types.js';
import type { Change, DurableEngine, RunPage } from '../durable-engine.js';
import { CallSites, type JournalPart } from '../model/call-places.js';
import { toChangeView } from '../model/changes.js';
import { type EntryRow, effectsIn, entryKinds } from '../model/entries.js';
import { DamagedRun, troubleError } from '../model/file-troubles.js';
import type { SkippedWaits } from '../model/messages.js';
import { createdAt, toRunHex, toRunId } from '../model/run-ids.js';
import { hasEnded, storedStates } from '../model/run-rows.js';
import {
  type DurableStatus,
  endedProblem,
  isFinished,
  type Journal,
  type JournalRange,
  type ReasonGroup,
  type RunDetail,
  type RunQuery,
  type RunState,
  type RunSummary,
  type VersionText,
} from '../model/run-views.js';
import { type RunExtra, readExtra } from '../model/stored-run.js';
import { hashOfText, type OwnVersion, type StoredSite, type VersionInfo } from '../model/versions.js';
import type { StoreAccess } from '../store/port.js';
import { CalledLookup, type ShownRun } from './called-runs.js';
import { failedStatuses, ReasonGroups, rerunsOfRuns, statusesWithReason } from './failed-runs.js';
import { mostLogged, redactedEntry, toJournalEntry, toLog } from './journal-entries.js';
import { storedFilter } from './run-filter.js';
import { openWaits, RunHistory } from './run-history.js';
import {
  arrangedRuns,
  type RunShowing,
  redactorOf,
  startOf,
  storedAs,
  toRunDetail,
  toRunState,
  toRunSummary,
  waitingText,
} from './show-run.js';

/** The reason why a search may have found nothing. */
const hiddenValues =
  'The store is encrypted, so a search finds only whole values that config: of a workflow names, for example with "find by: request.order".';

const { completed } = storedStates;

const PAGE = 50;
const LARGEST_PAGE = 100;
const JOURNAL_PAGE = 1_000;
/** Runs that are read at once to find those with a reason. */
const SCANNED = 500;
/** Rows of a journal that are read for its log at first. */
const FIRST_ROWS = 2 * mostLogged;

/** A run in memory, which may not be in the store yet. */
interface LiveState {
  readonly id: string;
  readonly status: DurableStatus;
  /** Whether it is in the store. */
  readonly isRecorded: boolean;
  readonly extra: RunExtra;
  readonly parts: { readonly version: OwnVersion };
}

/** The runs of this process by their ids: 32 hexadecimal digits. */
interface LiveStates {
  get(id: string): LiveState | undefined;
}

export class RunLookup {
  readonly #store: StoreAccess;
  readonly #runs: LiveStates;
  readonly #showing: RunShowing;
  readonly #called: CalledLookup;
  /** The blocks of the run that was read last, up to a position in its journal. */
  #forks: { readonly id: string; readonly next: number; readonly rows: readonly EntryRow[] } | undefined;

  constructor(store: StoreAccess, runs: LiveStates, showing: RunShowing) {
    this.#store = store;
    this.#runs = runs;
    this.#showing = showing;
    this.#called = new CalledLookup({
      store,
      entries: (found, from) => this.entries(found, from),
      sites: (found) => this.sites(found),
    });
  }

  /** Hides the secrets of this process that a workflow reads. */
  redactorOf({ workflow }: { readonly workflow: Pick<WorkflowInfo, 'env' | 'secrets'> }): Redactor {
    const { env, secrets } = this.#showing;
    return redactorFor(secretsOf(workflow, env, secrets));
  }

  /** From the store, after everything that this process has written. @throws UsageError if it may be in a file that can't be read */
  async find(hex: string): Promise<ShownRun | undefined> {
    await this.#store.queue.settled(hex);
    const found = await this.#store.client.reader.findRun(hex);
    if (found !== undefined || this.#runs.get(hex) !== undefined) return found;
    const called = await this.#called.find(hex);
    const [unread] = this.#store.unreadable ?? [];
    if (called === undefined && unread !== undefined) throw troubleError(unread[1], unread[0]);
    return called;
  }

  /** For the run of a called workflow, which nobody can change: what to tell, and the id of the run that it belongs to. */
  async calledBy(id: string): Promise<{ readonly root: string; readonly problem: string } | undefined> {
    const hex = toRunHex(id);
    const called = hex === undefined ? undefined : (await this.find(hex))?.called;
    if (called === undefined) return undefined;
    const root = toRunId(called.root);
    const problem = `This run is part of the run ${root}, which called it. Cancel, resume or rerun that one.`;
    return { root, problem };
  }

  /** The state of a run that may be cancelled or resumed, or why it may not: it is unknown, has ended, or belongs to its caller. */
  async changeable(id: string): Promise<{ readonly state: RunState } | { readonly refusal: Change }> {
    const state = await this.state(id);
    if (state === undefined) return { refusal: { kind: 'unknown' } };
    const called = isFinished(state.status) ? undefined : await this.calledBy(id);
    const problem = isFinished(state.status) ? endedProblem(state.status) : called?.problem;
    return problem === undefined ? { state } : { refusal: { kind: 'not possible', state, problem } };
  }

  /** Like `changeable`, for a run whose wait before a retry is to end. */
  async retriable(id: string): Promise<{ readonly state: RunState } | { readonly refusal: Change }> {
    const found = await this.changeable(id);
    if ('refusal' in found) return found;
    const { state } = found;
    const { status, waitingFor } = state;
    if (status === 'waiting' && waitingFor?.kind === 'retry') return found;
    const what = waitingFor === undefined ? `its status is "${status}"` : `it is waiting ${waitingText(waitingFor)}`;
    return { refusal: { kind: 'not possible', state, problem: `The run does not wait before a retry: ${what}.` } };
  }

  /** Like `changeable`, for a run of which a wait is to end. @param line of the wait; by default, the one that the run is shown to wait for */
  async skippable(
    id: string,
    line?: number,
  ): Promise<{ readonly state: RunState; readonly waits: SkippedWaits } | { readonly refusal: Change }> {
    const found = await this.changeable(id);
    if ('refusal' in found) return found;
    const { state } = found;
    const wanted = line ?? state.waitingFor?.line;
    const history = new RunHistory();
    for (let from: number | undefined = 0; from !== undefined; ) {
      const part: Journal | undefined = await this.journal(id, { from });
      history.feed(part?.entries ?? []);
      from = part?.next;
    }
    const waits = openWaits(state, history.effects).filter((wait) => wait.kind !== 'retry' && wait.line === wanted);
    const limited = waits.filter(({ until }) => until !== undefined);
    const since = Math.max(...limited.map((wait) => Date.parse(wait.since ?? wait.until ?? '')));
    if (wanted !== undefined && limited.length > 0) return { state, waits: { line: wanted, since } };
    const [endless] = waits;
    const problem =
      endless !== undefined
        ? `The wait in line ${wanted} has no time limit: only ${endless.kind === 'message' ? `the message ${endless.name ?? ''}` : 'an answer'} ends it.`
        : line === undefined
          ? 'The run does not wait now.'
          : `The run does not wait in line ${line} now.`;
    return { refusal: { kind: 'not possible', state, problem } };
  }

  async state(id: string): Promise<RunState | undefined> {
    const hex = toRunHex(id);
    if (hex === undefined) return undefined;
    const known = this.#runs.get(hex);
    // A caller hears of a recorded run even while the store can't be written.
    const found = await (known?.isRecorded === true ? this.#store.whileUsable(this.find(hex)) : this.find(hex));
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
    const read = hex === undefined ? undefined : await this.find(hex);
    if (read === undefined) return undefined;
    const { reader } = this.#store.client;
    const reruns = read.called === undefined ? await reader.rerunsOf(read.row.id) : [];
    const effects = read.called === undefined ? await reader.effectsOf(read.row) : effectsIn(read.called.rows);
    const found = effects === undefined ? { ...read, row: { ...read.row, isDamaged: true as const } } : read;
    const good = await this.#goodBy([found]);
    const activity = await this.#activityOf(found, hex ?? '');
    return {
      ...toRunDetail(found, this.#showing),
      ...good(found),
      reruns: reruns.map(toRunId),
      effects: effects ?? 0,
      ...activity,
    };
  }

  /** The changes made to a run, and the one that started it as a rerun. */
  async #activityOf(found: ShownRun, hex: string): Promise<Pick<RunDetail, 'activity'>> {
    const { shared } = this.#store.client;
    const { rerunOf } = readExtra(found.row.extra);
    const origins = rerunOf === undefined ? [] : await shared.listChanges(0, 0, rerunOf);
    const started = origins.filter(({ action, about }) => action === 'rerun' && about === toRunId(hex));
    const rows = [...started, ...(await shared.listChanges(0, 0, hex))];
    if (rows.length === 0) return {};
    const redactor = redactorOf(found, this.#showing);
    return { activity: rows.map((row) => toChangeView({ ...row, about: row.about && redactor.text(row.about) })) };
  }

  async list(query: RunQuery): ReturnType<DurableEngine['list']> {
    await this.#store.queue.settled();
    const limit = Math.min(Math.max(1, query.limit ?? PAGE), LARGEST_PAGE);
    if (isArranged(query)) return this.#arranged(query, limit);
    const found = await this.#listed(query, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const isHidden = query.q !== undefined && page.length === 0 && (await this.#store.client.reader.isEncrypted());
    return {
      ...(await this.#shown(page)),
      ...(found.length > limit && last !== undefined ? { next: toRunId(last.row.id) } : {}),
      ...(isHidden ? { note: hiddenValues } : {}),
    };
  }

  async count({ cursor: _, ...query }: RunQuery, most: number): Promise<number> {
    await this.#store.queue.settled();
    if (query.waitingSince !== undefined) return (await this.#arrange(query)).runs.length;
    const { sort, ...rest } = query;
    const wish: RunQuery = sort === 'due' ? { status: 'waiting', ...rest } : rest;
    if (query.reason !== undefined || query.parent !== undefined) return (await this.#listed(wish, most)).length;
    const filter = storedFilter(wish);
    const own = await this.#store.client.reader.count({ ...filter, limit: most });
    const called = findsCalled(wish) && own < most ? await this.#called.named(wish, filter, most - own) : [];
    return own + called.length;
  }

  async #shown(page: readonly ShownRun[]): Promise<Pick<RunPage, 'runs' | 'unreadable'>> {
    const good = await this.#goodBy(page);
    const runs = page.map((run) => ({ ...toRunSummary(run, this.#showing), ...good(run) }));
    const unreadable = [...(this.#store.unreadable?.keys() ?? [])];
    return { runs, ...(unreadable.length === 0 ? {} : { unreadable }) };
  }

  /** A page in an order that no store keeps. The cursor is the number of runs before it. */
  async #arranged({ cursor, ...query }: RunQuery, limit: number): ReturnType<DurableEngine['list']> {
    const { runs, isWhole } = await this.#arrange(query);
    const from = Math.max(0, Math.trunc(Number(cursor)) || 0);
    return {
      ...(await this.#shown(runs.slice(from, from + limit))),
      ...(runs.length > from + limit ? { next: String(from + limit) } : {}),
      ...(isWhole ? {} : { note: onlyNewest }),
    };
  }

  async #arrange(query: RunQuery): Promise<{ readonly runs: readonly ShownRun[]; readonly isWhole: boolean }> {
    const { sort, waitingSince, ...filter } = query;
    const isWaiting = sort === 'due' || waitingSince !== undefined;
    const status = filter.status ?? (isWaiting ? 'waiting' : undefined);
    const found = await this.#listed({ ...filter, ...(status === undefined ? {} : { status }) }, MOST_ARRANGED + 1);
    return { runs: arrangedRuns(found.slice(0, MOST_ARRANGED), query), isWhole: found.length <= MOST_ARRANGED };
  }

  async #oldest(query: RunQuery, most: number): Promise<ShownRun[]> {
    const { cursor, ...rest } = query;
    const filter = storedFilter(rest);
    const after = cursor === undefined ? undefined : toRunHex(cursor);
    const own = await this.#store.client.reader.list({ ...filter, after, ascending: true, limit: most });
    if (!findsCalled(query)) return own;
    const called = await this.#called.named(rest, filter, MOST_ARRANGED);
    return newest([...own, ...called.filter(({ row }) => row.id > (after ?? ''))], Number.POSITIVE_INFINITY)
      .reverse()
      .slice(0, most);
  }

  async #listed(query: RunQuery, most: number): Promise<ShownRun[]> {
    const { reason } = query;
    const hasReason = (run: ShownRun): boolean => reason === undefined || toRunSummary(run, this.#showing).reason === reason;
    if (query.parent !== undefined) {
      const hex = toRunHex(query.parent);
      const parent = hex === undefined ? undefined : await this.find(hex);
      if (parent === undefined) return [];
      const all = await this.#called.of(parent, query, reason === undefined ? most : Number.POSITIVE_INFINITY);
      return all.filter(hasReason).slice(0, most);
    }
    if (reason !== undefined) return this.#filtered(query, hasReason, most);
    if (query.sort === 'oldest') return this.#oldest(query, most);
    const filter = storedFilter(query);
    const own = await this.#store.client.reader.list({ ...filter, limit: most });
    const found = findsCalled(query) ? newest([...own, ...(await this.#called.named(query, filter, most))], most) : own;
    // The id may be that of a called workflow.
    const hex = found.length > 0 || query.q === undefined ? undefined : toRunHex(query.q);
    const called = hex === undefined ? undefined : await this.find(hex);
    return called?.called === undefined ? found : [called];
  }

  /** Runs that may have a reason, as far as they pass the filter. */
  async #filtered(query: RunQuery, passes: (run: ShownRun) => boolean, most: number): Promise<ShownRun[]> {
    const found: ShownRun[] = [];
    for await (const page of this.#pages(query, statusesWithReason)) {
      for (const run of page) if (found.length < most && passes(run)) found.push(run);
      if (found.length >= most) break;
    }
    return found;
  }

  /** Tells of each of these runs by which one it was rerun, and which one has made it good. */
  async #goodBy(runs: readonly ShownRun[]): Promise<(run: ShownRun) => Pick<RunSummary, 'rerunBy' | 'madeGoodBy'>> {
    const failed = runs.filter(({ row: { state }, called }) => called === undefined && hasEnded(state) && state !== completed);
    const reruns = await rerunsOfRuns(
      this.#store.client.reader,
      failed.map(({ row }) => row.id),
    );
    return ({ row }) => {
      const found = reruns.get(row.id);
      if (found === undefined) return {};
      const { latest, good } = found;
      return { rerunBy: toRunId(latest), ...(good === undefined ? {} : { madeGoodBy: toRunId(good) }) };
    };
  }

  /** All runs of a filter, newest first. @param statuses those to find, unless the filter names one */
  async *#pages(query: RunQuery, statuses: readonly DurableStatus[]): AsyncGenerator<readonly ShownRun[]> {
    const filter = storedFilter(query);
    const states = filter.states ?? statuses.flatMap(storedAs);
    let { before } = filter;
    let left = query.mostRead ?? Number.POSITIVE_INFINITY;
    for (let isLast = false; !isLast && left > 0; left -= SCANNED) {
      const page = await this.#store.client.reader.list({ ...filter, states, before, limit: SCANNED });
      yield page;
      before = page.at(-1)?.row.id;
      isLast = page.length < SCANNED;
    }
  }

  async reasons(query: RunQuery): Promise<readonly ReasonGroup[]> {
    await this.#store.queue.settled();
    const groups = new ReasonGroups();
    for await (const page of this.#pages(query, failedStatuses)) {
      const good = await this.#goodBy(page);
      for (const run of page) if (good(run).madeGoodBy === undefined) groups.add(toRunSummary(run, this.#showing));
    }
    return groups.all();
  }

  /** Hides the secrets that a run reads. Without its run, nothing is known of them. */
  async redactorOfRun(hex: string): Promise<Redactor> {
    const found = await this.find(hex);
    return found === undefined ? redactorFor(this.#showing.secrets) : redactorOf(found, this.#showing);
  }

  async log(id: string): Promise<LogEntry[]> {
    const hex = toRunHex(id);
    const found = hex === undefined ? undefined : await this.find(hex);
    if (found === undefined) return [];
    try {
      return await this.#logOf(found);
    } catch (error) {
      if (!(error instanceof DamagedRun)) throw error;
      return [{ time: new Date(startOf(found)).toISOString(), type: 'warning', message: error.message }];
    }
  }

  async #logOf(found: ShownRun): Promise<LogEntry[]> {
    const sites = await this.sites(found);
    const first = await this.entries(found, 0, FIRST_ROWS);
    const isWhole = first.length < FIRST_ROWS;
    const log = toLog(first, sites, partOf(found), isWhole ? found.row : undefined); // the rest may close its steps
    // Most rows are entries of the log, so the rest of a long journal is rarely needed.
    if (isWhole || log.length >= mostLogged) return log;
    return toLog(await this.entries(found), sites, partOf(found), found.row);
  }

  async journal(id: string, { from = 0, limit = JOURNAL_PAGE }: JournalRange = {}): Promise<Journal | undefined> {
    const hex = toRunHex(id);
    const found = hex === undefined ? undefined : await this.find(hex);
    if (found === undefined) return undefined;
    const rows = await this.entries(found, from, limit + 1);
    const places = await this.#placesOf(found, rows);
    const redactor = redactorOf(found, this.#showing);
    const entries = rows
      .slice(0, limit)
      .flatMap((row) => toJournalEntry(row, places).map((entry) => redactedEntry(entry, redactor)));
    const next = rows[limit]?.pos;
    return next === undefined ? { entries } : { entries, next };
  }

  async text(version: string): Promise<VersionText | undefined> {
    const { reader } = this.#store.client;
    // Of a called workflow: the version of its caller, and its file. Its title is in its runs.
    const [, hash = version, name] = /^([^/]*)\/(.*)$/s.exec(version) ?? [];
    const found = await reader.versionOf(hash);
    if (found === undefined) return undefined;
    const info = JSON.parse(found.info) as VersionInfo; // written with the version
    const called = info.files?.find((file) => file.name === name);
    if (name !== undefined && called === undefined) return undefined;
    const text = (await reader.readContent(called?.content ?? info.text)) ?? '';
    const file = path.posix.basename(called?.name ?? info.file);
    const own = called === undefined ? undefined : file.replace(/\.wf$/, '');
    const where = called === undefined ? { path: path.join(info.folder, info.file) } : {};
    const content = called?.content ?? hashOfText(JSON.stringify([info.text, info.files]));
    return { workflow: own ?? found.workflow, title: own ?? info.title, version: info.version, file, ...where, text, content };
  }

  /** The journal of a run, or part of it. @throws DamagedRun */
  async entries({ row, called }: ShownRun, from = 0, most = Number.POSITIVE_INFINITY): Promise<EntryRow[]> {
    const { shard, n, id } = row;
    if (row.isDamaged === true) throw new DamagedRun(toRunId(id));
    if (called !== undefined) {
      const first = called.rows.findIndex(({ pos }) => pos >= from);
      return first < 0 ? [] : called.rows.slice(first, first + Math.min(most, called.rows.length));
    }
    const rows: EntryRow[] = [];
    for (let isWhole = false; !isWhole && rows.length < most; ) {
      const next = (rows.at(-1)?.pos ?? from - 1) + 1;
      const part = await this.#store.client.reader.entries(shard, n, id, next, most - rows.length);
      if (part.isDamaged === true) throw new DamagedRun(toRunId(id));
      for (const row of part.rows) rows.push(row);
      isWhole = part.isWhole;
    }
    return rows;
  }

  /** With the calls around these rows, some of which may have begun before them. */
  async #placesOf(found: ShownRun, rows: readonly EntryRow[]): Promise<CallSites> {
    if (found.called !== undefined) return found.called.places;
    const sites = await this.sites(found);
    const first = rows[0]?.pos ?? 0;
    const isInside = ({ site }: EntryRow): boolean => site !== null && sites.get(site)?.inside !== undefined;
    if (first === 0 || !rows.some(isInside)) return new CallSites(sites, rows, partOf(found));
    // A run is usually read page by page.
    const known = this.#forks?.id === found.row.id && this.#forks.next <= first ? this.#forks : { next: 0, rows: [] };
    const more = known.next < first ? await this.entries(found, known.next, first - known.next) : [];
    const forks = [...known.rows, ...more.filter(({ kind, pos }) => kind === entryKinds.fork && pos < first)];
    this.#forks = { id: found.row.id, next: first, rows: forks };
    return new CallSites(sites, [...forks, ...rows], partOf(found));
  }

  /** The call sites of its version. @throws DamagedRun */
  async sites({ row: { shard, v, id }, called }: ShownRun): Promise<Map<number, StoredSite>> {
    if (called !== undefined) return new Map(called.sites);
    const sites = await this.#store.client.reader.sites(shard, v);
    if (sites.some(([, info]) => info === '')) throw new DamagedRun(toRunId(id));
    return new Map(sites.map(([site, info]) => [site, JSON.parse(info) as StoredSite])); // written by `describe`
  }
}

/** Maximum runs that are compared, the newest ones. */
const MOST_ARRANGED = 1_000;
const onlyNewest = 'These are from the newest 1,000 runs of this filter. Narrow it to see others.';

/** The order by id is that of the store, and a reason is not stored. */
const isArranged = ({ sort, waitingSince, reason }: RunQuery): boolean =>
  waitingSince !== undefined || (sort !== undefined && (sort !== 'oldest' || reason !== undefined));

/** Called workflows have no versions of their own. */
const findsCalled = ({ withCalled, version }: RunQuery): boolean => withCalled === true && version === undefined;

const newest = (runs: readonly ShownRun[], most: number): ShownRun[] =>
  [...runs].sort((one, other) => (one.row.id < other.row.id ? 1 : -1)).slice(0, most);

const partOf = ({ row, called }: ShownRun): JournalPart => called ?? { root: row.id, branch: '' };

/** For a run that is not in the store yet. */
export function stateOf({ id, parts: { version }, status }: LiveState): RunState {
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
