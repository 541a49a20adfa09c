// Calls a database, a mail server or a folder through the runtime and the real connectors, in a temporary folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CallRequest, Outcome, ServiceSpec } from '../../runtime/types.js';
import { createConnectors } from '../../src/connectors/connectors.js';
import { type CallOptions, callOnce } from '../services/stub.js';

export interface ConnectedScene {
  readonly folder: string;
  readonly call: (service: ServiceSpec, request: Partial<CallRequest>, options?: CallOptions) => Promise<Outcome>;
}

export async function connectedScene(play: (scene: ConnectedScene) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-connected-'));
  const connectors = createConnectors();
  try {
    await play({
      folder,
      call: (service, request, options = {}) => callOnce(service, { connectors, folder, request, ...options }),
    });
  } finally {
    await connectors.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
