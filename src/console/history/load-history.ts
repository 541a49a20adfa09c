// Loads the history of a run within a time limit. The rest follows on later requests.
import type { DurableEngine } from '../../durable/durable-engine.js';
import { RunHistory } from '../../durable/views/run-history.js';

/** Time limit for reading before a partial page is sent. */
const PATIENCE_MS = 120;
/** Histories that are cached: unfinished runs are viewed again and again. */
const MOST_KEPT = 6;

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
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return history;
  };

  return (id) => {
    const underWay = reading.get(id) ?? read(id).finally(() => reading.delete(id));
    reading.set(id, underWay);
    return underWay;
  };
}
