// Opens the store of a server, with what its workflows need; `undefined` for a server without one.
import type { DurableEngine } from '../durable/durable-engine.js';
import type { Prepared } from '../engine/prepared.js';
import type { RunServerOptions } from './run-server.js';
import { runLimit } from './run-workflow.js';
import { ownAddress } from './start-lines.js';

/** @param current the workflow now served under this name, for runs that are restarted with its current text */
export async function openServedStore(
  { settings, env, cwd, mock, metrics, err }: Pick<RunServerOptions, 'settings' | 'env' | 'cwd' | 'mock' | 'metrics' | 'err'>,
  current: (name: string) => Prepared | undefined,
): Promise<DurableEngine | undefined> {
  // Mock runs are never stored.
  if (settings.store === undefined || mock !== false) return undefined;
  const { openStore } = await import('../durable/open-store.js');
  return openStore(settings.store, {
    env,
    cwd,
    current,
    observer: metrics,
    keepMs: settings.keepMs,
    publicUrl: settings.publicUrl ?? ownAddress(settings, settings.port),
    secrets: [settings.token, settings.operatorToken].filter((secret) => secret !== undefined),
    limitOf: (workflowMs) => runLimit(workflowMs, settings.limits.timeoutMs),
    onProblem: (sentence) => err.line(sentence),
  });
}
