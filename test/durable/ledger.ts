// A service that keeps an exact account of what it received, by run, place and Idempotency-Key. It judges durable runs by what arrived,
// whatever wf says it did.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly run: number;
  readonly step: number;
  readonly key: string;
  /** Milliseconds of the clock. */
  readonly at: number;
  readonly body: string;
}

export interface Verdict {
  readonly calls: number;
  /** Requests in doubt, repeated with the same key. */
  readonly repeated: number;
  /** Violations, one sentence each. */
  readonly violations: readonly string[];
}

export class Ledger {
  readonly received: Received[] = [];
  readonly #server: Server;
  /** Milliseconds that an answer takes. */
  delayMs: () => number = () => 0;
  answer: (received: Received) => unknown = ({ run, step }) => ({ v: run * 1_000 + step });
  /** Whether to answer a request with 503. */
  fails: (received: Received) => boolean = () => false;
  /** What the answer to a request waits for, besides its delay. */
  answered: (received: Received) => Promise<void> | undefined = () => undefined;
  /** Called for each request before it is answered. */
  onRequest: (received: Received) => void = () => undefined;

  static async start(): Promise<Ledger> {
    const ledger = new Ledger();
    await new Promise<void>((resolve) => ledger.#server.listen(0, '127.0.0.1', resolve));
    return ledger;
  }

  private constructor() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (data) => {
        body += data;
      });
      request.on('end', () => {
        const [, run = '', step = ''] = (request.url ?? '').split('/');
        const received = {
          run: Number(run),
          step: Number(step),
          key: String(request.headers['idempotency-key']),
          at: Date.now(),
          body,
        };
        this.received.push(received);
        this.onRequest(received);
        // A reply that never comes must not keep the tests alive.
        const reply = setTimeout(async () => {
          await this.answered(received);
          if (this.fails(received)) response.statusCode = 503;
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(this.answer(received)));
        }, this.delayMs());
        reply.unref();
      });
      request.on('error', () => undefined);
    });
  }

  get address(): string {
    // Listening on a port.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /**
   * @param steps calls of each run, numbered from 1
   * @param placeInOrder where a call stands in the sequence; calls that are made at the same time share a place
   */
  judge(runs: readonly number[], steps: number, placeInOrder = (step: number): number => step): Verdict {
    const violations: string[] = [];
    const keys = new Map<string, string>();
    const last = new Map<number, number>();
    let repeated = 0;
    const seen = new Set<string>();
    for (const { run, step, key } of this.received) {
      const place = `run ${run}, call ${step}`;
      if ((keys.get(place) ?? key) !== key) violations.push(`${place} came with two keys`);
      keys.set(place, key);
      // The next call is sent only when the result of this one is on disk.
      const order = placeInOrder(step);
      if (order < (last.get(run) ?? 0)) violations.push(`${place} was sent again after its record`);
      last.set(run, Math.max(order, last.get(run) ?? 0));
      if (seen.has(place)) repeated++;
      seen.add(place);
    }
    if (new Set(keys.values()).size !== keys.size) violations.push('two calls share a key');
    for (const run of runs) {
      for (let step = 1; step <= steps; step++)
        if (!seen.has(`run ${run}, call ${step}`)) violations.push(`run ${run}, call ${step} was lost`);
    }
    return { calls: seen.size, repeated, violations };
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
