// `GET /openapi.json`: a valid OpenAPI 3.1 document that describes the actual interface.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { operationIds } from '../../src/server/openapi/openapi.js';
import { echo } from './fake-workflow.js';
import { redocly } from './redocly.js';
import { send, startServer } from './test-server.js';

const review = echo('order review', {
  name: 'Order Review',
  version: 3,
  trigger: 'when an order comes in',
  description: 'Looks at orders.',
  requestFields: ['constructor', 'customer', 'customer.email', 'items.0.price', 'total'],
  outputKeys: ['id', 'ok'],
});

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly responses: Record<string, { readonly content: Record<string, { readonly schema: Record<string, unknown> }> }>;
  readonly requestBody: { readonly content: Record<string, { readonly schema: unknown }> };
  readonly [key: string]: unknown;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly security?: unknown;
  readonly components: { readonly securitySchemes?: unknown };
}

for (const single of [false, true]) {
  test(`the document of a ${single ? 'single file' : 'folder'} is valid`, async (t) => {
    const token = single ? undefined : 'token-of-the-test';
    const { url } = await startServer(t, { workflows: single ? [review] : [review, echo('{b}'), echo('plain')], single, token });
    if (token !== undefined) assert.equal((await send(`${url}/openapi.json`)).status, 401);
    const { json } = await send(
      `${url}/openapi.json`,
      token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
    );
    const { valid, errors } = await new Validator().validate(structuredClone(json) as Record<string, unknown>);
    assert.ok(valid, JSON.stringify(errors));
    const document = json as Document;
    assert.equal(document.openapi, '3.1.0');
    const post = document.paths[single ? '/' : '/order%20review']?.post;
    assert.ok(post);
    assert.equal(post.summary, 'Order Review');
    assert.match(post.description, /Looks at orders[\s\S]*when an order comes in[\s\S]*Version 3/);
    assert.equal(post['x-wf-version'], 3);
    assert.deepEqual(post.requestBody.content['application/json']?.schema, {
      type: 'object',
      properties: {
        constructor: {},
        customer: { properties: { email: {} } },
        items: { properties: { 0: { properties: { price: {} } } } },
        total: {},
      },
    });
    assert.deepEqual(Object.keys(post.responses), [
      '200',
      '400',
      ...(single ? [] : ['401']),
      '403',
      '413',
      '415',
      '429',
      '500',
      '503',
    ]);
    assert.deepEqual(document.security, single ? [] : [{ token: [] }]);
    assert.deepEqual(document.components.securitySchemes, single ? undefined : { token: { type: 'http', scheme: 'bearer' } });
    assert.deepEqual(await redocly(JSON.stringify(json)), []);
    const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    assert.equal(new Set(ids).size, ids.length);
  });
}

test('a workflow is described with the rejection, the signature and the limits that it has', async (t) => {
  const serving = { signature: 'github', secrets: ['SECRET'], statusWhenRejected: 422 };
  const { url } = await startServer(t, { workflows: [review, echo('push', { serving })], token: 'token-of-the-test' });
  const { json } = await send(`${url}/openapi.json`, { headers: { authorization: 'Bearer token-of-the-test' } });
  const { paths } = json as Document;
  const [usual, signed] = [paths['/order%20review']?.post, paths['/push']?.post];
  assert.ok(usual !== undefined && signed !== undefined);
  assert.equal(usual.security, undefined);
  assert.deepEqual(signed.security, []);
  const refusal = (of: Operation, status: string) => of.responses[status]?.content['application/json']?.schema;
  const [ref, both] = [
    (name: string) => ({ $ref: `#/components/schemas/${name}` }),
    (...names: string[]) => ({ oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) }),
  ];
  assert.deepEqual([refusal(usual, '400'), refusal(usual, '422')], [both('Rejected', 'Refused'), undefined]);
  assert.deepEqual([refusal(signed, '400'), refusal(signed, '422')], [ref('Refused'), ref('Rejected')]);
  assert.deepEqual([refusal(usual, '403'), refusal(usual, '429')], [ref('Refused'), ref('Refused')]);
  assert.deepEqual(Object.keys(usual.requestBody.content), ['application/json', 'application/x-www-form-urlencoded']);
  assert.deepEqual(
    ['/health', '/health/live', '/health/ready'].map((path) => Object.keys(paths[path]?.get?.responses ?? {})),
    [
      ['200', '400', '503'],
      ['200', '400'],
      ['200', '400', '503'],
    ],
  );
});

test('operation ids are letters and digits, and all different', () => {
  assert.deepEqual(
    operationIds(['order-review', 'order review', 'ünit 2', 'Łódź', '名前', 'お', '2nd', 'a_b.c', 'order-review2', '']),
    [
      'runOrderReview',
      'runOrderReview2',
      'runUnit2',
      'runOdz',
      'runWorkflow',
      'runWorkflow2',
      'run2nd',
      'runABC',
      'runOrderReview22',
      'runWorkflow3',
    ],
  );
});
