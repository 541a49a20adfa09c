// `GET /` (`service.md` 2.4): what is served, as clients see it.
import type { RouteTable } from './route-table.js';

/** One workflow's own info, or the list of a folder. */
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
