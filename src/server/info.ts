// `GET /`: lists what is served.
import type { RouteTable } from './route-table.js';

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
