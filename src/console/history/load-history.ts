// A run's id in, its history out, as far as it can be read without keeping anybody waiting: the rest follows at the next look.
import type { DurableEngine } from '../../durable/durable-engine.js';
import { RunHistory } from './run-history.js';

/** Time for reading before a page is sent without the rest. */
const PATIENCE_MS = 120;
/** Histories that are kept: those that are looked at again and again while their runs go on. */
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
