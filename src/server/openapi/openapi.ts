// Builds the OpenAPI 3.1 document of a route table: one operation per workflow, with the outcomes of a run as schemas.
import type { WorkflowInfo } from '../../../runtime/types.js';
import { fieldsOfPath } from '../../compiler/vocabulary/field-names.js';
import { HEALTH, INFO, LIVE, OPENAPI, READY, type Route, type RouteTable } from '../workflows/route-table.js';
import { type JsonObject, json, recordSchema, ref, refusals, text } from './openapi-parts.js';
import type { StoreDocument } from './openapi-store.js';

interface OpenApiOptions {
  /** Where clients reach the server; may be a path. */
  readonly url: string;
  /** Requests need a token. */
  readonly secured: boolean;
  /** Paths and schemas that a store adds. */
  readonly store?: StoreDocument | undefined;
}

/** The document as JSON text. */
export function openApiJson(table: RouteTable, { url, secured, store }: OpenApiOptions): string {
  const unable = store === undefined ? 'The server is stopping.' : 'The server is stopping, or its store is unavailable.';
  const healthy = { 200: json('It does.', ref('Health')), ...refusals([400]) };
  const health = (operationId: string, summary: string, responses: JsonObject): JsonObject => ({
    get: { operationId, summary, security: [], responses },
  });
  const info = (operationId: string, summary: string, description: string): JsonObject => ({
    get: {
      operationId,
      summary,
      responses: { 200: json(description, { type: 'object' }), ...refusals([400, ...(secured ? [401] : []), 429]) },
    },
  });
  const unhealthy = { 503: json(unable, ref('Health')) };
  const paths: Record<string, JsonObject> = {
    [HEALTH]: health('health', 'Check whether the server accepts requests', { ...healthy, ...unhealthy }),
    [LIVE]: health('live', 'Check whether the process responds', healthy),
    [READY]: health('ready', 'Check whether to send requests here', { ...healthy, ...unhealthy }),
    [INFO]: info('info', 'List what is served', 'The served workflows.'),
    [OPENAPI]: info('openapi', 'Get this document', 'This document.'),
  };
  const ids = operationIds(table.routes.map(({ prepared }) => prepared.basename));
  for (const [index, route] of table.routes.entries()) {
    // Braces are percent-encoded in every path; here they would declare a parameter.
    paths[route.path] = { ...paths[route.path], post: operation(route, ids[index] ?? '', secured, store) };
  }
  const [only] = table.routes;
  const securitySchemes = {
    ...(secured ? { token: { type: 'http', scheme: 'bearer' } } : {}),
    ...store?.securitySchemes,
  };
  return JSON.stringify({
    openapi: '3.1.0',
    info: {
      title: table.single && only !== undefined ? only.prepared.workflow.name : 'Workflows',
      version: table.single && only !== undefined ? String(only.prepared.workflow.version) : WF_VERSION,
    },
    servers: [{ url }],
    // An empty list states explicitly that no token is needed.
    security: secured ? [{ token: [] }] : [],
    paths: { ...paths, ...store?.paths },
    components: {
      schemas: { ...schemas, ...store?.schemas },
      ...(Object.keys(securitySchemes).length === 0 ? {} : { securitySchemes }),
    },
  });
}

function operation(
  { prepared: { workflow } }: Route,
  operationId: string,
  secured: boolean,
  store: StoreDocument | undefined,
): JsonObject {
  const isSigned = workflow.serving?.signature !== undefined;
  const schema = requestSchema(workflow);
  return {
    operationId,
    summary: workflow.name,
    description: [
      workflow.description,
      workflow.trigger === '' ? undefined : `Trigger: ${workflow.trigger}.`,
      `Version ${workflow.version}.`,
      isSigned ? `The request carries a signature of the kind \`${workflow.serving?.signature}\` instead of a token.` : undefined,
    ]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    'x-wf-trigger': workflow.trigger,
    'x-wf-version': workflow.version,
    ...(isSigned ? { security: [] } : {}),
    ...(store === undefined ? {} : { parameters: store.parameters }),
    requestBody: {
      required: needsBody(workflow),
      content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
    },
    responses: withRejection(workflow, {
      200: json('The workflow completed.', completedSchema(workflow.outputKeys)),
      ...ownAnswers(workflow),
      500: json('The run ended in an error.', { oneOf: [ref('Failed'), ref('Refused')] }),
      ...refusals([400, ...(isSigned || secured ? [401] : []), 403, 413, 415, 429, 503], {
        400: workflow.inputs === undefined ? 'The body cannot be read.' : 'The body cannot be read, or does not fit the inputs.',
        ...(isSigned ? { 401: 'The signature is missing or wrong.' } : {}),
        403: 'The token is for other workflows, or a page of another site has sent the request.',
        429: 'Too many requests, runs of this workflow, or wrong tokens. Try again after the delay in Retry-After.',
      }),
      ...store?.responses,
    }),
  };
}

/** A rejection has the status that the workflow chose, which may have another meaning as well. */
function withRejection({ serving }: WorkflowInfo, responses: Readonly<Record<number, JsonObject>>): JsonObject {
  const status = serving?.statusWhenRejected ?? 400;
  const other = responses[status];
  const rejected =
    other === undefined
      ? json('The workflow rejected the request.', ref('Rejected'))
      : {
          ...other,
          ...json(`The workflow rejected the request. Or: ${other.description}`, { oneOf: [ref('Rejected'), ref('Refused')] }),
        };
  return { ...responses, [status]: rejected };
}

/** Answers of its `complete` lines with a status or a text of their own. */
function ownAnswers({ ownAnswers: answers = [], outputKeys }: WorkflowInfo): JsonObject {
  const usual = { 'application/json': { schema: completedSchema(outputKeys) } };
  const found: Record<number, JsonObject> = {};
  for (const { status, isText } of answers) {
    const content = isText ? { 'text/plain': { schema: { type: 'string' } } } : usual;
    // The usual answer may have the same status.
    const before = found[status]?.content ?? (status === 200 ? usual : {});
    const hasBody = status !== 204 && status !== 205;
    found[status] = {
      description: 'The workflow completed.',
      ...(hasBody ? { content: { ...(before as JsonObject), ...content } } : {}),
    };
  }
  return found;
}

const completedSchema = (outputKeys: readonly string[]): JsonObject => ({
  type: 'object',
  required: ['status', 'outputs'],
  properties: {
    status: { const: 'completed' },
    outputs: { type: 'object', properties: Object.fromEntries(outputKeys.map((key) => [key, {}] as const)) },
  },
});

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
    for (const name of fieldsOfPath(path)) {
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

/** Reserved for the server's own operations. */
const own: readonly string[] = ['health', 'live', 'ready', 'info', 'openapi'];

/**
 * Returns one unique `operationId` per name, in the same order: `order-review` becomes `runOrderReview`. They contain only
 * letters and digits, which every client generator accepts. A name without any becomes `runWorkflow`. If two names collide, the
 * later one gets a number.
 */
export function operationIds(names: readonly string[]): string[] {
  const used = new Set(own);
  return names.map((name) => {
    const wanted = `run${camelCase(name) || 'Workflow'}`;
    let id = wanted;
    for (let number = 2; used.has(id); number++) id = `${wanted}${number}`;
    used.add(id);
    return id;
  });
}

/** `ünit 2` → `Unit2`. Removes accents, then everything that is not a Latin letter or a digit. */
function camelCase(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{Mark}/gu, '');
  const words = plain.match(/[A-Za-z0-9]+/g) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
