// The filter of the list of runs: the address holds all of it, and its form shows all of it.
import { DAY_MS } from '../../../../runtime/dates/date-unit.js';
import { anyOf } from '../../../../runtime/texts/words.js';
import type { DurableStatus, RunOrder, RunQuery } from '../../../durable/model/run-views.js';
import { readTimeFilter, timeFilterForms } from '../../../durable/views/run-filter.js';
import { type Html, type HtmlPart, html, shortened } from '../../html/html.js';
import { moment } from '../../html/moment.js';
import { allStatuses, isStatus, stateWord } from '../../html/state-mark.js';

export interface RunFilter {
  readonly workflow: string;
  /** The number of a version, or the beginning of its hash. */
  readonly version: string;
  readonly status: DurableStatus | '';
  /** `1h`, `24h`, `7d`, `30d`, or ISO 8601. */
  readonly since: string;
  readonly until: string;
  /** They have waited for so long, or longer. */
  readonly waiting: string;
  /** The reason for which they failed, as in `RunSummary`. */
  readonly reason: string;
  readonly q: string;
  readonly sort: RunOrder | '';
  readonly cursor: string;
}

const SINCE = [
  ['', 'Any time'],
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
] as const;

/** Ages of waiting runs, for a choice. */
export const WAITING_AGES = [
  ['1h', '1 hour'],
  ['24h', '24 hours'],
  ['3d', '3 days'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const;

const ORDERS = [
  ['', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['due', 'Due first'],
  ['longest', 'Longest first'],
] as const satisfies readonly (readonly [RunOrder | '', string])[];

const isOrder = (text: string): text is RunOrder => ORDERS.some(([value]) => value !== '' && value === text);

/** Runs per page. */
export const PAGE_SIZE = 25;
/** Maximum runs that are read for their reasons: a page takes no longer in a large store. */
const MOST_READ = 5_000;

export function readFilter(query: URLSearchParams): RunFilter {
  const text = (name: string): string => (query.get(name) ?? '').trim().slice(0, 500);
  const [status, sort] = [text('status'), text('sort')];
  const time = (name: TimeField): string => (readTimeFilter(text(name)) === undefined ? '' : text(name));
  return {
    workflow: text('workflow'),
    version: text('version'),
    status: isStatus(status) ? status : '',
    since: time('since'),
    until: time('until'),
    waiting: time('waiting'),
    reason: text('reason'),
    q: text('q'),
    sort: isOrder(sort) ? sort : '',
    cursor: text('cursor'),
  };
}

const TIMES = ['since', 'until', 'waiting'] as const;
type TimeField = (typeof TIMES)[number];

/** What the address asks for and no filter can be, with what it can be. The list is shown without it. */
export function ignoredWords(query: URLSearchParams): string[] {
  const given = (name: string): string => (query.get(name) ?? '').trim();
  const read: Readonly<Record<string, string>> = { ...readFilter(query) };
  const forms: Readonly<Record<string, string>> = {
    status: anyOf(allStatuses),
    sort: anyOf(ORDERS.flatMap(([order]) => (order === '' ? [] : [order]))),
    ...Object.fromEntries(TIMES.map((name) => [name, timeFilterForms])),
    at: 'a time of day in UTC, such as 09:00',
  };
  return Object.entries(forms)
    .filter(([name]) => given(name) !== '' && (read[name] ?? '') === '')
    .map(([name, form]) => `The list ignores ${name}=${shortened(given(name), 60)} in the address. ${name} must be ${form}.`);
}

export function toRunQuery({ workflow, version, status, reason, q, sort, cursor, ...times }: RunFilter, now: number): RunQuery {
  const [since, until, waitingSince] = [times.since, times.until, times.waiting].map((text) => readTimeFilter(text, now));
  const given = (values: Partial<RunQuery>): Partial<RunQuery> =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));
  return {
    limit: PAGE_SIZE,
    mostRead: MOST_READ,
    searchesOutcome: true,
    ...(workflow === '' ? {} : { withCalled: true }),
    // Empty fields are left out; the rest has the type of its field.
    ...given({ workflow, version, reason, q, cursor, since, until, waitingSince } as Partial<RunQuery>),
    ...(status === '' ? {} : { status }),
    ...(sort === '' ? {} : { sort }),
  };
}

export const filterQuery = (filter: Partial<RunFilter>): string =>
  new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString();

/** The address of the page with this filter. Omits what is empty. */
export function runsAddress(filter: Partial<RunFilter>): string {
  const query = filterQuery(filter);
  return query === '' ? '/console' : `/console?${query}`;
}

export const isFiltered = ({ cursor: _cursor, sort: _sort, ...filter }: RunFilter): boolean =>
  Object.values(filter).some((value) => value !== '');

type Options = readonly (readonly [value: string, words: string])[];

/** What the filter asks for. A phone shows it here alone: its form is folded. */
export function filterWords(filter: RunFilter, titles: ReadonlyMap<string, string>): Html {
  const { workflow, version, status, since, until, waiting, reason, q } = filter;
  const words = (options: Options, value: string): HtmlPart =>
    options.find(([one]) => one === value)?.[1] ?? (value.includes('T') ? moment(value) : value);
  const isUsual = SINCE.some(([value]) => value === since);
  const parts: readonly (readonly [value: string, words: HtmlPart])[] = [
    [workflow, titles.get(workflow) ?? workflow],
    [version, `version ${version}`],
    [status, status && stateWord(status)],
    [since, html`${!isUsual && 'since '}${words(SINCE, since)}`],
    [until, html`older than ${words(WAITING_AGES, until)}`],
    [waiting, html`waiting for longer than ${words(WAITING_AGES, waiting)}`],
    [reason, reason],
    [q, `“${q}”`],
  ];
  return html`${parts.filter(([value]) => value !== '').map(([, said], index) => html`${index > 0 && ' · '}<bdi>${said}</bdi>`)}`;
}

/** A value of the address that is no usual choice is one more choice, so that the form keeps it. The script shows a time in the reader's zone. */
function select(name: keyof RunFilter, label: string, options: Options, current: string): Html {
  const isUsual = options.some(([value]) => value === current);
  return html`<label>${label} <select name="${name}">${options.map(([value, words]) => html`<option value="${value}"${value === current && html` selected`}>${words}</option>`)}${!isUsual && html`<option value="${current}" selected>${name === 'since' && 'Since '}${current}</option>`}</select></label>`;
}

/** `09:00` of today, or of yesterday if that is still to come; in UTC, which the script replaces by the reader's zone. */
export function sinceTimeOfDay(text: string | null, now: number): string | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text ?? '') ?? [];
  if (hours === undefined) return undefined;
  const time = new Date(now).setUTCHours(Number(hours), Number(minutes), 0, 0);
  return new Date(time > now ? time - DAY_MS : time).toISOString();
}

