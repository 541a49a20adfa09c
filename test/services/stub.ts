// A service over a real socket, and a workflow with one call, for most tests of calls. Answers by `METHOD /path`; a list is used in turn.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { completed, defineWorkflow, type Main } from '../../runtime/define.js';
import { call } from '../../runtime/services/call.js';
import type { CallRequest, LogEntry, Outcome, RunOptions, ServiceSpec, Value, WorkflowInfo } from '../../runtime/types.js';
import { createTransport } from '../../src/engine/transport/transport.js';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface StubAnswer {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string | Buffer;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Replaces the answer. */
  readonly raw?: (socket: Socket, response: ServerResponse) => void;
}

export type Routes = Readonly<Record<string, StubAnswer | readonly StubAnswer[]>>;

export interface Stub {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

export async function startStub(routes: Routes): Promise<Stub> {
  const seen: SeenRequest[] = [];
  const turns = new Map<string, number>();
  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    void answer(request, response);
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(parts).toString() });
    const key = `${method} ${url.split('?', 1)[0]}`;
    const found = routes[key] ?? routes[`${method} *`] ?? { status: 404, text: 'no such route' };
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    const list: readonly StubAnswer[] = Array.isArray(found) ? found : [found];
    const chosen = list[Math.min(turn, list.length - 1)] ?? {};
    if (chosen.raw !== undefined) return chosen.raw(request.socket, response);
    const payload = chosen.json === undefined ? (chosen.text ?? '') : JSON.stringify(chosen.json);
    const type = chosen.json === undefined ? 'text/plain' : 'application/json';
    response.writeHead(chosen.status ?? 200, { ...(payload.length > 0 ? { 'content-type': type } : {}), ...chosen.headers });
    response.end(payload);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server's address is an object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async close() {
      server.closeAllConnections?.();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const info: WorkflowInfo = {
  name: 'Test',
  version: 1,
  trigger: '',
  file: 'test.wf',
  env: ['STUB_URL', 'API_KEY'],
  services: [],
  requestFields: [],
  outputKeys: [],
  sites: [],
  compiler: '0.0.0',
};

/** An API at the stub. */
export const api: ServiceSpec = { name: 'Api', kind: 'api', url: [{ env: 'STUB_URL' }, '/v1'] };

/** Runs a `main` directly. */
export const runMain = (main: Main, options: RunOptions = {}, services: readonly ServiceSpec[] = []): Promise<Outcome> =>
  defineWorkflow(info, [], main, services)({}, { env: {}, ...options });

export interface CallOptions extends RunOptions {
  readonly request?: Partial<CallRequest>;
}

const location = [12, 5, 20] as const;

/** A run with one unhandled call, whose result becomes the outputs `value`, `status`, `headers`, `confidence`. */
export function callOnce(service: ServiceSpec, { request, ...options }: CallOptions = {}): Promise<Outcome> {
  return runMain(
    async (run) => {
      const verb = service.kind === 'ai' ? 'ask' : 'get';
      const result = await call(run, {
        service,
        verb,
        description: 'it',
        parameters: [],
        handled: false,
        location,
        site: 0,
        ...request,
      });
      const { value, status, headers, confidence, failure } = result;
      return completed(Object.entries({ value, status, headers, confidence, failure }).filter(([, one]) => one !== undefined));
    },
    options,
    [service],
  );
}

export interface Scene {
  readonly stub: Stub;
  /** Calls a service with the transport of the command line; `STUB_URL` is set. */
  readonly call: (service: ServiceSpec, options?: CallOptions) => Promise<Outcome>;
}

/** A stub, connections to it, and a function that closes both. */
export async function scene(routes: Routes, play: (scene: Scene) => Promise<void>): Promise<void> {
  const stub = await startStub(routes);
  const { transport, close } = createTransport();
  try {
    await play({
      stub,
      call: (service, { env, ...options } = {}) =>
        callOnce(service, { transport, ...options, env: { STUB_URL: stub.url, ...env } }),
    });
  } finally {
    await close();
    await stub.close();
  }
}

export const entriesOf = (outcome: Outcome, type: LogEntry['type']): LogEntry[] =>
  outcome.log.filter((entry) => entry.type === type);

export const resultOf = (outcome: Outcome): Value => outcome.outputs?.value;
