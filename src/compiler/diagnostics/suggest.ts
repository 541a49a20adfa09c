// Suggests the word that was most likely meant, among the words valid in its place, or none.
// Every "Did you mean" of the compiler and of the command line comes from here.
import { boundedDistance } from './edit-distance.js';

/**
 * The candidate that `word` was most likely meant to be, or `undefined` if none is close: first the same letters in another case, then at
 * most a third of the letters (of the longer word) wrong, missing, added or swapped, ignoring case. Words of one or two letters are only
 * matched by case. Ties go to the longer common prefix, then to the alphabet, so the order of the candidates doesn't matter. Never suggests
 * `word` itself.
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  return search(word, candidates, { left: Number.POSITIVE_INFINITY });
}

/**
 * `closest` for the many questions of one compilation. All its calls share `work` comparisons of two words; after that, it suggests
 * nothing, so a hostile file with tens of thousands of names and faults can't hold up the check.
 */
export function createClosest(work = 5_000_000): typeof closest {
  const budget = { left: work };
  return (word, candidates) => search(word, candidates, budget);
}

function search(word: string, candidates: Iterable<string>, budget: { left: number }): string | undefined {
  if (budget.left <= 0) return undefined;
  const folded = word.toLowerCase();
  const letters = letterMask(word);
  let sameLetters: string | undefined;
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    if (--budget.left < 0) break;
    const longer = Math.max(word.length, candidate.length);
    const limit = Math.min(Math.floor(longer / 3), bestDistance);
    if (Math.abs(word.length - candidate.length) > limit) continue;
    // One wrong letter changes at most two bits of the mask, so most candidates are rejected here, unread.
    if (bitCount(letters ^ letterMask(candidate)) > 2 * limit) continue;
    if (candidate === word) continue;
    const other = candidate.toLowerCase();
    if (other === folded) {
      if (sameLetters === undefined || candidate < sameLetters) sameLetters = candidate;
      continue;
    }
    if (word.length < 3) continue;
    // The cost of filling the table, in comparisons without one.
    budget.left -= 1 + ((limit * longer) >> 2);
    const distance = boundedDistance(folded, other, limit);
    if (distance < bestDistance || (distance === bestDistance && best !== undefined && isNearer(folded, candidate, best))) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return sameLetters ?? best;
}

/** The letters of a text, one bit each (`a` and `A` share one); all letters beyond ASCII share bit 0. */
function letterMask(text: string): number {
  let mask = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    mask |= unit < 128 ? 1 << (unit & 31) : 1;
  }
  return mask;
}

function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

function isNearer(folded: string, candidate: string, best: string): boolean {
  const difference = commonBeginning(folded, candidate.toLowerCase()) - commonBeginning(folded, best.toLowerCase());
  return difference === 0 ? candidate < best : difference > 0;
}

function commonBeginning(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length++;
  return length;
}

/** Suggests a time zone for an unknown name: `berlin` and `Europ/Berlin` → Europe/Berlin. */
export function similarTimezone(name: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone');
  const place = `/${name.toLowerCase().trim().replace(/ /g, '_')}`;
  const known = zones.find((zone) => place.length > 1 && zone.toLowerCase().endsWith(place)) ?? closest(name, zones);
  // In a region that exists, another town that is only spelt alike may be far away: `Europe/Hamburg`.
  const [region, town] = name.split('/', 2);
  const isTown = town !== undefined && zones.some((zone) => zone.startsWith(`${region}/`));
  return isTown &&
    known !== undefined &&
    boundedDistance(town.toLowerCase(), (known.split('/').pop() ?? known).toLowerCase(), 2) > 2
    ? undefined
    : known;
}

/** Words that contain quotes get none around them. */
export const didYouMean = (suggestion: string): string =>
  suggestion.includes('"') ? `Did you mean ${suggestion}?` : `Did you mean "${suggestion}"?`;
