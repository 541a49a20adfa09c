// The OpenAPI 3.1 document of a route table: one operation per workflow, with the outcomes of a run as schemas.
import type { WorkflowInfo } from '../../runtime/types.js';
import { type JsonObject, recordSchema } from './input-schema.js';
import { operationIds } from './operation-id.js';
import { HEALTH, INFO, OPENAPI, type Route, type RouteTable } from './route-table.js';

export interface OpenApiOptions {
  /** Requests need a token. */
  readonly secured: boolean;
}

/** The document as JSON text. */
export function openApiJson(table: RouteTable, { secured }: OpenApiOptions): string {
  const paths: Record<string, JsonObject> = {
    [HEALTH]: {
      get: {
        operationId: 'health',
        summary: 'Check whether the server accepts requests',
        security: [],
        responses: {
          200: json('The server accepts requests.', ref('Health')),
          503: json('The server is stopping.', ref('Health')),
          ...refusals([400]),
        },
      },
    },
    [INFO]: {
      get: {
        operationId: 'info',
        summary: 'List what is served',
        responses: { 200: json('The served workflows.', { type: 'object' }), ...refusals(secured ? [400, 401] : [400]) },
      },
    },
    [OPENAPI]: {
      get: {
        operationId: 'openapi',
        summary: 'Get this document',
        responses: { 200: json('This document.', { type: 'object' }), ...refusals(secured ? [400, 401] : [400]) },
      },
    },
  };
  const ids = operationIds(table.routes.map(({ prepared }) => prepared.basename));
  for (const [index, route] of table.routes.entries()) {
    // Braces are percent-encoded in every path; here they would declare a parameter.
    paths[route.path] = { ...paths[route.path], post: operation(route, ids[index] ?? '', secured) };
  }
  const [only] = table.routes;
  return JSON.stringify({
    openapi: '3.1.0',
    info: {
      title: table.single && only !== undefined ? only.prepared.workflow.name : 'Workflows',
      version: table.single && only !== undefined ? String(only.prepared.workflow.version) : WF_VERSION,
    },
    servers: [{ url: '/' }],
    // An empty list states explicitly that no token is needed.
    security: secured ? [{ token: [] }] : [],
    paths,
    components: { schemas, ...(secured ? { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } } : {}) },
  });
}

function operation({ prepared: { workflow } }: Route, operationId: string, secured: boolean): JsonObject {
  const outputs = workflow.outputKeys.map((key) => [key, {}] as const);
  return {
    operationId,
    summary: workflow.name,
    description: [
      workflow.description,
      workflow.trigger === '' ? undefined : `Trigger: ${workflow.trigger}.`,
      `Version ${workflow.version}.`,
    ]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    'x-wf-trigger': workflow.trigger,
    'x-wf-version': workflow.version,
    requestBody: { required: needsBody(workflow), content: { 'application/json': { schema: requestSchema(workflow) } } },
    responses: {
      200: json('The workflow completed.', {
        type: 'object',
        required: ['status', 'outputs'],
        properties: { status: { const: 'completed' }, outputs: { type: 'object', properties: Object.fromEntries(outputs) } },
      }),
      400: json(
        workflow.inputs === undefined
          ? 'The workflow rejected the request, or the body is not a JSON object.'
          : 'The workflow rejected the request, or the body does not fit its inputs.',
        { oneOf: [ref('Rejected'), ref('Refused')] },
      ),
      500: json('The run ended in an error.', { oneOf: [ref('Failed'), ref('Refused')] }),
      ...refusals([...(secured ? [401] : []), 413, 415, 503]),
    },
  };
}

interface Fields {
  readonly [name: string]: Fields;
}

const needsBody = ({ inputs }: WorkflowInfo): boolean =>
  inputs?.some(({ optional, otherwise }) => optional !== true && otherwise === undefined) === true;

/**
 * The declared inputs. Without any, the fields that the workflow reads from its request: all are optional and of any type, because the
 * file says no more about them.
 */
function requestSchema({ inputs, requestFields }: WorkflowInfo): JsonObject {
  if (inputs !== undefined) return recordSchema(inputs);
  const fields: Record<string, Fields> = Object.create(null);
  for (const path of requestFields) {
    let at: Record<string, Fields> = fields;
    for (const name of path.split('.')) {
      const below: Record<string, Fields> = at[name] ?? Object.create(null);
      at[name] = below;
      at = below;
    }
  }
  return { type: 'object', ...fieldsSchema(fields) };
}

const fieldsSchema = (fields: Fields): JsonObject => {
  const entries = Object.entries(fields);
  return entries.length === 0
    ? {}
    : { properties: Object.fromEntries(entries.map(([name, below]) => [name, fieldsSchema(below)])) };
};

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP.',
  401: 'The token is missing or wrong.',
  413: 'The body is too large.',
  415: 'The body is not JSON or is compressed.',
  503: 'Too many workflows are running, or the server is stopping. Try again after the delay in Retry-After.',
};

const refusals = (statuses: readonly number[]): JsonObject =>
  Object.fromEntries(statuses.map((status) => [status, json(REFUSALS[status] ?? '', ref('Refused'))]));

function json(description: string, schema: JsonObject): JsonObject {
  return { description, content: { 'application/json': { schema } } };
}

const ref = (name: keyof typeof schemas): JsonObject => ({ $ref: `#/components/schemas/${name}` });

const text = { type: 'string' } as const;

/** Schema of a run that did not complete. */
const ended = (status: string): JsonObject => ({
  type: 'object',
  required: ['status', 'message'],
  properties: { status: { const: status }, message: text },
});

const schemas = {
  Rejected: ended('rejected'),
  Failed: ended('error'),
  Refused: {
    type: 'object',
    required: ['error', 'hint'],
    properties: {
      error: text,
      hint: text,
      problems: {
        type: 'array',
        items: { type: 'object', required: ['field', 'problem'], properties: { field: text, problem: text } },
      },
    },
  },
  Health: { type: 'object', required: ['status'], properties: { status: { enum: ['ok', 'stopping'] } } },
} satisfies Record<string, JsonObject>;
