// The lines that `wf serve` prints once it listens: what it serves, and how.
import { oneLine } from '../../runtime/one-line.js';
import { shownStore } from '../durable/shown-store.js';
import type { Prepared } from '../engine/prepared.js';
import { timetableOf } from '../timetable/timetable-of.js';
import { createRouteTable } from './route-table.js';
import type { Settings } from './settings.js';

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
    `Token: ${settings.token === undefined ? 'none needed' : 'required'}`,
    `CORS: ${settings.corsOrigin === undefined ? 'off' : settings.corsOrigin === '*' ? 'all origins' : settings.corsOrigin}`,
  ];
  lines.push(storeLine(settings));
  lines.push(...scheduleLines(workflows, settings));
  if (settings.console) lines.push(`Console: ${ownAddress(settings, port)}/console`);
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
