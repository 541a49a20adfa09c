// Shows called workflows as runs. Each is a part of the journal of the run that someone started: it has an id and a state of its own, but
// cannot be lost, moved or deleted without its caller.
import path from 'node:path';
import { addressOfEffect } from '../model/addresses.js';
import { branchOf, CallSites, type JournalPart, type Sites } from '../model/call-places.js';
import {
  beginBody,
  bodyOf,
  type CalledBegin,
  type EntryKind,
  type EntryRow,
  endBody,
  entriesOfRow,
  entryKinds,
  isEnd,
} from '../model/entries.js';
import { CALLED_PREFIX } from '../model/run-ids.js';
import { type FoundRun, hasEnded, type RunRow, type RunSearch, type StoredRunFilter, storedStates } from '../model/run-rows.js';
import type { RunQuery, WaitingFor } from '../model/run-views.js';
import { readExtra, storedOutcome } from '../model/stored-run.js';
import type { StoredSite, VersionInfo } from '../model/versions.js';
import type { StoreAccess } from '../store/port.js';
import { LatestJournal } from '../store/shared/latest-journal.js';
import { toStatus } from './show-run.js';

/** A run, or the run of a called workflow. */
export interface ShownRun extends FoundRun {
  readonly called?: CalledRunPart;
}

interface CalledRunPart extends CalledPart, JournalPart {
  /** Id of the run that calls it: 32 hexadecimal digits. */
  readonly parent: string;
  /** Path of its file from the folder of the root. */
  readonly file: string;
  /** Milliseconds since 1970: when it was called, and its first `now`. */
  readonly createdAt: number;
  readonly now: number;
}

/** The start of a call, with its end if it has one. */
interface Call {
  readonly begin: EntryRow;
  end: EntryRow | undefined;
  readonly called: CalledBegin;
  readonly parent: string;
  /** Path of its file from the folder of the root. */
  readonly file: string;
  /** The rows of its effects. */
  readonly rows: EntryRow[];
}

/** A part of the journal, made from this many rows. */
interface KnownPart {
  readonly call: Call;
  readonly size: number;
  readonly part: CalledPart;
}

/** A called run, as far as lists are filtered by it: its part of the journal is only read where that is needed. */
interface CalledOutline {
  readonly workflow: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly state: () => RunRow['state'];
}

export class CalledRuns {
  #root: FoundRun;
  readonly #info: VersionInfo;
  readonly #sites: Sites;
  readonly #calls = new Map<string, Call>();
  /** Calls by the branches in which they run. */
  readonly #byBranch = new Map<string, Call>();
  /** The ids of calls, oldest first, by that of their caller. */
  readonly #called = new Map<string, string[]>();
  readonly #places: CallSites;
  /** The run that was read last: its journal is read page by page. */
  #latest: KnownPart | undefined;

  /** @param sites may grow with the rows */
  constructor(root: FoundRun, rows: readonly EntryRow[], sites: Sites) {
    this.#root = root;
    this.#info = JSON.parse(root.info) as VersionInfo; // written with the version
    this.#sites = sites;
    this.#places = new CallSites(sites, [], { root: root.row.id, branch: '' });
    this.extend(root, rows);
  }

