// Repeats a run as a new one: from its start, or from its failure with everything recorded before; with its own text, or the current one.
import { suspensionOf } from '../../../runtime/run/durable-run.js';
import { isInDoubt } from '../../../runtime/services/call-errors.js';
import type { LogEntry, RunError, Value } from '../../../runtime/types.js';
import type { Runnable } from '../../engine/engine.js';
import type { Prepared } from '../../engine/prepare/prepared.js';
import type { CallInDoubt, Rerun, RerunRequest, Started } from '../durable-engine.js';
import { createDryHost } from '../journal/journal-host.js';
import { RunJournal } from '../journal/run-journal.js';
import { RunRecords } from '../journal/run-records.js';
import { addressOfEffect, isBranchOver, keyAddress, readEffectAddress } from '../model/addresses.js';
import { CallSites, type Sites } from '../model/call-places.js';
import {
  type AttemptBody,
  bodyOf,
  type EntryRow,
  endedEffects,
  entryKinds,
  entryWrite,
  isoOf,
  partOf,
  type RecordedResult,
} from '../model/entries.js';
import { canonicalJson, type KeyWish } from '../model/request-keys.js';
import { newRunHex, toRunHex, toRunId } from '../model/run-ids.js';
import { type FoundRun, storedStates } from '../model/run-rows.js';
import { type DoubtDecision, isFinished } from '../model/run-views.js';
import { anyFirstCall, keyOfCall, type RunExtra, readExtra, readOutcome, readRequest } from '../model/stored-run.js';
import type { OwnVersion, StoredSite } from '../model/versions.js';
import type { RunWriter, StoreAccess } from '../store/port.js';
import type { RunLookup } from '../views/run-lookup.js';
import { toStatus } from '../views/show-run.js';
import type { LiveRuns } from './live-runs.js';
import { type LoggedEntry, type RetainedRows, rowsBeforeFailure, withLogOf, withoutLog, withoutOpenWaits } from './rerun-cut.js';
import { successorsOf, withUndelivered } from './run-host.js';
import type { RunWaits } from './run-waits.js';

interface RepeaterParts {
  readonly store: StoreAccess;
  readonly runs: LiveRuns;
  readonly lookup: RunLookup;
  readonly waits: RunWaits;
  /** Claims a key for a run; the result of another use of it, or `undefined` if the run has it now. */
  readonly claim: (writer: RunWriter, wish: KeyWish, run: string) => Promise<Started | undefined>;
  readonly current: ((workflow: string) => Prepared | undefined) | undefined;
}

export class RunRepeater {
  readonly #parts: RepeaterParts;

  constructor(parts: RepeaterParts) {
    this.#parts = parts;
  }

  /** The calls on which someone has to decide before a rerun from the failure. */
  async inDoubt(id: string): Promise<readonly CallInDoubt[]> {
    const { lookup } = this.#parts;
    const hex = toRunHex(id);
    const found = hex === undefined ? undefined : await lookup.find(hex);
    if (found === undefined || found.called !== undefined || !hasFailed(found)) return [];
    const { doubtful } = failedRows(await lookup.entries(found), found, await lookup.sites(found));
    return doubtful.map(({ shown }) => shown);
  }

