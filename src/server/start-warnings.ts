// Warnings at startup about settings that may not be what the operator meant.
import { durationText } from '../../runtime/duration-text.js';
import type { Prepared } from '../engine/prepared.js';
import { storeWarning } from '../engine/store-warning.js';
import { runLimit } from './run-workflow.js';
import type { Settings } from './settings.js';

/** `127.0.0.0/8`, `::1` and `localhost` can't be reached from other machines. */
const thisMachine = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/i;

export function startWarnings(
  { host, token, operatorToken, limits, store, mock }: Settings,
  workflows: readonly Prepared[],
): string[] {
  const warnings: string[] = [];
  if (token === undefined && !thisMachine.test(host)) {
    warnings.push(
      'Warning: anyone who can reach this machine can start these workflows, because no token is set and the server listens beyond this machine ' +
        `(${host}). Set WF_AUTH_TOKEN, or remove --host and WF_HOST to serve this machine only.`,
    );
  }
  if (token !== undefined && token === operatorToken)
    warnings.push(
      'Warning: callers and operators have the same token, so every caller is an operator. Set two different tokens.',
    );
  // With a store, runs may wait as long as they like; with mock services, nothing waits.
  if (store !== undefined) return warnings;
  const unkept = mock ? [] : workflows;
  return [
    ...warnings,
    ...workflows.flatMap((prepared) => limitWarnings(prepared, limits.timeoutMs)),
    ...unkept.flatMap((prepared) => storeWarning(prepared) ?? []),
  ];
}

function limitWarnings({ file, workflow: { timeoutMs, longestWaitMs = 0 } }: Prepared, serverMs: number | undefined): string[] {
  const none = Number.POSITIVE_INFINITY;
  const limitMs = Math.min(runLimit(timeoutMs, serverMs) || none, timeoutMs ?? none);
  const isCut = serverMs !== undefined && timeoutMs !== undefined && timeoutMs > limitMs;
  if (isCut)
    return [
      `Warning: the timeout of ${file} is ${durationText(timeoutMs)}, but --timeout ends its runs after ${durationText(limitMs)}.`,
    ];
  if (longestWaitMs <= limitMs) return [];
  const remedy = serverMs === undefined ? 'Give the file a "timeout:" in config:, or set --timeout.' : 'Set a longer --timeout.';
  return [`Warning: ${file} waits ${durationText(longestWaitMs)}, but its runs end after ${durationText(limitMs)}. ${remedy}`];
}
