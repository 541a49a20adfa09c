// A port for a server that must be told its port before it starts.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems hand out on their own, so that nothing else takes it meanwhile. */
const [LOWEST, HIGHEST] = [15_000, 32_000];

/** A free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue; // in use
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
