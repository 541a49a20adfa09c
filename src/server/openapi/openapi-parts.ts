// Makes the parts of the OpenAPI document: answers, refusals and references to schemas.
import type { JsonObject } from './input-schema.js';

export const text = { type: 'string' } as const;

/** An answer with a JSON body. */
export const json = (description: string, schema: JsonObject): JsonObject => ({
  description,
  content: { 'application/json': { schema } },
});

export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** A record with exactly these fields. */
export const exactly = (properties: JsonObject, optional: readonly string[] = []): JsonObject => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
  additionalProperties: false,
});

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The request is not valid HTTP.',
  401: 'The token is missing or wrong.',
  403: 'This address is for operators.',
  404: 'There is nothing with this id, or the key of the link is wrong.',
  409: 'The state of the run forbids it.',
  413: 'The body is too large.',
  415: 'The body is not JSON or is compressed.',
  422: 'The key was used before with another body.',
  429: 'Too many requests, or too many wrong tokens from this address. Try again after the delay in Retry-After.',
  503: 'Too many workflows are running, or the server is stopping. Try again after the delay in Retry-After.',
};

/** Statuses that say when to try again. */
const retried: ReadonlySet<number> = new Set([429, 503]);

const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } } } as const;

/** @param others descriptions of statuses that mean something else here */
export const refusals = (statuses: readonly number[], others: Readonly<Record<number, string>> = {}): JsonObject =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        ...json(others[status] ?? REFUSALS[status] ?? '', ref('Refused')),
        ...(retried.has(status) ? { headers: retryAfter } : {}),
      },
    ]),
  );
