// Keeps what pages read from the store again and again, for a moment or for as long as it can't change: the history of a run, what it did
// line by line, and figures. Also counts the runs that reached each line of a workflow.
import { DAY_MS } from '../../../runtime/dates/date-unit.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import { isFinished, type LineCounts, type Retraced, type RoundOfLoop, type RunDetail } from '../../durable/model/run-views.js';
import { type Round, RunHistory } from '../../durable/views/run-history.js';
import type { LineValues } from '../../explain/values-beside.js';
import type { ServedWorkflow } from '../console-options.js';
import type { ConsoleRequest } from '../http/console-request.js';

/** Time limit for reading before a partial page is sent. */
const PATIENCE_MS = 120;
/** Histories that are cached: unfinished runs are viewed again and again. */
const MOST_HISTORIES = 6;

export type LoadHistory = (id: string) => Promise<RunHistory | undefined>;

export function createLoadHistory(
  store: Pick<DurableEngine, 'journal'>,
  clock: () => number = () => performance.now(),
): LoadHistory {
  const kept = new Map<string, RunHistory>();
  const reading = new Map<string, Promise<RunHistory | undefined>>();

  const read = async (id: string): Promise<RunHistory | undefined> => {
    const history = kept.get(id) ?? new RunHistory();
    const until = clock() + PATIENCE_MS;
    for (const from of [...history.open]) {
      const journal = await store.journal(id, { from, limit: 1 });
      history.feed(journal?.entries ?? []);
    }
    for (let from: number | undefined = history.next; from !== undefined; ) {
      const journal = await store.journal(id, { from });
      if (journal === undefined) return undefined;
      history.feed(journal.entries);
      from = journal.next;
      history.isWhole = from === undefined;
      if (clock() > until) break;
    }
    kept.delete(id);
    kept.set(id, history);
    const [oldest] = kept.keys();
    if (kept.size > MOST_HISTORIES && oldest !== undefined) kept.delete(oldest);
    return history;
  };

  return (id) => {
    const underWay = reading.get(id) ?? read(id).finally(() => reading.delete(id));
    reading.set(id, underWay);
    return underWay;
  };
}

export type ValuesBeside = ReadonlyMap<number, LineValues>;

interface RunTrace {
  readonly traced: Retraced;
  /** The values beside its lines, unless it has too many effects. */
  readonly values?: ValuesBeside;
}

/** `undefined`: there is no such run. */
export type LoadTrace = (
  run: Pick<RunDetail, 'run' | 'status' | 'effects'>,
  rounds: readonly Round[],
) => Promise<RunTrace | undefined>;

/** Runs with more effects than this are shown without the values of their lines: noting them takes too long for a page. */
const MOST_FOR_VALUES = 5_000;

const MOST_TRACES = 20;

export function createLoadTrace(store: Pick<DurableEngine, 'recall' | 'retrace'>): LoadTrace {
  const kept = new Map<string, Promise<RunTrace | undefined>>();

  const read: LoadTrace = async ({ run, effects }, rounds) => {
    const only = rounds.map(({ line, round }): RoundOfLoop => [line, round]);
    const recalled = effects > MOST_FOR_VALUES ? undefined : await store.recall(run);
    let traced: Retraced | undefined;
    if (recalled !== undefined) {
      const { valuesBeside } = await import('../../explain/values-beside.js');
      const execute: typeof recalled.execute = async (request, options) => {
        const executed = await recalled.execute(request, { ...options, only });
        traced = executed.traced;
        return executed;
      };
      const values = await valuesBeside({ ...recalled, execute }, only);
      if (traced !== undefined) return { traced, values };
    }
    traced = await store.retrace(run, only);
    return traced === undefined ? undefined : { traced };
  };

  return (run, rounds) => {
    if (!isFinished(run.status)) return read(run, rounds);
    const key = JSON.stringify([run.run, rounds]);
    const trace = kept.get(key) ?? read(run, rounds);
    kept.delete(key);
    kept.set(key, trace);
    trace.catch(() => kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > MOST_TRACES && oldest !== undefined) kept.delete(oldest);
    return trace;
  };
}

/** Reads again once the last result is older than this, or if reading failed. */
function recent<Asked extends unknown[], Result>(
  read: (...asked: Asked) => Promise<Result>,
  freshMs: number,
  now: () => number,
): (...asked: Asked) => Promise<Result> {
  let last: { readonly at: number; readonly result: Promise<Result> } | undefined;
  return (...asked) => {
    if (last === undefined || now() - last.at > freshMs) {
      const result = read(...asked);
      last = { at: now(), result };
      result.catch(() => {
        last = undefined;
      });
    }
    return last.result;
  };
}

export const FIGURES_FRESH_MS = 1_000;

export const createRecentFigures = (store: Pick<DurableEngine, 'stats'>, now: () => number): DurableEngine['stats'] =>
  recent((since) => store.stats(since), FIGURES_FRESH_MS, now);

export const createRecentTrends = (store: Pick<DurableEngine, 'trends'>, now: () => number): DurableEngine['trends'] =>
  recent(() => store.trends(), 60_000, now);

const LATELY_MS = 30 * DAY_MS;

/**
 * Counts how often the newest runs that ended lately came to each line. It counts all versions with this text: each version of wf compiles it
 * to another module.
 */
export async function reachedLately(
  { now }: ConsoleRequest,
  { store }: { readonly store: Pick<DurableEngine, 'versionsOf' | 'text' | 'reached'> },
  { name, prepared }: ServedWorkflow,
): Promise<LineCounts> {
  const since = new Date(now - LATELY_MS).toISOString();
  const lines = new Map<number, number>();
  let runs = 0;
  for (const version of await store.versionsOf(name)) {
    if ((await store.text(version))?.text !== prepared.source) continue;
    const counted = await store.reached(version, since);
    runs += counted.runs;
    for (const [line, count] of counted.lines) lines.set(line, count + (lines.get(line) ?? 0));
  }
  return { runs, lines };
}

/** Which runs `reachedLately` has counted: of many, only the newest. */
export const newestRuns = ({ runs }: Pick<LineCounts, 'runs'>): string =>
  runs === 1 ? 'the newest run that has ended' : `the newest ${runs} runs that have ended`;
