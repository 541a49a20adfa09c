// Converts the query of `GET /runs` to a query of the store, or refuses it.

import { toRunHex } from '../../durable/run-ids.js';
import { finishedStatuses, type RunQuery } from '../../durable/run-views.js';
import { readTimeFilter, timeFilterForms } from '../../durable/time-filter.js';
import type { Refusal } from '../refusal.js';
import { badQuery } from './refusals.js';

const STATUSES: readonly string[] = ['running', 'waiting', 'stuck', ...finishedStatuses];
const NAMES: readonly string[] = ['workflow', 'status', 'since', 'until', 'parent', 'q', 'limit', 'cursor'];

export type ReadQuery = { readonly ok: true; readonly query: RunQuery } | { readonly ok: false; readonly refusal: Refusal };

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
  const status = given('status');
  if (status !== undefined && !STATUSES.includes(status)) return refuse('status', `one of ${STATUSES.join(', ')}`);
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
  const [workflow, parent, q, cursor] = [given('workflow'), given('parent'), given('q'), given('cursor')];
  if (parent !== undefined && toRunHex(parent) === undefined) return refuse('parent', 'the id of a run');
  if (cursor !== undefined && toRunHex(cursor) === undefined) return refuse('cursor', 'the "next" of an earlier page');
  return {
    ok: true,
    query: {
      ...times,
      ...(workflow === undefined ? {} : { workflow }),
      // Checked above.
      ...(status === undefined ? {} : { status: status as NonNullable<RunQuery['status']> }),
      ...(parent === undefined ? {} : { parent }),
      ...(q === undefined ? {} : { q }),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
      ...(cursor === undefined ? {} : { cursor }),
    },
  };
}
