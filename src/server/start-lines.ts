// Prints what a server serves once it listens, and warns about settings that may not be what the operator meant.
import { durationText } from '../../runtime/dates/date-unit.js';
import type { Environment } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import { shownStore } from '../durable/open-store.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import { storeWarnings } from '../engine/shared-options.js';
import { timetableOf } from '../timetable/timetable-of.js';
import type { Settings } from './settings.js';
import { runLimit } from './workflows/post.js';
import { createRouteTable } from './workflows/route-table.js';

/** One line each, without line breaks. */
export function startLines(workflows: readonly Prepared[], single: boolean, settings: Settings, port: number): string[] {
  const { routes } = createRouteTable(workflows, single);
  const width = Math.max(...routes.map(({ path }) => path.length));
  const served = routes.map(
    ({ path, prepared: { workflow } }) => `  POST ${path.padEnd(width)}   ${workflow.name} v${workflow.version}`,
  );
  const anywhere = listensEverywhere(settings);
  const lines = [
    `Listening on ${ownAddress(settings, port)}${anywhere ? ' (all addresses of this machine)' : ''}`,
    ...served,
    `Token: ${settings.token === undefined && settings.tokens === undefined ? 'none needed' : 'required'}`,
    `CORS: ${settings.corsOrigin === undefined ? 'off' : settings.corsOrigin === '*' ? 'all origins' : settings.corsOrigin}`,
  ];
  lines.push(storeLine(settings));
  lines.push(...scheduleLines(workflows, settings));
  if (settings.console)
    lines.push(
      `Console: ${ownAddress(settings, port)}/console${settings.oidc === undefined ? '' : `; people sign in with ${settings.oidc.issuer}`}`,
    );
  if (settings.mock) lines.push('Services: mock; nothing leaves this machine');
  if (settings.workers > 1) lines.push(`Workers: ${settings.workers}`);
  if (settings.watch) lines.push('Watching for changes');
  return lines.map(oneLine);
}

const listensEverywhere = ({ host }: Settings): boolean => host === '0.0.0.0' || host === '::';

/** The server's address on this machine, without a trailing slash. */
export function ownAddress(settings: Settings, port: number): string {
  const { host } = settings;
  return `http://${listensEverywhere(settings) ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

function storeLine({ store, mock }: Settings): string {
  if (store === undefined) return 'Store: none. Runs in progress are lost when this process ends.';
  if (mock) return 'Store: not used. Runs with mock services are never kept.';
  return `Store: ${shownStore(store)}`;
}

/** When scheduled workflows are due or, if this server does not run schedules, how to change that. */
function scheduleLines(workflows: readonly Prepared[], { schedules }: Settings): string[] {
  const due = workflows.flatMap((prepared) => {
    const timetable = prepared.workflow.schedule === undefined ? undefined : timetableOf(prepared.workflow);
    return timetable === undefined ? [] : [{ prepared, timetable }];
  });
  if (due.length === 0) return schedules ? ['Schedules: none. No workflow here has a "schedule:" in its config:.'] : [];
  if (!schedules)
    return [`Schedules: off. To run ${due.map(({ prepared }) => prepared.basename).join(', ')} when due, add --schedules.`];
  const width = Math.max(...due.map(({ prepared }) => prepared.basename.length));
  const now = Date.now();
  return [
    'Schedules:',
    ...due.map(
      ({ prepared, timetable: { words, zone, next } }) =>
        `  ${prepared.basename.padEnd(width)}   ${words}; next at ${zone.show(next(now) ?? now)}`,
    ),
  ];
}

/** `127.0.0.0/8`, `::1` and `localhost` can't be reached from other machines. */
const thisMachine = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/i;

export function startWarnings(
  { host, token, tokens, operatorToken, limits, store, mock }: Settings,
  workflows: readonly Prepared[],
  env: Environment,
): string[] {
  const warnings: string[] = [];
  if (token === undefined && tokens === undefined && !thisMachine.test(host)) {
    warnings.push(
      'Warning: anyone who can reach this machine can start these workflows, because no token is set and the server listens beyond this machine ' +
        `(${host}). Set WF_AUTH_TOKEN, or remove --host and WF_HOST to serve this machine only.`,
    );
  }
  if (token !== undefined && token === operatorToken)
    warnings.push(
      'Warning: callers and operators have the same token, so every caller is an operator. Set two different tokens.',
    );
  warnings.push(...workflows.flatMap((prepared) => secretWarning(prepared, env) ?? []));
  // With a store, runs may wait as long as they like; with mock services, nothing waits.
  if (store !== undefined) return warnings;
  const unkept = mock ? [] : workflows;
  return [
    ...warnings,
    ...workflows.flatMap((prepared) => limitWarnings(prepared, limits.timeoutMs)),
    ...unkept.flatMap(storeWarnings),
    ...unkept.flatMap(acceptedWarning),
  ];
}

function secretWarning({ file, workflow: { serving } }: Prepared, env: Environment): string | undefined {
  if (serving?.signature === undefined || serving.secrets?.some((name) => env[name]?.trim())) return undefined;
  return `Warning: ${file} refuses all webhooks, because ${serving.secrets?.join(' and ')} is not set: it is the secret that ${serving.signature} signs with.`;
}

function acceptedWarning({ file, workflow: { serving } }: Prepared): string[] {
  if (serving?.isAccepted !== true) return [];
  return [
    `Warning: ${file} says "answer: accepted", but there is no store: clients wait until their runs have ended. Add --store <folder>.`,
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
