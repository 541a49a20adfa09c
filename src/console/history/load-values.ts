// The values beside the lines of a run. Those of finished runs are kept, because pages are loaded again and again.
import type { DurableEngine } from '../../durable/durable-engine.js';
import { isFinished, type RunDetail } from '../../durable/model/run-views.js';
import type { Round } from '../../durable/views/run-history.js';
import type { LineValues } from '../../explain/values-beside.js';

export type ValuesBeside = ReadonlyMap<number, LineValues>;

export type LoadValues = (run: Pick<RunDetail, 'run' | 'status'>, rounds: readonly Round[]) => Promise<ValuesBeside>;

const MOST_KEPT = 20;

export function createLoadValues(store: Pick<DurableEngine, 'recall'>): LoadValues {
  const kept = new Map<string, Promise<ValuesBeside>>();

  const read = async (id: string, rounds: readonly Round[]): Promise<ValuesBeside> => {
    const recalled = await store.recall(id);
    if (recalled === undefined) return new Map();
    const { valuesBeside } = await import('../../explain/values-beside.js');
    return valuesBeside(
      recalled,
      rounds.map(({ line, round }) => [line, round] as const),
    );
  };

  return ({ run, status }, rounds) => {
    if (!isFinished(status)) return read(run, rounds);
    const key = JSON.stringify([run, rounds]);
    const values = kept.get(key) ?? read(run, rounds);
    kept.delete(key);
    kept.set(key, values);
    values.catch(() => kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return values;
  };
}
