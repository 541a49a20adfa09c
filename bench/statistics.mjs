// Medians, and how far to trust them. A shared machine slows single rounds down but never speeds one up. So besides the median of the
// ratios within a round, there is the ratio of the fastest rounds.

/** The value below which this share of the list lies. */
export function quantile(list, share) {
  const sorted = [...list].sort((one, other) => one - other);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (list) => quantile(list, 0.5);

/** `noise`: half the interquartile range, as a share of the median. */
export function summary(list) {
  const middle = median(list);
  return {
    median: middle,
    min: Math.min(...list),
    max: Math.max(...list),
    noise: (quantile(list, 0.75) - quantile(list, 0.25)) / 2 / middle,
    rounds: list.length,
  };
}

/** @param more whether larger values are better */
export function compare(measured, yardstick, more = false) {
  const best = more ? Math.max : Math.min;
  return {
    ratio: median(measured.map((value, round) => value / yardstick[round])),
    bestRatio: best(...measured) / best(...yardstick),
  };
}

/** Measures the subjects in turn, round by round, in a different order each time. Returns a list of figures per name. */
export async function interleave(subjects, rounds) {
  const names = Object.keys(subjects);
  const figures = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let index = 0; index < names.length; index++) {
      const name = names[(index + round) % names.length];
      figures[name].push(await subjects[name](round));
    }
  }
  return figures;
}
