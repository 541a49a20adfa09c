// Reads the query and the headers of requests for runs: filters, `Prefer` (RFC 7240) and `Idempotency-Key`.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { toRunHex } from '../../durable/model/run-ids.js';
import { durableStatuses, type RunQuery } from '../../durable/model/run-views.js';
import { readTimeFilter, timeFilterForms } from '../../durable/views/run-filter.js';
import type { Refusal } from '../app/refusal.js';
import { badQuery } from './refusals.js';

const NAMES: readonly string[] = [
  'workflow',
  'version',
  'status',
  'since',
  'until',
  'parent',
  'q',
  'search',
  'reason',
  'by',
  'limit',
  'cursor',
];

type ReadQuery =
  | { readonly ok: true; readonly query: RunQuery; readonly by: 'reason' | undefined }
  | { readonly ok: false; readonly refusal: Refusal };

/** The parameters of a request target: what follows the first `?`. */
export function parametersOf(target = ''): URLSearchParams {
  const at = target.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : target.slice(at + 1));
}

/** The key of a task's link, if the address has one. */
export const linkKeyOf = (target: string | undefined): string | undefined => parametersOf(target).get('key') ?? undefined;

export function readRunQuery(parameters: URLSearchParams): ReadQuery {
  const refuse = (name: string, expected: string): ReadQuery => ({ ok: false, refusal: badQuery(name, expected) });
  for (const name of parameters.keys()) {
    if (!NAMES.includes(name)) return refuse(name, `left out: this address takes ${NAMES.join(', ')}`);
    if (parameters.getAll(name).length > 1) return refuse(name, 'given once');
  }
  // A form sends empty fields, too.
  const given = (name: string): string | undefined => parameters.get(name) || undefined;
  const status = durableStatuses.find((known) => known === given('status'));
  if (status === undefined && given('status') !== undefined) return refuse('status', `one of ${durableStatuses.join(', ')}`);
  const limit = given('limit');
  if (limit !== undefined && !/^(?:[1-9]\d?|100)$/.test(limit)) return refuse('limit', 'a whole number from 1 to 100');
  const times: { since?: string; until?: string } = {};
  for (const name of ['since', 'until'] as const) {
    const text = given(name);
    if (text === undefined) continue;
    const moment = readTimeFilter(text);
    if (moment === undefined) return refuse(name, timeFilterForms);
    times[name] = moment;
  }
  const [workflow, version, parent, reason, cursor] = (['workflow', 'version', 'parent', 'reason', 'cursor'] as const).map(given);
  if (given('q') !== undefined && given('search') !== undefined)
    return refuse('search', 'left out beside q, which means the same');
  const q = given('q') ?? given('search');
  const by = given('by');
  if (by !== undefined && by !== 'reason') return refuse('by', '"reason"');
  if (by !== undefined && parent !== undefined) return refuse('by', 'left out: called workflows are not grouped');
  if (parent !== undefined && toRunHex(parent) === undefined) return refuse('parent', 'the id of a run');
  if (cursor !== undefined && toRunHex(cursor) === undefined) return refuse('cursor', 'the "next" of an earlier page');
  return {
    ok: true,
    by,
    query: {
      ...times,
      ...(workflow === undefined ? {} : { workflow }),
      ...(version === undefined ? {} : { version }),
      ...(status === undefined ? {} : { status }),
      ...(parent === undefined ? {} : { parent }),
      ...(q === undefined ? {} : { q }),
      ...(reason === undefined ? {} : { reason }),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
      ...(cursor === undefined ? {} : { cursor }),
    },
  };
}

export interface Preference {
  /** Answer 202 as soon as the run is on disk. */
  readonly respondAsync: boolean;
  /** Milliseconds that the client waits for the outcome; absent if it does not say. */
  readonly waitMs: number | undefined;
}

/** The longest wait that a client may ask for, in seconds. */
const LONGEST_WAIT = 60;

const none: Preference = { respondAsync: false, waitMs: undefined };

/** Ignores unknown preferences and invalid values, as the RFC requires. */
export function readPreference({ prefer }: IncomingHttpHeaders): Preference {
  if (prefer === undefined) return none;
  let respondAsync = false;
  let waitMs: number | undefined;
  for (const part of String(prefer).split(',')) {
    const [name = '', value = ''] = (part.split(';', 1)[0] ?? '').split('=', 2).map((text) => text.trim());
    if (name.toLowerCase() === 'respond-async') respondAsync = true;
    if (name.toLowerCase() !== 'wait' || waitMs !== undefined) continue;
    const seconds = /^"?(\d{1,9})"?$/.exec(value)?.[1];
    if (seconds !== undefined) waitMs = Math.min(Number(seconds), LONGEST_WAIT) * 1000;
  }
  return { respondAsync, waitMs };
}

type ReadKey = { readonly ok: true; readonly key: string | undefined } | { readonly ok: false };

/** 1 to 255 visible ASCII characters. A repeated header is malformed: Node.js joins the two with a comma and a space. */
export function readIdempotencyKey({ headers }: IncomingMessage, name = 'idempotency-key'): ReadKey {
  const given = headers[name];
  if (given === undefined) return { ok: true, key: undefined };
  return typeof given === 'string' && /^[\x21-\x7e]{1,255}$/.test(given) ? { ok: true, key: given } : { ok: false };
}
