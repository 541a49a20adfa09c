// `/metrics` with several workers: the first process adds up the counts of all of them, whichever worker is asked.
import type { Metrics } from './metrics.js';
import type { MetricsReply, Rendered } from './primary.js';

/** For the first process. */
export async function createSum(): Promise<() => Promise<Rendered>> {
  const { AggregatorRegistry } = await import('prom-client');
  const registry = new AggregatorRegistry();
  return async () => ({ type: registry.contentType, text: await registry.clusterMetrics() });
}

/** For a worker: counts its own, and renders the sum over all workers. */
export async function summed(own: Metrics): Promise<Metrics> {
  const { AggregatorRegistry } = await import('prom-client');
  // Answers the first process when it asks for this worker's counts.
  new AggregatorRegistry();
  const waiting = new Map<number, (reply: MetricsReply) => void>();
  let last = 0;
  process.on('message', (reply: MetricsReply) => {
    if (reply.type !== 'wf:metrics') return;
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  return {
    ...own,
    render: () =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, ({ rendered, problem }) => {
          if (rendered === undefined) reject(new Error(problem ?? 'The first process has no metrics.'));
          else resolve(rendered);
        });
        process.send?.({ type: 'wf:metrics', id });
      }),
  };
}
