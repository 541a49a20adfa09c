// What a run did, line by line: from executing it once more against its records. That of finished runs is kept, because pages are loaded again
// and again.
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { Retraced, RoundOfLoop } from '../../durable/model/journal-views.js';
import { isFinished, type RunDetail } from '../../durable/model/run-views.js';
import type { Round } from '../../durable/views/run-history.js';
import type { LineValues } from '../../explain/values-beside.js';

export type ValuesBeside = ReadonlyMap<number, LineValues>;

export interface RunTrace {
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

const MOST_KEPT = 20;

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
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return trace;
  };
}
