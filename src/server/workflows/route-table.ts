// Maps paths to prepared workflows and lists them. Paths are compared exactly as sent, so a file name never acts as a pattern.
import type { Prepared } from '../../engine/prepare/prepared.js';

export interface Route {
  /** Percent-encoded, as clients send it. */
  readonly path: string;
  readonly prepared: Prepared;
}

export interface RouteTable {
  /** One workflow at `/` instead of each at `/<basename>`. */
  readonly single: boolean;
  /** Sorted by path. */
  readonly routes: readonly Route[];
  /** The workflow that a POST to this path starts. */
  find(path: string): Route | undefined;
}

export const HEALTH = '/health';
/** Whether the process responds, whatever its store does: a restart would not help. */
export const LIVE = '/health/live';
/** Whether requests should be sent here. */
export const READY = '/health/ready';
export const INFO = '/';
export const OPENAPI = '/openapi.json';
export const METRICS = '/metrics';

/** Base names that would collide with one of the server's own paths. Reserved even if the option that adds the path is off. */
export const reservedNames: readonly string[] = [HEALTH, OPENAPI, METRICS].map((path) => path.slice(1));

/** Reserved names of a server with a store, which also serves runs, messages, tasks and the console. */
export const reservedWithStore: readonly string[] = [...reservedNames, 'runs', 'messages', 'tasks', 'console'];

export function createRouteTable(workflows: readonly Prepared[], single: boolean): RouteTable {
  const routes = workflows
    .map((prepared) => ({ path: single ? INFO : routePath(prepared.basename), prepared }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const byPath = new Map(routes.map((route) => [route.path, route]));
  return { single, routes, find: (path) => byPath.get(path) };
}

/** `/` and the base name as a single URL segment (RFC 3986, 3.3). */
export const routePath = (basename: string): string => `/${encodeURIComponent(basename)}`;

/** The info of a single workflow, or the list for a folder. */
export function infoJson({ single, routes }: RouteTable): string {
  const [first] = routes;
  if (single && first !== undefined) {
    const { name, version, trigger } = first.prepared.workflow;
    return JSON.stringify({ name, version, trigger });
  }
  const workflows = routes.map(({ path, prepared: { workflow } }) => ({
    name: workflow.name,
    route: path,
    trigger: workflow.trigger,
    version: workflow.version,
  }));
  return JSON.stringify({ workflows });
}