  async rerun(writer: RunWriter, id: string, how: RerunRequest): Promise<Rerun> {
    const { from, workflow } = how;
    const { lookup, current } = this.#parts;
    const hex = toRunHex(id);
    const found = hex === undefined ? undefined : await lookup.find(hex);
    if (found === undefined) return { kind: 'unknown' };
    const called = await lookup.calledBy(id);
    const problem = lossOf(found) ?? called?.problem;
    if (problem !== undefined) return { kind: 'not possible', problem };
    const asked = await this.#askedBefore(writer, found, how);
    if (asked !== undefined) return asked;
    const status = toStatus(found.row.state);
    if (!isFinished(status)) return { kind: 'not possible', problem: `The run has not ended yet; its status is "${status}".` };
    if (from === 'failure' && !hasFailed(found)) {
      const problem = `The run has not failed; its status is "${status}". Rerun it from the start.`;
      return { kind: 'not possible', problem, fromStart: true };
    }
    const other = how.onlyFirst === true ? await this.#lastRerun(found) : undefined;
    if (other !== undefined) return hasRerun(other);
    const prepared = workflow === 'current' ? current?.(found.workflow) : undefined;
    if (workflow === 'current' && prepared === undefined) {
      return { kind: 'not possible', problem: `There is no workflow ${found.workflow} now.` };
    }
    const version = prepared === undefined ? writer.recordedVersion(found) : await writer.versionOf(prepared);
    if (from === 'start' && (how.again ?? how.done) !== undefined)
      return { kind: 'not possible', problem: 'Calls in doubt are decided on in a rerun from the failure.' };
    const began: BeginRerun = { writer, version, found, how };
    if (from === 'start') return this.#begin(began, undefined);
    const sites = await lookup.sites(found);
    for (const site of sites.values()) if (prepared === undefined) writer.describe(version.v, site);
    const { shared } = this.#parts.store.client;
    const rows = await withUndelivered(await lookup.entries(found), shared, found.row.id);
    const decided = decide(failedRows(rows, found, sites), how);
    if (!decided.ok)
      return 'calls' in decided ? { kind: 'in doubt', calls: decided.calls } : { kind: 'not possible', problem: decided.problem };
    const { kept, decisions } = decided;
    if (prepared === undefined) return this.#begin(began, kept, decisions);
    const moved = await this.#fitRows(kept.rows, sites, prepared, began);
    if (typeof moved === 'string') return { kind: 'not possible', problem: moved, fromStart: true };
    return this.#begin(began, { ...kept, rows: moved }, decisions);
  }

