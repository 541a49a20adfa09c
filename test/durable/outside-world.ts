// Everything that a run can reach: services, an AI, and the effects of a plugin. Answers depend only on the path and the attempt, so a run
// has the same outcome wherever it was cut. Records each request with its key, in order to judge runs.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OutsideRequest {
  readonly path: string;
  readonly key: string;
}

export class OutsideWorld {
  readonly seen: OutsideRequest[] = [];
  /** Attempts of a call that another world has already seen, by key. */
  over: ReadonlyMap<string, number> = new Map();
  /** Called for each request before it is answered. */
  onRequest: (request: OutsideRequest) => void = () => undefined;
  readonly #server: Server;

  static async start(): Promise<OutsideWorld> {
    const world = new OutsideWorld();
    await new Promise<void>((resolve) => world.#server.listen(0, '127.0.0.1', resolve));
    return world;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        const seen = { path: request.url ?? '', key: String(request.headers['idempotency-key']) };
        this.seen.push(seen);
        this.onRequest(seen);
        const attempt = (this.over.get(seen.key) ?? 0) + this.seen.filter(({ key }) => key === seen.key).length;
        response.statusCode = seen.path.startsWith('/fails/')
          ? 400
          : seen.path.startsWith('/fails-once/') && attempt === 1
            ? 503
            : 200;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answerTo(seen.path)));
      });
      request.on('error', () => undefined);
    });
  }

  get address(): string {
    // Listening on a port.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

function answerTo(path: string): unknown {
  if (!path.endsWith('/chat/completions')) return { v: path.length + Number(path.split('/').at(-1) || 0) };
  const content = JSON.stringify({ result: 'a few words', confidence: 0.75 });
  return { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }] };
}