  /**
   * Adds what was recorded since. Looks at each row once for each call around it, so that a run can have made thousands of calls.
   * @param root the run that calls, as it is now
   */
  extend(root: FoundRun, rows: readonly EntryRow[]): void {
    this.#root = root;
    this.#places.add(rows);
    for (const row of rows) {
      for (const call of this.#places.around(row.branch)) this.#byBranch.get(branchOf(call))?.rows.push(row);
      if (row.kind !== entryKinds.fork) continue;
      const ended = isEnd(row) ? this.#byBranch.get(branchOf(row)) : undefined;
      if (ended === undefined) this.#note(row);
      else ended.end = row;
    }
  }

  /** A caller is noted before what it calls. */
  #note(begin: EntryRow): void {
    if (!this.#places.isCall(begin) || begin.body === null) return;
    const { called } = beginBody('fork', begin);
    if (called === undefined) return;
    const around = this.#places.around(begin.branch).at(-1);
    const parent = around === undefined ? this.#root.row.id : this.#places.idOf(around);
    const file = path.posix.join(path.posix.dirname(this.#calls.get(parent)?.file ?? ''), called.file);
    const id = this.#places.idOf(begin);
    const call: Call = { begin, end: undefined, called, parent, file, rows: [] };
    this.#calls.set(id, call);
    this.#byBranch.set(branchOf(begin), call);
    const others = this.#called.get(parent);
    if (others === undefined) this.#called.set(parent, [id]);
    else others.push(id);
  }

  find(hex: string): ShownRun | undefined {
    const call = this.#calls.get(hex);
    return call === undefined ? undefined : this.#run(hex, call);
  }

  /** Ids of the runs that a run has called, newest first. */
  of(parent: string): string[] {
    return [...(this.#called.get(parent) ?? [])].reverse();
  }

  /** Ids of all runs of a workflow, whoever has called them, newest first. */
  named(workflow: string): string[] {
    return [...this.#calls].flatMap(([id, call]) => (workflowOf(call) === workflow ? [id] : [])).reverse();
  }

  outline(hex: string): CalledOutline | undefined {
    const call = this.#calls.get(hex);
    if (call === undefined) return undefined;
    return { workflow: workflowOf(call), createdAt: call.begin.at, state: () => this.#state(call).state };
  }

  #partOf(call: Call): CalledPart {
    const { begin, rows } = call;
    if (this.#latest?.call === call && this.#latest.size === rows.length) return this.#latest.part;
    const part = calledPart(rows, this.#sites, { root: this.#root.row.id, branch: branchOf(begin) });
    this.#latest = { call, size: rows.length, part };
    return part;
  }

  #run(hex: string, call: Call): ShownRun {
    const { begin, called, parent, file } = call;
    const root = this.#root;
    const info = this.#info;
    const { title, version, trigger, request = {}, now } = called;
    const own: VersionInfo = {
      ...info,
      title,
      version,
      trigger,
      file: path.posix.basename(file),
      text: info.files?.find(({ name }) => name === file)?.content ?? '',
    };
    const part = this.#partOf(call);
    return {
      row: { ...root.row, ...this.#state(call), id: hex, due: null, request: JSON.stringify(request) },
      workflow: workflowOf(call),
      hash: `${root.hash}/${file}`,
      info: JSON.stringify(own),
      called: {
        ...part,
        parent,
        root: root.row.id,
        branch: branchOf(begin),
        file,
        createdAt: begin.at,
        now,
      },
    };
  }

  #state(call: Call): Pick<RunRow, 'state' | 'finished' | 'outcome' | 'waits' | 'extra'> {
    const { end, called } = call;
    const { row } = this.#root;
    const { timezone, stuck } = readExtra(row.extra);
    const extra = JSON.stringify({ timezone: called.timezone ?? timezone, stuck });
    const none = { finished: null, outcome: null, waits: null, extra };
    const ended = end === undefined ? undefined : endBody('fork', end).called;
    // A call that was interrupted ends as its caller does.
    if (end !== undefined && ended !== undefined && ended.error?.code !== 'WF691')
      return { ...none, state: storedStates[ended.status], finished: end.at, outcome: storedOutcome(ended, 0) };
    if (hasEnded(row.state)) {
      const message = row.state === storedStates.cancelled ? 'The run was cancelled.' : 'The run that called it ended first.';
      const outcome = storedOutcome({ message }, 0);
      return { ...none, state: storedStates.cancelled, finished: row.finished, outcome };
    }
    const wait = row.state === storedStates.waiting ? openWait(this.#partOf(call), row.waits) : undefined;
    if (wait !== undefined) return { ...none, state: storedStates.waiting, waits: JSON.stringify(wait) };
    return { ...none, state: row.state === storedStates.stuck ? storedStates.stuck : storedStates.running };
  }
}

const workflowOf = ({ file }: Call): string => path.posix.basename(file).replace(/\.wf$/, '');

interface CalledPart {
  readonly rows: readonly EntryRow[];
  readonly sites: Sites;
  readonly places: CallSites;
}

/** @param all rows of the journal, at least those inside of the called workflow @param of the branch in which the called workflow runs */
function calledPart(all: readonly EntryRow[], sites: Sites, of: JournalPart): CalledPart {
  const { branch } = of;
  const inside = `${branch}/`;
  const rows = all.flatMap((row) => {
    if (row.branch === branch) return [{ ...row, branch: '' }];
    return row.branch.startsWith(inside) ? [{ ...row, branch: row.branch.slice(inside.length) }] : [];
  });
  const calls = new CallSites(sites, rows, of);
  const own = new Map(sites);
  for (const row of rows) {
    const site = calls.around(row.branch).length === 0 ? calls.siteOf(row) : undefined;
    if (site?.inside !== undefined) own.set(site.site, ownSite(site));
  }
  const places = new CallSites(own, rows, of);
  return { rows: rows.map((row) => (row.kind === entryKinds.log ? ownLog(row, places) : row)), sites: own, places };
}

/** A place as the called workflow itself has it. */
function ownSite({ inside, ...site }: StoredSite): StoredSite {
  if (inside === undefined) return site;
  const { identity: _, ...shown } = site;
  const { line, title, identity } = inside;
  return { ...shown, line, title, ...(identity === undefined ? {} : { identity }) };
}

/** Log entries with lines of the called workflow, or of its own calls. */
function ownLog(row: EntryRow, places: CallSites): EntryRow {
  const [call] = places.around(row.branch);
  const site = call === undefined ? undefined : places.siteOf(call);
  const entries = entriesOfRow(row);
  const own = entries.map(({ workflow: _, calledLine, line: __, ...entry }) => {
    if (site !== undefined) return { ...entry, line: site.line, workflow: site.service, calledLine };
    return { ...entry, ...(calledLine === undefined ? {} : { line: calledLine }) };
  });
  return { ...row, body: JSON.stringify(own) };
}

interface OpenWait {
  readonly waiting: WaitingFor;
  readonly due: number;
}

const kinds = new Map<EntryKind, WaitingFor['kind']>([
  [entryKinds.wait, 'time'],
  [entryKinds.message, 'message'],
  [entryKinds.person, 'person'],
  [entryKinds.retry, 'retry'],
]);

/** @param waits what the whole run waits for, as stored */
function openWait({ rows, sites }: CalledPart, waits: string | null): WaitingFor | undefined {
  const open = new Map<string, OpenWait>();
  for (const row of rows) {
    const place = addressOfEffect(row.branch, row.seq);
    const wait = waitOf(row, sites);
    if (wait !== undefined) open.set(place, wait);
    else if (row.kind === entryKinds.call || isEnd(row)) open.delete(place);
  }
  const [first] = [...open.values()].sort((one, other) => one.due - other.due);
  if (first === undefined) return undefined;
  const whole = waits === null ? undefined : (JSON.parse(waits) as WaitingFor); // written by a live run
  const { waiting } = first;
  const isSame = whole?.kind === waiting.kind && whole.until === waiting.until && whole.service === waiting.service;
  return isSame && whole.task !== undefined ? { ...waiting, task: whole.task } : waiting;
}

/** The wait that begins with this row. */
function waitOf(row: EntryRow, sites: CalledPart['sites']): OpenWait | undefined {
  const kind = kinds.get(row.kind);
  if (kind === undefined || (isEnd(row) && kind !== 'retry')) return undefined;
  const site = row.site === null ? undefined : sites.get(row.site);
  const { name, service = kind === 'retry' ? site?.service : undefined } = bodyOf(row);
  const due = row.ms === null ? Number.POSITIVE_INFINITY : row.at + row.ms;
  const waiting: WaitingFor = {
    kind,
    since: new Date(row.at).toISOString(),
    ...(row.ms === null ? {} : { until: new Date(due).toISOString() }),
    ...(name === undefined ? {} : { name }),
    ...(service === undefined ? {} : { service }),
    ...(site === undefined ? {} : { line: site.line }),
  };
  return { waiting, due };
}

/** Maximum runs whose ids begin like that of a called run: those of one process within a millisecond. */
const MOST_ALIKE = 50;

/** Maximum runs whose journals are searched for those that they have called, and rows of journals after which no other one is read. */
const MOST_CALLERS = 200;
const MOST_ROWS = 20_000;

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
  /** Number of rows. */
  readonly length: number;
}

/** Finds the runs of called workflows in the journals of the runs that called them. */
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
      const found = (await this.#calledBy(root)).runs.find(hex);
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
    const { runs } = await this.#calledBy(root);
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
   * The runs of a workflow that others have called, newest first. Looks at the newest runs that may have called it, as far as their journals are short.
   * @param filter of the query, without its bounds
   */
  async named(query: RunQuery, { before, search }: Omit<StoredRunFilter, 'limit'>, most: number): Promise<ShownRun[]> {
    const { workflow, since } = query;
    const { reader } = this.#parts.store.client;
    if (workflow === undefined || (search !== undefined && (await reader.isEncrypted()))) return [];
    let rows = 0;
    const passes = passing(query);
    const found: ShownRun[] = [];
    for (const root of await reader.list({ calling: `${workflow}.wf`, before, limit: MOST_CALLERS })) {
      if (found.length >= most || rows > MOST_ROWS) break;
      if (since !== undefined && (root.row.finished ?? Number.POSITIVE_INFINITY) < Date.parse(since)) continue;
      const { runs, length } = await this.#calledBy(root);
      rows += length;
      for (const id of runs.named(workflow).filter((one) => before === undefined || one < before)) {
        const run = passes(runs, id) ? runs.find(id) : undefined;
        if (run !== undefined && isFound(run, search)) found.push(run);
      }
    }
    return found;
  }

  #calledBy(root: FoundRun): Promise<ReadRuns> {
    const { entries, sites: sitesOf } = this.#parts;
    const { id, state } = root.row;
    return this.#journals.of(id, {
      isOver: hasEnded(state),
      read: (from) => entries(root, from?.pos ?? 0),
      async extend(known, rows) {
        const { runs, sites, length } = known ?? newRuns(root);
        // Places are recorded with the first rows that refer to them.
        if (rows.length > 0) for (const [number, site] of await sitesOf(root)) sites.set(number, site);
        runs.extend(root, rows);
        return { runs, sites, length: length + rows.length };
      },
    });
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
  return { runs: new CalledRuns(root, [], sites), sites, length: 0 };
}
