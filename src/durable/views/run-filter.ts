// Reads how people filter runs: which to change, as `workflow=refund status=error since=2h`, and points in time, on the command line, over HTTP
// and in the console.
import { parseMoment } from '../../../runtime/dates/moment.js';
import { anyOf } from '../../../runtime/texts/words.js';
import { idAt, toRunHex } from '../model/run-ids.js';
import { type RunSearch, readVersionWish, type StoredRunFilter } from '../model/run-rows.js';
import { durableStatuses, type RunQuery } from '../model/run-views.js';
import { storedAs } from './show-run.js';

/** The forms that `readTimeFilter` takes, for messages. */
export const timeFilterForms =
  'a date such as 2026-03-01, a time such as 2026-03-01T09:30:00Z, or how long ago, such as 2d or 6h';

/** The names that a filter takes, with what may stand after them. */
const FORMS = {
  workflow: 'the name of a workflow',
  version: 'the number of a version, or the beginning of its hash',
  status: anyOf(durableStatuses),
  since: timeFilterForms,
  until: timeFilterForms,
  reason: 'a reason as wf runs list --by reason shows it, in double quotes',
} as const;

type FilterName = keyof typeof FORMS;

export const runFilterExample = 'workflow=refund status=error since=2h';

type ReadRunFilter =
  | { readonly ok: true; readonly query: RunQuery }
  | { readonly ok: false; readonly problem: string; readonly hint: string };

const isName = (name: string): name is FilterName => Object.hasOwn(FORMS, name);

/** A condition: a name, and a value up to the next space or in double quotes. */
const CONDITION = /^([^\s="]+)=(?:"([^"]*)"|([^\s"]*))(?:\s+|$)/;

/** @param given a text, or a record of texts. At least one condition, unless there is also a search */
export function readRunFilter(given: unknown, search: string | undefined, now: number = Date.now()): ReadRunFilter {
  const conditions = typeof given === 'string' ? split(given.trim()) : entriesOf(given);
  if ('problem' in conditions) return conditions;
  const query: Partial<Record<FilterName, string>> = {};
  for (const [name, value] of conditions) {
    if (!isName(name)) return unknown(name);
    if (query[name] !== undefined) return refuse(`The filter names ${name} twice.`, 'Name each at most once.');
    const read = readValue(name, value, now);
    if (read === undefined) return refuse(`${name} cannot be ${JSON.stringify(value)}.`, `It must be ${FORMS[name]}.`);
    query[name] = read;
  }
  if (search !== undefined && search.trim() === '') return refuse('The search is empty.', 'Leave it out, or search for a value.');
  if (conditions.length === 0 && search === undefined)
    return refuse('The filter is empty, and would take all runs.', `For example: ${runFilterExample}`);
  // The status was compared with those that there are.
  return { ok: true, query: { ...(query as RunQuery), ...(search === undefined ? {} : { q: search }) } };
}

const refuse = (problem: string, hint: string): Extract<ReadRunFilter, { ok: false }> => ({ ok: false, problem, hint });

const unknown = (name: string): ReadRunFilter =>
  refuse(
    `A filter has no ${JSON.stringify(name)}.`,
    `It takes ${Object.keys(FORMS).join(', ')}. For example: ${runFilterExample}`,
  );

type Condition = readonly [name: string, value: string];

function split(text: string): readonly Condition[] | Extract<ReadRunFilter, { ok: false }> {
  const found: Condition[] = [];
  let rest = text;
  while (rest !== '') {
    const match = CONDITION.exec(rest);
    if (match === null)
      return refuse(
        `The filter cannot be read from ${JSON.stringify(rest)} on.`,
        `For example: ${runFilterExample}, or reason="Payments: 503"`,
      );
    const [whole, name = '', quoted, plain] = match;
    found.push([name, quoted ?? plain ?? '']);
    rest = rest.slice(whole.length);
  }
  return found;
}

function entriesOf(given: unknown): readonly Condition[] | Extract<ReadRunFilter, { ok: false }> {
  if (given === undefined) return [];
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return refuse('The filter is neither a text nor an object.', `For example: "${runFilterExample}"`);
  const entries = Object.entries(given);
  const wrong = entries.find(([, value]) => typeof value !== 'string');
  return wrong === undefined ? entries : refuse(`${wrong[0]} must be a text.`, `For example: {"workflow": "refund"}`);
}

function readValue(name: FilterName, value: string, now: number): string | undefined {
  if (value === '') return undefined;
  if (name === 'since' || name === 'until') return readTimeFilter(value, now);
  if (name === 'status') return durableStatuses.find((status) => status === value);
  return value;
}

const ISO = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads a date or a time in ISO 8601, in UTC unless it has an offset, or how long ago: `30m`, `6h`, `2d`.
 *
 * @returns UTC with milliseconds, the format that stores compare, or `undefined` if it is none of these
 */
export function readTimeFilter(text: string, now: number = Date.now()): string | undefined {
  const [, amount, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return new Date(now - Number(amount) * (UNIT_MS[unit] ?? 0)).toISOString();
  // `Date.parse` takes 2026-02-30 for 2 March.
  if (!ISO.test(text) || parseMoment(text.slice(0, 10)) === undefined) return undefined;
  const time = Date.parse(!text.includes('T') || /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

const ID_DIGITS = 32;

/** A filter as a store applies it. */
export function storedFilter({
  workflow,
  version,
  status,
  since,
  until,
  q,
  searchesOutcome = false,
  cursor,
}: RunQuery): Omit<StoredRunFilter, 'limit'> {
  const before = [until === undefined ? undefined : idAt(until), cursor === undefined ? undefined : toRunHex(cursor)];
  return {
    workflow,
    version: version === undefined ? undefined : readVersionWish(version),
    states: status === undefined ? undefined : storedAs(status),
    from: since === undefined ? undefined : idAt(since),
    before: before.filter((id) => id !== undefined).sort()[0],
    search: q === undefined ? undefined : { ...searchOf(q.trim()), searchesOutcome },
  };
}

/** A term of hexadecimal digits and hyphens may be the beginning of an id, and as well an order number. */
function searchOf(text: string): Omit<RunSearch, 'searchesOutcome'> {
  if (!/^[0-9a-f][0-9a-f-]{3,35}$/i.test(text)) return { text };
  const prefix = text.replaceAll('-', '').toLowerCase();
  return prefix.length > ID_DIGITS ? { text } : { text, ids: [prefix.padEnd(ID_DIGITS, '0'), prefix.padEnd(ID_DIGITS, 'f')] };
}
