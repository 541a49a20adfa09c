// A server with a store, for tests of its addresses. It keeps every answer, to compare them with its OpenAPI document.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createWrongTokens } from '../../src/access/rate-limit.js';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { openStore } from '../../src/durable/open-store.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import type { AppOptions } from '../../src/server/app/create-app.js';
import { root } from '../root.js';
import { redocly } from '../server/redocly.js';
import { type Answered, post, send, startServer } from '../server/test-server.js';
import { fits } from '../testing/json-schema.js';

export interface Api {
  readonly store: DurableEngine;
  readonly url: string;
  /** A POST to a workflow, or to any other address of the server. */
  readonly post: (address: string, body?: object, headers?: Record<string, string>) => Promise<Answered>;
  readonly get: (address: string, headers?: Record<string, string>) => Promise<Answered>;
  /** Every answer so far. */
  readonly seen: readonly Seen[];
}

interface Seen {
  readonly method: 'get' | 'post';
  readonly address: string;
  readonly answer: Answered;
}

export interface Body {
  readonly [name: string]: unknown;
}
/** The record that an answer contains. */
export const body = ({ json }: Answered): Body => json as Body; // every answer is a record
/** The id of the run that answered. */
export const runOf = ({ headers }: Answered): string => headers.get('x-run-id') ?? '';

const files = path.join(root, 'test/durable/files/served');

async function workflowsIn(folder: string): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const name of readdirSync(files)) {
    cpSync(path.join(files, name), path.join(folder, name));
    const one = await prepare(name, { cwd: folder, env: { WF_CACHE: 'off', HOME: folder } });
    assert.ok(one.ok, JSON.stringify(one));
    prepared.push(one.prepared);
  }
  return prepared;
}

/** A server of the workflows in `test/durable/files/served`, with a store. */
export async function apiServer(t: TestContext, options: Partial<AppOptions> = {}, given?: DurableEngine): Promise<Api> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-api-'));
  const env = { HOME: folder };
  const store = given ?? (await openStore('runs', { env, cwd: folder }));
  if (given === undefined) await store.serve();
  // Tests of guesses have a clock of their own (test/attacks/guesses.test.ts).
  const wrongTokens = createWrongTokens({
    after: (_, done) => {
      setImmediate(done);
      return () => undefined;
    },
  });
  const server = await startServer(t, {
    workflows: await workflowsIn(folder),
    env,
    store,
    wrongTokens,
    host: '127.0.0.1',
    ...options,
  });
  t.after(async () => {
    await store.close(0);
    rmSync(folder, { recursive: true, force: true });
  });
  const seen: Seen[] = [];
  const note = (method: Seen['method'], address: string, answer: Answered): Answered => {
    seen.push({ method, address, answer });
    return answer;
  };
  return {
    store,
    seen,
    url: server.url,
    post: async (address, given = {}, headers = {}) =>
      note('post', address, await post(`${server.url}${address}`, given, headers)),
    get: async (address, headers = {}) => note('get', address, await send(`${server.url}${address}`, { headers })),
  };
}

interface Operation {
  readonly responses: Record<string, { readonly content: Record<string, { readonly schema: Record<string, unknown> }> }>;
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
}

/** Asserts that the document of the server is valid, and that it describes every answer. */
export async function checkDocument({ url, seen }: Api, headers: Record<string, string> = {}): Promise<void> {
  const { json } = await send(`${url}/openapi.json`, { headers });
  const { valid, errors } = await new Validator().validate(structuredClone(json) as Record<string, unknown>);
  assert.ok(valid, JSON.stringify(errors));
  assert.deepEqual(await redocly(JSON.stringify(json)), []);
  const document = json as Document & Record<string, unknown>; // the validator has looked at it
  let checked = 0;
  for (const { method, address, answer } of seen) {
    const [bare = ''] = address.split('?');
    const found = Object.entries(document.paths).find(([template]) =>
      new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare),
    );
    const operation = found?.[1][method];
    // A method that an address does not take, or one that is no part of the API.
    if (operation === undefined || answer.status === 405) continue;
    const schema = operation.responses[answer.status]?.content['application/json']?.schema;
    assert.ok(schema !== undefined, `${method} ${address}: ${answer.status} is not described`);
    if (!/^\/(?:runs|messages|tasks)\b/.test(bare)) continue;
    const named = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
    assert.ok(fits({ document, answer: named }, 'answer', answer.json), `${method} ${address} ${answer.status}: ${answer.text}`);
    checked += 1;
  }
  assert.ok(checked > 3, `${checked}`);
}
