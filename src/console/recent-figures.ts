// The figures of a store, counted once a second at most, because every open page requests them after each change; those of 30 days once a
// minute.
import type { DurableEngine } from '../durable/durable-engine.js';

const FRESH_MS = 1_000;

export function createRecentFigures(store: Pick<DurableEngine, 'stats'>, now: () => number): DurableEngine['stats'] {
  let last: { readonly at: number; readonly figures: ReturnType<DurableEngine['stats']> } | undefined;
  return (since) => {
    if (last === undefined || now() - last.at > FRESH_MS) {
      const figures = store.stats(since);
      last = { at: now(), figures };
      // After an error, count again.
      figures.catch(() => {
        last = undefined;
      });
    }
    return last.figures;
  };
}

const FRESH_TREND_MS = 60_000;

export function createRecentTrends(store: Pick<DurableEngine, 'trends'>, now: () => number): DurableEngine['trends'] {
  let last: { readonly at: number; readonly trends: ReturnType<DurableEngine['trends']> } | undefined;
  return () => {
    if (last === undefined || now() - last.at > FRESH_TREND_MS) {
      const trends = store.trends();
      last = { at: now(), trends };
      trends.catch(() => {
        last = undefined;
      });
    }
    return last.trends;
  };
}
