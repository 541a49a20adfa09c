// Makes the parts of the OpenAPI document: answers, refusals and references to schemas, and the schemas of declared inputs.
import type { FieldKind, InputField, NumberKind, TextKind, ValueLimits } from '../../../runtime/inputs/input-types.js';
import type { Value } from '../../../runtime/types.js';

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
  415: 'The body is neither JSON nor a form, or it is compressed.',
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

/** The declared inputs as a JSON Schema (2020-12, which OpenAPI 3.1 uses). It accepts exactly what the server accepts. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** The schema of a record with these fields. Other fields are allowed: they don't reach the workflow. */
export function recordSchema(fields: readonly InputField[]): JsonObject {
  const required = fields
    .filter(({ optional, otherwise }) => optional !== true && otherwise === undefined)
    .map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    // Own fields, whatever their names.
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
  };
}

function fieldSchema({ kind, optional, otherwise }: InputField): JsonObject {
  const schema = kindSchema(kind);
  if (optional !== true && otherwise === undefined) return schema;
  const empty = [{ type: 'null' }, ...(isText(kind) ? [{ const: '' }] : [])];
  return { anyOf: [schema, ...empty], ...(otherwise === undefined ? {} : { default: asJson(otherwise) }) };
}

const isText = ({ is }: FieldKind): boolean =>
  is === 'text' || is === 'date' || is === 'time' || is === 'email address' || is === 'choice';

/** Defaults are fixed values of the file, so they are JSON already. */
const asJson = (value: Value): Json => JSON.parse(JSON.stringify(value ?? null));

function kindSchema(kind: FieldKind): JsonObject {
  switch (kind.is) {
    case 'text':
      return textSchema(kind);
    case 'number':
    case 'whole number':
      return { type: kind.is === 'number' ? 'number' : 'integer', ...numberLimits(kind) };
    case 'date':
      return { type: 'string', format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$', ...described('a date', kind) };
    case 'time':
      return {
        type: 'string',
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:?\\d{2})?$',
        examples: ['2026-03-31T09:30:00Z', '2026-03-31T09:30'],
        ...described('a date and time in ISO 8601, with or without an offset', kind),
      };
    case 'yes or no':
      return { type: 'boolean' };
    case 'email address':
      return { type: 'string', format: 'email', maxLength: 254 };
    case 'choice':
      return { enum: kind.values };
    case 'record':
      return recordSchema(kind.fields);
    case 'list':
      return {
        type: 'array',
        items: kindSchema(kind.of),
        ...(kind.least === undefined ? {} : { minItems: kind.least }),
        ...(kind.most === undefined ? {} : { maxItems: kind.most }),
      };
    case 'anything':
      return { not: { type: 'null' } };
  }
}

/** A required text must not be empty. */
const textSchema = ({ least = 1, most, like }: TextKind): JsonObject => ({
  type: 'string',
  minLength: Math.max(1, least),
  ...(most === undefined ? {} : { maxLength: most }),
  ...(like === undefined ? {} : { pattern: patternOf(like) }),
});

const numberLimits = ({ from, to, above, below }: NumberKind): JsonObject => ({
  ...(from === undefined ? {} : { minimum: from }),
  ...(to === undefined ? {} : { maximum: to }),
  ...(above === undefined ? {} : { exclusiveMinimum: above }),
  ...(below === undefined ? {} : { exclusiveMaximum: below }),
});

/** JSON Schema has no limits for dates, so they are in the description. */
function described(what: string, { from, to, above, below }: ValueLimits<string>): JsonObject {
  const limits = Object.entries({ 'on or after': from, 'on or before': to, after: above, before: below });
  const words = limits.flatMap(([word, limit]) => (limit === undefined ? [] : [`${word} ${limit}`]));
  return {
    description: [what.charAt(0).toUpperCase() + what.slice(1), ...(words.length === 0 ? [] : [words.join(' and ')])].join(' '),
  };
}

const signs: Readonly<Record<string, string>> = { '#': '[0-9]', '@': '\\p{L}', '?': '[^]', '*': '[^]*' };

/** A pattern of `is like` as a regular expression of ECMA-262 with the flag `u`. */
const patternOf = (like: string): string =>
  `^${like.replace(/[#@?*]|[\\^$.+()[\]{}|/]/g, (sign) => signs[sign] ?? `\\${sign}`)}$`;
