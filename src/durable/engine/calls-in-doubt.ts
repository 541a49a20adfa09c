// Finds the calls in doubt of a run that failed or was cancelled: calls `at most once` that their services may or may not have received. A
// rerun from the failure needs a decision on each: to send it again, or to take a given result instead.
import { isInDoubt } from '../../../runtime/services/call-errors.js';
import type { Value } from '../../../runtime/types.js';
import type { CallInDoubt, RerunRequest } from '../durable-engine.js';
import { addressOfEffect, isBranchOver, keyAddress } from '../model/addresses.js';
import { CallSites, type Sites } from '../model/call-places.js';
import {
  type AttemptBody,
  bodyOf,
  type EntryRow,
  endedEffects,
  entryKinds,
  isoOf,
  type RecordedResult,
} from '../model/entries.js';
import type { FoundRun } from '../model/run-rows.js';
import { storedStates } from '../model/run-rows.js';
import type { DoubtDecision } from '../model/run-views.js';
import { readOutcome } from '../model/stored-run.js';
import { type RetainedRows, rowsBeforeFailure, withoutOpenWaits } from './rerun-cut.js';

/** The process of this call had ended before it recorded the answer. */
const INTERRUPTED = 'WF632';

interface Doubtful {
  /** The request that was about to be sent. */
  readonly intent: EntryRow;
  readonly shown: CallInDoubt;
}

/** The rows that a rerun from the failure keeps, and the calls in doubt. */
export interface FailedRows extends RetainedRows {
  readonly doubtful: readonly Doubtful[];
}

/** @param rows everything recorded of a run that failed or was cancelled */
export function failedRows(rows: readonly EntryRow[], found: FoundRun, sites: Sites): FailedRows {
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

/** Why a call has no result at all. */
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
export function decide({ doubtful, ...kept }: FailedRows, { again = [], done = [], by }: RerunRequest): Decided {
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
  return { pos: 0, branch, seq, part: 2, kind: entryKinds.call, site, at, ms: 0, body: JSON.stringify(body) };
}

function notInDoubt(line: number, doubtful: readonly Doubtful[], isUsed: boolean): string {
  const lines = [...new Set(doubtful.map(({ shown }) => shown.line))];
  if (isUsed) return `There are more results for line ${line} than calls of it that are in doubt.`;
  if (lines.length === 0) return `No call of this run is in doubt, so there is nothing to decide in line ${line}.`;
  return `No call in line ${line} is in doubt. In doubt: line ${lines.join(', line ')}.`;
}
