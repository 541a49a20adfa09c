// Rounds go in, medians and how far they may be trusted come out. A machine that others use as well makes single rounds slow, never fast:
// besides the median of the ratios, each taken within one round, there is the ratio of the fastest rounds.

/** The value below which this share of the list lies. */
export function quantile(list, share) {
  const sorted = [...list].sort((one, other) => one - other);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (list) => quantile(list, 0.5);

/** `noise`: half of the middle half's width, as a share of the median. */
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

/** @param more true where a larger value is the better one */
export function compare(measured, yardstick, more = false) {
  const best = more ? Math.max : Math.min;
  return {
    ratio: median(measured.map((value, round) => value / yardstick[round])),
    bestRatio: best(...measured) / best(...yardstick),
  };
}

/** Measures the subjects one after the other, round by round, each round in another order. Gives a list of figures for each name. */
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