  /** Finds the rerun that an equal request has started. */
  async #askedBefore(writer: RunWriter, found: FoundRun, how: RerunRequest): Promise<Rerun | undefined> {
    const wish = how.key === undefined ? undefined : wishOf(found, how);
    const asked = wish === undefined ? undefined : await this.#parts.claim(writer, { ...wish, onlyAsks: true }, '');
    // Another one may just have a rerun, which is told below if nothing else stands against it.
    return asked === undefined || asked.kind === 'other request' ? undefined : rerunBefore(asked, how);
  }

  async #lastRerun({ row }: FoundRun): Promise<string | undefined> {
    const latest = (await this.#parts.store.client.reader.rerunsOf(row.id)).at(-1);
    return latest === undefined ? undefined : toRunId(latest);
  }

  /** The rows with the call sites and the log of another text, or why they don't fit it. */
  async #fitRows(
    rows: readonly EntryRow[],
    sites: ReadonlyMap<number, StoredSite>,
    prepared: Runnable,
    { found, writer, version }: BeginRerun,
  ): Promise<readonly EntryRow[] | string> {
    const records = new RunRecords();
    for (const row of withoutLog(rows)) records.add(row);
    const host = createDryHost(Date.now(), (site) => (site === null ? undefined : sites.get(site)));
    const executed = new Set<string>();
    const logged: LoggedEntry[] = [];
    const onLog = (branch: string, seq: number, entry: LogEntry): void => {
      executed.add(branch);
      logged.push({ branch, seq, entry });
    };
    const journal = new RunJournal({ ...host, onLog }, records);
    let error: RunError | undefined;
    try {
      const { request, received } = readRequest(found.row.request);
      const { timezone } = readExtra(found.row.extra);
      ({ error } = await this.#parts.runs.tryOut(prepared, request, journal, { takeTurn: host.takeTurn, timezone, received }));
      journal.finish(true);
    } catch (thrown) {
      if (suspensionOf(thrown) === undefined) throw thrown;
    }
    if (journal.stuck !== undefined) {
      const why = error === undefined ? journal.stuck : faultOf(error);
      return `The present text does not fit what was recorded. ${why} Rerun it with the recorded text, or from the start.`;
    }
    for (const site of host.sites.values()) writer.describe(version.v, site);
    for (const address of host.sites.keys()) executed.add(readEffectAddress(address).branch);
    return withLogOf(rows, executed, logged).map((row) => {
      const site = row.seq === null ? undefined : host.sites.get(addressOfEffect(row.branch, row.seq));
      return site === undefined ? row : { ...row, site: site.site };
    });
  }

  /** @param kept what the new run does not do again, if it does not start anew */
  async #begin(
    { writer, version, found, how }: BeginRerun,
    kept: RetainedRows | undefined,
    decisions: readonly DoubtDecision[] = [],
  ): Promise<Rerun> {
    const { runs, waits, store, claim } = this.#parts;
    const { rows, inDoubt, failed = [] } = kept ?? { rows: [], inDoubt: [] };
    const { row } = found;
    const id = newRunHex(Date.now());
    const wish = wishOf(found, how);
    const taken = wish === undefined ? undefined : await claim(writer, wish, id);
    if (taken !== undefined) return rerunBefore(taken, how);
    const n = writer.newRun(id);
    const before = readExtra(row.extra);
    // The run that it repeats may itself have repeated one of several first calls with a key of its own.
    const own = Object.keys(before.keys ?? {}).filter((address) => inDoubt.includes(anyFirstCall(address)));
    const keys = new Map([...inDoubt, ...own].map((address) => [address, keyOfCall(row.id, address, before)]));
    for (const address of failed) keys.set(address, keyOfCall(id, address, {}));
    const extra: RunExtra = {
      rerunOf: row.id,
      ...(wish === undefined ? {} : { key: wish.key }),
      ...(before.timezone === undefined ? {} : { timezone: before.timezone }),
      ...(inDoubt.length === 0 ? {} : { keys: Object.fromEntries(keys) }),
      ...(decisions.length === 0 ? {} : { decisions }),
    };
    let written = writer.write(['run', n, id, version.v, storedStates.running, null, row.request, null, JSON.stringify(extra)]);
    for (const [pos, kept] of rows.entries()) written = writer.write(entryWrite(n, { ...kept, pos }));
    const takenUp = async (): Promise<Rerun> => {
      await writer.durable(written);
      if (kept !== undefined) await store.client.shared.readdressMessages(successorsOf(rows, row.id, id));
      const live = await runs.takeUp({ writer, n, id });
      if (live === undefined) throw new Error(`The run ${toRunId(id)} is not in the store.`);
      return waits.started(live);
    };
    const started = await waits.whileUsable(takenUp());
    if (started === undefined) throw new Error('The store cannot be written. The new run may start later.');
    return started;
  }
}

/** The reason why there is nothing to repeat. */
function lossOf({ row }: FoundRun): string | undefined {
  if (row.isDamaged === true) return 'The record of this run is damaged, so it cannot be rerun.';
  return readExtra(row.extra).erased === undefined ? undefined : 'The data of this run was erased, so it cannot be rerun.';
}

/** A rerun that nothing stands against. */
interface BeginRerun {
  readonly writer: RunWriter;
  readonly version: OwnVersion;
  readonly found: FoundRun;
  readonly how: RerunRequest;
}

/** The claim of a rerun, so that no other process does the same: the run, or else its key alone. With a space, which no key of a request has. */
function wishOf(
  { row, workflow: scope }: FoundRun,
  { from, workflow, again, done, onlyFirst = false, key }: RerunRequest,
): KeyWish | undefined {
  if (!onlyFirst && key === undefined) return undefined;
  const name = onlyFirst ? `rerun ${row.id}` : `rerun ${row.id} ${key}`;
  return { scope, key: name, bodies: [canonicalJson({ from, workflow, again, done, key })], onlyAsks: false };
}

