// The connectors of a built module that Node.js runs alone: those of the package `wf-lang`, if it is installed next to the module. A module
// without databases, mail or folders never looks for it.

import { connectedKinds } from './connected-kinds.js';
import { noConnector } from './connector-errors.js';
import type { Connectors } from './connector-types.js';

interface Closable extends Connectors {
  close(): Promise<void>;
}

/** @param moduleUrl `import.meta.url` of the module, where the search for the package begins */
export function installedConnectors(moduleUrl: string): Closable {
  let found: Promise<Closable | undefined> | undefined;
  return {
    async perform(task, cancellation) {
      found ??= find(moduleUrl);
      return (await found)?.perform(task, cancellation) ?? noConnector(connectedKinds[task.kind]);
    },
    async close() {
      await (await found)?.close();
    },
  };
}

async function find(moduleUrl: string): Promise<Closable | undefined> {
  const { createRequire } = await import('node:module');
  try {
    // Required by path rather than imported, because bundlers would try to resolve an import.
    const { createConnectors } = createRequire(moduleUrl)('wf-lang');
    return typeof createConnectors === 'function' ? createConnectors() : undefined;
  } catch {
    return undefined;
  }
}
