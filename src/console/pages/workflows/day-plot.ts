// The runs of the last day as small bars, one per hour, with failures at the foot of each bar.
import type { WorkflowStats } from '../../../durable/run-views.js';
import { type Html, html } from '../../html/html.js';

const HEIGHT = 28;
const STEP = 8;

export function dayPlot({ hours, runs, failures }: Pick<WorkflowStats, 'hours' | 'runs' | 'failures'>): Html {
  const most = Math.max(1, ...hours.map((hour) => hour.runs));
  const bar = (index: number, count: number): string => {
    const height = count === 0 ? 0 : Math.max(2, Math.round((count / most) * HEIGHT));
    return height === 0 ? '' : `M${index * STEP} ${HEIGHT}v-${height}h${STEP - 2}v${height}z`;
  };
  const all = hours.map((hour, index) => bar(index, hour.runs)).join('');
  const bad = hours.map((hour, index) => bar(index, Math.min(hour.failures, hour.runs))).join('');
  return html`<svg class="plot" viewBox="0 0 ${hours.length * STEP} ${HEIGHT}" role="img" aria-label="${runs} runs in the last day, ${failures} of them failed"><path class="base" d="M0 ${HEIGHT}h${hours.length * STEP}"/><path class="all" d="${all}"/><path class="bad" d="${bad}"/></svg>`;
}