const hasRerun = (run: string): Rerun => ({
  kind: 'not possible',
  problem: `The run has been rerun already: ${run}.`,
  hasOne: true,
});

/** The answer if another rerun has the claim. */
function rerunBefore(taken: Started, { key, onlyFirst = false }: RerunRequest): Rerun {
  if (taken.kind === 'known') {
    if (key !== undefined || !onlyFirst) return { kind: 'known', run: taken.run };
    return hasRerun(taken.run);
  }
  if (taken.kind === 'other request') {
    if (onlyFirst) return hasRerun(taken.run);
    return { kind: 'not possible', problem: 'This Idempotency-Key was used before with another body.' };
  }
  return { kind: 'not possible', problem: 'The store cannot be used at the moment.' };
}

const hasFailed = ({ row: { state } }: FoundRun): boolean => state === storedStates.error || state === storedStates.cancelled;

/** Describes the fault that ended a text before it reached everything that is recorded. */
const faultOf = ({ line, message, publicMessage = message }: RunError): string =>
  `It fails earlier${line === undefined ? '' : `, in line ${line}`}: ${publicMessage}`;

// Finds the calls in doubt of a run that failed or was cancelled: calls `at most once` that their services may or may not have received. A
// rerun from the failure needs a decision on each: to send it again, or to take a given result instead.

/** The process of this call had ended before it recorded the answer. */
const INTERRUPTED = 'WF632';

interface Doubtful {
  /** The request that was about to be sent. */
  readonly intent: EntryRow;
  readonly shown: CallInDoubt;
}

/** The rows that a rerun from the failure keeps, and the calls in doubt. */
interface FailedRows extends RetainedRows {
  readonly doubtful: readonly Doubtful[];
}

/** @param rows everything recorded of a run that failed or was cancelled */
function failedRows(rows: readonly EntryRow[], found: FoundRun, sites: Sites): FailedRows {
  const kept = rowsBeforeFailure(rows, readOutcome(found.row.outcome).error, sites);
  return { ...kept, doubtful: doubtfulCalls(rows, kept.rows, found, sites) };
}

function doubtfulCalls(rows: readonly EntryRow[], kept: readonly EntryRow[], found: FoundRun, sites: Sites): Doubtful[] {
  const intents = new Map<string, EntryRow>();
  const results = new Map<string, EntryRow>();
  const ends = new Map<string, number>();
  for (const row of withoutOpenWaits(rows)) {
    if (row.seq === null) continue;
    const address = addressOfEffect(row.branch, row.seq);
    ends.set(row.branch, Math.max(row.seq, ends.get(row.branch) ?? 0));
    if (row.kind === entryKinds.call) results.set(address, row);
    if (row.kind !== entryKinds.intent) continue;
    intents.set(address, row);
    results.delete(address);
  }
  if (intents.size === 0) return [];
  const ended = endedEffects(kept);
  const isKept = new Set(kept.map(({ pos }) => pos));
  const places = new CallSites(sites, rows, { root: '', branch: '' });
  return [...intents].flatMap(([address, intent]) => {
    if (isBranchOver(intent.branch, ended)) return [];
    const row = results.get(address);
    const result = row === undefined ? undefined : bodyOf(row).r;
    // A failure that the workflow has handled stays what it was.
    const isLast = ends.get(intent.branch) === intent.seq && intent.branch !== '' && result?.code === INTERRUPTED;
    if (row !== undefined && !(isUnknown(result) && (!isKept.has(row.pos) || isLast))) return [];
    return [{ intent, shown: shownCall(intent, result, places, found) }];
  });
}

// A recorded failure has the fields that this reads.
const isUnknown = (result: RecordedResult | undefined): boolean =>
  result?.ok === false && isInDoubt(result as Parameters<typeof isInDoubt>[0]);

