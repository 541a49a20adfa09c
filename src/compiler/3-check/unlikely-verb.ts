// The first word of a call determines how it is sent. A misspelt verb, or a synonym of one, would silently make the call a POST.
import { methodOf, verbs } from '../../../runtime/services/verbs.js';
import { boundedDistance } from '../diagnostics/edit-distance.js';

const known: readonly string[] = Object.values(verbs).flat();

/** Verbs one letter away from a word in the table, with a different meaning. */
const others: ReadonlySet<string> = new Set(
  'batch bread catch chance charge chuck codify court deplete hatch latch match mount ready relieve remote tread watch'.split(
    ' ',
  ),
);

/** Synonyms of words in the table. */
const everyday: Readonly<Record<string, string>> = {
  grab: 'get',
  obtain: 'get',
  view: 'get',
  show: 'get',
  see: 'get',
  display: 'get',
  download: 'get',
  lookup: 'find',
  erase: 'delete',
  destroy: 'delete',
  drop: 'delete',
  discard: 'delete',
  overwrite: 'replace',
  amend: 'update',
  alter: 'update',
  adjust: 'update',
};

const fillers: ReadonlySet<string> = new Set(
  'please kindly just then also now next first finally lastly afterwards and so'.split(' '),
);

/** Whether a sentence can begin with this word, but an instruction doesn't. */
export const isFiller = (word: string): boolean => fillers.has(word.toLowerCase());

/** Shorter words are too similar to each other: `poll` was not meant as `pull`. */
const LEAST_LENGTH = 5;
/** From here on, a word with two mistakes still resembles no other. */
const LONG = 8;

/** The word in the table that `word` was most likely meant to be; `undefined` if it is one itself, or resembles none. */
export function likelyVerb(word: string): string | undefined {
  const written = word.toLowerCase();
  if (methodOf('api', written) !== 'POST' || others.has(written)) return undefined;
  if (Object.hasOwn(everyday, written)) return everyday[written];
  return known.find((verb) => written === `${verb}s` || written === `${verb}es` || isSlipOf(verb, written));
}

function isSlipOf(verb: string, written: string): boolean {
  if (Math.max(verb.length, written.length) < LEAST_LENGTH) return isSwapped(verb, written);
  if (Math.min(verb.length, written.length) < LEAST_LENGTH - 1) return false;
  const most = verb.length >= LONG ? 2 : 1;
  return boundedDistance(written, verb, most) <= most;
}

/** The same letters with two neighbours swapped: `gte`, `lsit`. */
const isSwapped = (verb: string, written: string): boolean =>
  verb.length > 2 && [...verb].sort().join('') === [...written].sort().join('') && boundedDistance(written, verb, 1) <= 1;