/** @param names of workflows */
export function filterForm(filter: RunFilter, names: readonly string[], titles: ReadonlyMap<string, string>): Html {
  const workflows = names.map((name) => [name, titles.get(name) ?? name] as const);
  const states = allStatuses.map((status) => [status, stateWord(status)] as const);
  const hasMore = [filter.until, filter.waiting, filter.version].some((value) => value !== '');
  return html`<form class="filter" role="search" aria-label="Filter the runs" action="/console">
${select('workflow', 'Workflow', [['', 'All'], ...workflows], filter.workflow)}
${select('status', 'State', [['', 'All'], ...states], filter.status)}
${select('since', 'Time', SINCE, filter.since)}
<label>or from <input type="time" name="at"><span class="hint utc"> UTC</span></label>
${select('sort', 'Sort', ORDERS, filter.sort)}
<label class="wide">Search <input type="search" name="q" id="search" value="${filter.q}" placeholder="Run id, a value, or a message"></label>
<details class="more"${hasMore && html` open`}><summary>More</summary>
${select('until', 'Older than', [['', 'Any age'], ...WAITING_AGES], filter.until)}
${select('waiting', 'Waiting for longer than', [['', 'Any or none'], ...WAITING_AGES], filter.waiting)}
<label>Version <input name="version" value="${filter.version}" size="8" placeholder="2"></label></details>
${filter.reason !== '' && html`<label>Cause <select name="reason"><option value="${filter.reason}" selected>${filter.reason}</option><option value="">All</option></select></label>`}
<button>Filter</button>${(isFiltered(filter) || filter.sort !== '') && html` <a class="quiet" href="/console">Clear</a>`}</form>`;
}
