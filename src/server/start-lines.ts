// What is served and how goes in, the lines that `wf serve` prints once it listens come out (`behaviour.md` 4).
import { oneLine } from '../../runtime/one-line.js';
import type { Prepared } from '../engine/prepared.js';
import { createRouteTable } from './route-table.js';
import type { Settings } from './settings.js';

/** One line each, without line ends. */
export function startLines(workflows: readonly Prepared[], single: boolean, settings: Settings, port: number): string[] {
  const { routes } = createRouteTable(workflows, single);
  const width = Math.max(...routes.map(({ path }) => path.length));
  const served = routes.map(
    ({ path, prepared: { workflow } }) => `  POST ${path.padEnd(width)}   ${workflow.name} v${workflow.version}`,
  );
  const anywhere = settings.host === '0.0.0.0' || settings.host === '::';
  const host = anywhere ? 'localhost' : settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  const lines = [
    `Listening on http://${host}:${port}${anywhere ? ' (every address of this machine)' : ''}`,
    ...served,
    `Token: ${settings.token === undefined ? 'none; whoever reaches this address may start runs' : 'required'}`,
    `CORS: ${settings.corsOrigin === undefined ? 'off' : settings.corsOrigin === '*' ? 'every origin' : settings.corsOrigin}`,
  ];
  if (settings.mock) lines.push('Services: mock; nothing leaves this machine');
  if (settings.workers > 1) lines.push(`Workers: ${settings.workers}`);
  if (settings.watch) lines.push('Watching for changes');
  return lines.map(oneLine);
}