function shownCall(intent: EntryRow, result: RecordedResult | undefined, places: CallSites, found: FoundRun): CallInDoubt {
  const { line = 0, workflow, calledLine } = places.placeOf(intent) ?? {};
  const { service, phrase } = places.siteOf(intent) ?? {};
  return {
    line,
    ...(workflow === undefined || calledLine === undefined ? {} : { workflow, calledLine }),
    ...(service === undefined ? {} : { service }),
    ...(phrase === undefined ? {} : { phrase }),
    sentAt: isoOf(intent.at),
    reason: result?.cause ?? reasonOf(found),
  };
}

/** The reason why a call has no result at all. */
function reasonOf({ row: { state, outcome } }: FoundRun): string {
  const { error } = readOutcome(outcome);
  if (state === storedStates.cancelled) return 'the run was cancelled while this call was under way';
  if (error?.code === 'WF690') return 'the time of the run was up while this call was under way';
  if (error?.line === undefined) return 'the run ended while this call was under way';
  return `line ${error.line} failed and ended the run while this call was under way`;
}

type Decided =
  | { readonly ok: true; readonly kept: RetainedRows; readonly decisions: readonly DoubtDecision[] }
  | { readonly ok: false; readonly calls: readonly CallInDoubt[] }
  | { readonly ok: false; readonly problem: string };

/** Applies what someone has decided. @param how with one decision for each of the calls, by their lines */
function decide({ doubtful, ...kept }: FailedRows, { again = [], done = [], by }: RerunRequest): Decided {
  const results = [...done];
  const undecided: CallInDoubt[] = [];
  const decisions: DoubtDecision[] = [];
  const used = new Set<number>();
  const inDoubt = [...kept.inDoubt];
  let { rows } = kept;
  const at = Date.now();
  for (const { intent, shown } of doubtful) {
    const { line } = shown;
    const index = results.findIndex((one) => one.line === line);
    const [result] = index < 0 ? [] : results.splice(index, 1);
    if (result === undefined && !again.includes(line)) {
      undecided.push(shown);
      continue;
    }
    used.add(line);
    decisions.push({
      line,
      decision: result === undefined ? 'again' : 'done',
      at: isoOf(at),
      ...(by === undefined ? {} : { by }),
    });
    rows = rows.filter((row) => !isAtPlaceOf(row, intent));
    if (result === undefined) inDoubt.push(keyAddress(intent.branch, intent.seq ?? 0));
    else rows = [...rows, resultRow(intent, result.result, at)];
  }
  const wrong = [...again, ...done.map(({ line }) => line)].find((line) => !used.has(line)) ?? results[0]?.line;
  if (wrong !== undefined) return { ok: false, problem: notInDoubt(wrong, doubtful, used.has(wrong)) };
  if (undecided.length > 0) return { ok: false, calls: undecided };
  return { ok: true, kept: { ...kept, rows, inDoubt: [...new Set(inDoubt)] }, decisions };
}

const isAtPlaceOf = (row: EntryRow, { branch, seq }: EntryRow): boolean =>
  row.branch === branch && row.seq === seq && row.kind !== entryKinds.log;

/** The call as it would have been recorded with this result. */
function resultRow({ branch, seq, site }: EntryRow, value: Value, at: number): EntryRow {
  const body: AttemptBody = { r: { ok: true, value }, shown: {} };
  return { pos: 0, branch, seq, part: partOf.attempt(1), kind: entryKinds.call, site, at, ms: 0, body: JSON.stringify(body) };
}

function notInDoubt(line: number, doubtful: readonly Doubtful[], isUsed: boolean): string {
  const lines = [...new Set(doubtful.map(({ shown }) => shown.line))];
  if (isUsed) return `There are more results for line ${line} than calls of it that are in doubt.`;
  if (lines.length === 0) return `No call of this run is in doubt, so there is nothing to decide in line ${line}.`;
  return `No call in line ${line} is in doubt. In doubt: line ${lines.join(', line ')}.`;
}
