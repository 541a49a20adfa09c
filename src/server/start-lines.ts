// The lines that `wf serve` prints once it listens: what it serves, and how.
import { oneLine } from '../../runtime/one-line.js';
import type { Prepared } from '../engine/prepared.js';
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
  if (store === undefined) return 'Store: none. Runs that are under way are lost when this process ends.';
  if (mock) return 'Store: not used. Runs with mock services are never kept.';
  return `Store: ${withoutPassword(store)}`;
}

/** The address of a database without its password. */
const withoutPassword = (store: string): string => store.replace(/^([a-z]+:\/\/[^:@/]*):[^@/]*@/i, '$1@');
