// The runs of the last 30 days as a strip: one bar for each day, failures at its foot, with the figures of 7 and of 30 days in words.
import type { DayFigures, Trend } from '../../../durable/model/run-views.js';
import { type Html, html, nothing } from '../../html/html.js';
import { durationWords } from '../../html/moment.js';

const HEIGHT = 30;
const STEP = 10;

/** @param workflow its name in addresses; `undefined` for all */
export function trendStrip(trend: Trend | undefined, workflow: string | undefined): Html {
  if (trend === undefined || trend.month.runs === 0) return nothing;
  const { days, week, month } = trend;
  const most = Math.max(1, ...days.map(({ runs }) => runs));
  const bar = (index: number, count: number): string => {
    const height = count === 0 ? 0 : Math.max(2, Math.round((count / most) * HEIGHT));
    return height === 0 ? '' : `M${index * STEP} ${HEIGHT}v-${height}h${STEP - 2}v${height}z`;
  };
  const path = (of: (day: { readonly runs: number; readonly failures: number }) => number): string =>
    days.map((day, index) => bar(index, of(day))).join('');
  const width = days.length * STEP;
  return html`<section class="trend" aria-label="The last 30 days"><svg class="plot" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Runs of each of the last ${days.length} days, at most ${most}"><rect class="week" x="${width - 7 * STEP}" width="${7 * STEP}" height="${HEIGHT}"/><path class="base" d="M0 ${HEIGHT}h${width}"/><path class="all" d="${path(({ runs }) => runs)}"/><path class="bad" d="${path(({ failures }) => failures)}"/></svg>
<p class="hint">${inWords('7 days', '7d', week, workflow)}<br>${inWords('30 days', '30d', month, workflow)}</p></section>`;
}

function inWords(
  name: string,
  since: string,
  { runs, failures, medianMs, p95Ms }: DayFigures,
  workflow: string | undefined,
): Html {
  const of = workflow === undefined ? '' : `workflow=${encodeURIComponent(workflow)}&`;
  return html`${name}: <a href="/console?${of}since=${since}">${runs} run${runs === 1 ? '' : 's'}</a>${failures > 0 && html`, <a href="/console?${of}since=${since}&status=error">${failures} failed</a>`}${medianMs !== undefined && `, median ${durationWords(medianMs)}`}${p95Ms !== undefined && `, 95% within ${durationWords(p95Ms)}`}`;
}
