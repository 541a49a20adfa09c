// Converts between the query of the runs page and a filter of the store. The address holds the whole filter.
import type { DurableStatus, RunQuery } from '../../../durable/run-views.js';
import { readTimeFilter } from '../../../durable/time-filter.js';
import { isStatus } from '../../html/state-mark.js';

export interface RunFilter {
  readonly workflow: string;
  readonly status: DurableStatus | '';
  /** `1h`, `24h`, `7d`, `30d`, or ISO 8601. */
  readonly since: string;
  readonly until: string;
  readonly q: string;
  readonly cursor: string;
}

export const TIMES = [
  ['', 'Any time'],
  ['1h', 'Last hour'],
  ['24h', 'Last day'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
] as const;

/** Runs per page. */
export const PAGE_SIZE = 40;

export function readFilter(query: URLSearchParams): RunFilter {
  const text = (name: string): string => (query.get(name) ?? '').trim().slice(0, 500);
  const status = text('status');
  return {
    ...{ workflow: text('workflow'), status: isStatus(status) ? status : '', since: text('since'), until: text('until') },
    ...{ q: text('q'), cursor: text('cursor') },
  };
}

export function toRunQuery(filter: RunFilter, now: number): RunQuery {
  const since = readTimeFilter(filter.since, now);
  const until = readTimeFilter(filter.until, now);
  return {
    limit: PAGE_SIZE,
    ...(filter.workflow === '' ? {} : { workflow: filter.workflow }),
    ...(filter.status === '' ? {} : { status: filter.status }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(filter.q === '' ? {} : { q: filter.q }),
    ...(filter.cursor === '' ? {} : { cursor: filter.cursor }),
  };
}

/** The address of the page with this filter. Omits what is empty. */
export function runsAddress(filter: Partial<RunFilter>): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== '')).toString();
  return query === '' ? '/console' : `/console?${query}`;
}

export const isFiltered = ({ cursor: _cursor, ...filter }: RunFilter): boolean =>
  Object.values(filter).some((value) => value !== '');
