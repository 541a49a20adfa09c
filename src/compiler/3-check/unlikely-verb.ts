// The first word of a call decides how it is sent. One that misspells a word of the table, or says it in another word, would silently make
// the call a POST.
import { methodOf, verbs } from '../../../runtime/verbs.js';
import { boundedDistance } from '../diagnostics/edit-distance.js';

const known: readonly string[] = Object.values(verbs).flat();

/** Verbs that are one letter away from a word of the table, and mean something else. */
const others: ReadonlySet<string> = new Set(
  'batch bread catch chance charge chuck codify court deplete hatch latch match mount ready relieve remote tread watch'.split(
    ' ',
  ),
);

/** Everyday words for what a word of the table says. */
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

/** Shorter words are too close to each other: `poll` is none that was meant as `pull`. */
const LEAST_LENGTH = 5;
/** From here on two slips still leave a word that resembles no other. */
const LONG = 8;

/** The word of the table that `word` was most likely meant to be; `undefined` if it is one itself, or like none. */
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

/** The same letters, two neighbours the other way round: `gte`, `lsit`. */
const isSwapped = (verb: string, written: string): boolean =>
  verb.length > 2 && [...verb].sort().join('') === [...written].sort().join('') && boundedDistance(written, verb, 1) <= 1;
