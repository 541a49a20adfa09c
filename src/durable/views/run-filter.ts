// Reads which runs to change, as people write it: `workflow=refund status=error since=2h`.
import { durableStatuses, type RunQuery } from '../model/run-views.js';
import { readTimeFilter, timeFilterForms } from './time-filter.js';

/** The names that a filter takes, with what may stand after them. */
const FORMS = {
  workflow: 'the name of a workflow',
  version: 'the number of a version, or the beginning of its hash',
  status: durableStatuses.join(', '),
  since: timeFilterForms,
  until: timeFilterForms,
  reason: 'a reason as wf runs list --by reason shows it, in double quotes',
} as const;

type FilterName = keyof typeof FORMS;

export const runFilterExample = 'workflow=refund status=error since=2h';

export type ReadRunFilter =
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
