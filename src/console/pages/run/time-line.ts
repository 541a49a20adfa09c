// The effects of a run to scale: one lane per line that did something outside. The number of marks per lane is limited.
import { type Effect, isShown } from '../../../durable/history/effect.js';
import type { LineHistory, RunHistory } from '../../../durable/history/run-history.js';
import { type Html, html, nothing } from '../../html/html.js';
import { durationWords } from '../../html/moment.js';
import { describe } from './effect-summary.js';

/** Horizontal units. Marks that would touch become one. */
const WIDTH = 1000;
const NARROWEST = 3;
const MOST_LANES = 14;

export interface TimeLineOptions {
  readonly history: RunHistory;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
}

export function timeLine({ history, start, end }: TimeLineOptions): Html {
  const lines = [...history.byLine([], end)]
    .map(([line, { effects }]) => ({ line, effects: effects.filter(isShown) }))
    .filter(({ effects }) => effects.length > 0)
    .sort((one, other) => one.line - other.line);
  const span = end - start;
  if (lines.length === 0 || !(span > 0)) return nothing;
  const shown = lines.slice(0, MOST_LANES);
  const rest = lines.length - shown.length;
  return html`<section id="times" class="times" aria-labelledby="times-name" data-v="${history.next}.${span}"><h2 id="times-name">Time</h2>
<ol>${shown.map(({ line, effects }) => lane(line, effects, start, span))}</ol>
${rest > 0 && html`<p class="hint">and ${rest} more lines</p>`}<p class="scale hint"><span>0</span><span>${durationWords(span / 2)}</span><span>${durationWords(span)}</span></p></section>`;
}

function lane(line: number, effects: LineHistory['effects'], start: number, span: number): Html {
  const [first] = effects;
  const total = effects.reduce((sum, effect) => sum + (effect.finishedAt ?? start + span) - effect.startedAt, 0);
  const words = effects.length === 1 ? durationWords(total) : `${effects.length}×, ${durationWords(total)}`;
  const good = marks(
    effects.filter(({ ok, finishedAt }) => ok !== false && finishedAt !== undefined),
    start,
    span,
  );
  const bad = marks(
    effects.filter(({ ok }) => ok === false),
    start,
    span,
    5,
  );
  const open = marks(
    effects.filter(({ finishedAt }) => finishedAt === undefined),
    start,
    span,
  );
  return html`<li><a href="#L${line}">${line}</a> <span class="name">${first !== undefined && describe(first)}</span>
<svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true"><path class="ok" d="${good}"/><path class="bad" d="${bad}"/><path class="open" d="${open}"/></svg> <span class="hint">${words}</span></li>`;
}

/** Rectangles as one path; touching ones are merged. Failures are half as high, so that successes at the same time remain visible. */
function marks(effects: readonly Effect[], start: number, span: number, top = 0): string {
  const scale = (at: number): number => Math.round(((at - start) / span) * WIDTH);
  const ranges = effects
    .map(({ startedAt, finishedAt }) => {
      const from = Math.min(Math.max(scale(startedAt), 0), WIDTH - NARROWEST);
      return { from, to: Math.min(Math.max(scale(finishedAt ?? start + span), from + NARROWEST), WIDTH) };
    })
    .sort((one, other) => one.from - other.from);
  const merged: { from: number; to: number }[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && range.from <= last.to) last.to = Math.max(last.to, range.to);
    else merged.push({ ...range });
  }
  return merged.map(({ from, to }) => `M${from} ${top}h${to - from}V10h-${to - from}z`).join('');
}
