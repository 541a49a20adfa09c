// Summarizes the figures of a row for the report: medians, ratio, target, and whether it was met.
import { compare, summary } from './statistics.mjs';

/**
 * A row measured against a yardstick, round by round.
 * @param row.atMost, row.atLeast bound of the ratio
 */
export function against({ name, unit, figures, yardstick, of, atMost, atLeast, note }) {
  const { ratio, bestRatio } = compare(figures, of, atLeast !== undefined);
  const bound = atMost ?? atLeast;
  return {
    name,
    unit,
    measured: summary(figures),
    yardstick: { name: yardstick, ...summary(of) },
    ratio,
    bestRatio,
    ...(bound === undefined
      ? {}
      : {
          target: atMost === undefined ? `≥ ${bound}×` : `≤ ${bound}×`,
          met: atMost === undefined ? ratio >= bound : ratio <= bound,
        }),
    ...(note === undefined ? {} : { note }),
  };
}

/**
 * A row with an absolute bound, in its unit.
 * @param row.yardstick, row.of figures to show for comparison, if any
 */
export function absolute({ name, unit, figures, atMost, atLeast, yardstick, of, note }) {
  const measured = summary(figures);
  return {
    name,
    unit,
    measured,
    ...(of === undefined ? {} : { yardstick: { name: yardstick, ...summary(of) }, ratio: compare(figures, of).ratio }),
    ...(atMost === undefined ? {} : { target: `≤ ${show(atMost, unit)}`, met: measured.median <= atMost }),
    ...(atLeast === undefined ? {} : { target: `≥ ${show(atLeast, unit)}`, met: measured.median >= atLeast }),
    ...(note === undefined ? {} : { note }),
  };
}

const units = {
  ms: (value) => (value >= 1000 ? `${(value / 1000).toFixed(2)} s` : `${value.toFixed(value < 10 ? 2 : 1)} ms`),
  bytes: (value) => (value >= 2 ** 20 ? `${(value / 2 ** 20).toFixed(1)} MB` : `${(value / 1024).toFixed(1)} KB`),
  perSecond: (value) => `${Math.round(value)}/s`,
};

/** Formats a figure for people. */
export const show = (value, unit) => units[unit](value);
