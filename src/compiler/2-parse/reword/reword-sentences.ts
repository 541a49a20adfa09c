// Sentences that mean a line of the language: `the sum of a and b`, `all boats that are heavy`, `in 3 days`.
import { isOwnWord } from '../../1-layout/alphabet.js';
import type { AroundLine } from './hidden-line.js';
import { IN_DIGITS } from './reword-amounts.js';
import { singular } from './reword-lists.js';
import { ARTICLE, HIDDEN_TEXT, isValue, lineOf, NAME_WORD, NUMERAL, splitLine, TIME_UNIT, valueEnd } from './reword-tokens.js';

const HIGHEST = 'highest|largest|biggest|greatest|latest|most|longest|heaviest|newest|dearest';
const LOWEST = 'lowest|smallest|least|earliest|fewest|shortest|lightest|oldest|cheapest';

/**
 * Sentences, and what they mean. A slot is `$` and a letter: v and w are values, n, i and f names, l a list, k a number, u a unit, t a text,
 * e items of a list, of which i and l then are the item and the list, c a comparison, r the rest of the line. `$0` is the first word. `a|b` is
 * one of two words; a word with `?` may be missing. `^` is the start of the line.
 */
const SENTENCES: readonly (readonly [said: string, meant: string])[] = [
  ['the? difference between|of $v and $w', '$v minus $w'],
  ['the? sum|total of $v and $w', '$v plus $w'],
  ['the? product of $v and $w', '$v times $w'],
  ['half of? the? $v', '$v divided by 2'],
  ['the? sum|total of all? the? $f in|of|from the? $l', 'sum of $l.$f'],
  ['the? $f of each|every|all|the $e', '$i.$f for each $i in $l'],
  [`the? $e with|having|whose the? ${HIGHEST} $f is?`, 'first of ($l sorted by $f descending)'],
  [`the? ${HIGHEST} of? $e by|in $f`, 'first of ($l sorted by $f descending)'],
  [`the? $e with|having|whose the? ${LOWEST} $f is?`, 'first of ($l sorted by $f)'],
  [`the? ${LOWEST} of? $e by|in $f`, 'first of ($l sorted by $f)'],
  ['some|any $e has|have|with a|an|the $f that|which|who? $r', 'some $i in $l satisfies $i.$f $r'],
  ['every|all|each $e has|have|with a|an|the $f that|which|who? $r', 'every $i in $l satisfies $i.$f $r'],
  ['some|any $e is|are $f', 'some $i in $l satisfies $i.$f'],
  ['every|all|each $e is|are $f', 'every $i in $l satisfies $i.$f'],
  ['every|all|each $e have|has $f $r', 'every $i in $l satisfies $i.$f $r'],
  ['every|all|each $e $c $r', 'every $i in $l satisfies $i $c $r'],
  ['some|any $e $c $r', 'some $i in $l satisfies $i $c $r'],
  ['all|those|only? the? $e that|which|who is|are not $f', 'each $i in $l where not $i.$f'],
  ['all|those|only? the? $e that|which|who is|are $f', 'each $i in $l where $i.$f'],
  ['$e without $f ones?', 'each $i in $l where not $i.$f'],
  ['to all|every|the? $e of|with|whose $f is? $v', 'to each $i in $l where $i.$f is $v'],
  ['$v is|are not between|within $r', 'not $v is between $r'],
  ['there is|are no $n', '$n is empty'],
  ['there is|are a|an|any|some? $n', '$n is not empty'],
  ['there is|are a|an|any|some? $n', '$n exists'],
  ['$n has|have no $f', '$n.$f is empty'],
  ['$n has|have no $f', '$n.$f does not exist'],
  ['$n is|are positive', '$n is above 0'],
  ['$n is|are negative', '$n is below 0'],
  ['$n is|are zero', '$n is 0'],
  [', unless $n', 'and not $n'],
  ['$v is|are not in|among $n', '$n does not contain $v'],
  ['$v is|are in|among $n', '$n contains $v'],
  ['$v without duplicates|duplicate|repetitions|doubles entries?', 'unique of $v'],
  ['$v in|as capitals|uppercase', 'uppercase of $v'],
  ['^set $n to true|yes if|when $r', 'set $n to $r'],
  ['^start|begin $n at|with $k', 'set $n to $k'],
  ['is|lies|falls in the future', 'is after today'],
  ['is|lies|falls in the past', 'is before today'],
  ['the number|amount|quantity of $l', 'count of $l'],
  ['$v to|with|at $k decimal|decimals|digits places?', '$v rounded to $k places'],
  ['^add to the? $n :? $r', 'add $r to $n'],
  ['^put|push|append|insert|write|note $v in|into|on|onto|to the? $n list?', 'add $v to $n'],
  ['$v with $t between|in them|between?', '$v joined with $t'],
  ['^set the $f of $n to $r', 'set $n.$f to $r'],
  ['start|beginning|end of this|the|current $u', '$0 of $u of today'],
  ['$k $u from|after today|now', 'today plus $k $u'],
  ['$k $u ago', 'today minus $k $u'],
  ['in $k $u', 'today plus $k $u'],
  ['$k $u from|after|since $n', '$n plus $k $u'],
  ['$k $u before $n', '$n minus $k $u'],
  ['the|one $u before $n', '$n minus 1 $u'],
  ['the|one $u after $n', '$n plus 1 $u'],
  ['number? of? $u between $v and $w', '$u from $v to $w'],
  ['number? of? $u since $v', '$u from $v to today'],
  ['number? of? $u until|to $v', '$u from today to $v'],
  ['^add $v to the? $n', 'set $n to $n plus $v'],
  ['^reduce|decrease|lower|cut|decrement $n by|in half', 'set $n to $n divided by 2'],
  ['^increase|raise $n by $k percent', 'set $n to $n plus $k percent of $n'],
  ['^reduce|decrease|lower|cut|decrement $n by $k percent', 'set $n to $n minus $k percent of $n'],
  ['^take $k percent off|from|of the? $n', 'set $n to $n minus $k percent of $n'],
  ['^increase|raise|increment|grow $n by $r', 'set $n to $n plus ($r)'],
  ['^reduce|decrease|lower|cut|decrement $n by $r', 'set $n to $n minus ($r)'],
  ['^subtract|deduct|take $v from the? $n', 'set $n to $n minus $v'],
  ['^multiply $n by|with $r', 'set $n to $n times $r'],
  ['^for each|every|all $e except|but|without $v :', 'for each $i in $l where $i is not $v:'],
  ['^for each|every|all $e , $k in|at|together parallel|once|together :', 'for each $i in $l, $k at a time:'],
  ['^for each|every|all the? $e :', 'for each $i in $l:'],
];

interface Place {
  readonly tokens: readonly string[];
  readonly around: AroundLine;
  /** What each slot stands for. */
  readonly slots: Map<string, string>;
}

const isList = (token: string, { variables, inputs }: AroundLine): boolean =>
  token.includes('.') || variables.has(token) || inputs.has(token);

/** Items of a list and where their words end: `boats`, `boats in request.boats`, `the boat` beside a list `boats`. */
function itemsAt({ tokens, around, slots }: Place, from: number): number {
  const name = tokens[from] ?? '';
  if (!NAME_WORD.test(name) || isOwnWord(name)) return -1;
  const link = /^(?:in|of|from|among)$/.test(tokens[from + 1] ?? '') ? from + 2 : -1;
  const at = ARTICLE.test(tokens[link] ?? '') ? link + 1 : link;
  const isInList = link !== -1 && isList(tokens[at] ?? '', around);
  const list = isInList ? tokens[at] : [name, `${name}s`].find((one) => one !== around.origins.get(name) && isList(one, around));
  if (list === undefined) return -1;
  slots.set('$l', list).set('$i', singularOf(isInList ? name : (list.split('.').pop() ?? list)));
  return isInList ? at + 1 : from + 1;
}

/** `is` and `are`, `starts` and `start`: what a comparison begins with. */
const COMPARISON = /^(is|are|start|end|contain)s?$/;

/** Where a slot that begins at a token ends; -1 if it doesn't. */
function slotEnd(kind: string, place: Place, from: number): number {
  const { tokens, around } = place;
  const token = tokens[from] ?? '';
  const single = (fits: boolean): number => (fits ? from + 1 : -1);
  const isName = NAME_WORD.test(token) && isValue(token, around);
  switch (kind) {
    case 'v':
    case 'w':
      return valueEnd(tokens, from, around);
    case 'e':
      return itemsAt(place, from);
    case 'l':
      return single(isName && isList(token, around));
    case 'n':
      return single(isName);
    case 'c':
      return single(COMPARISON.test(token));
    case 'f':
      return single(NAME_WORD.test(token) && !ARTICLE.test(token));
    case 'k':
      return single(NUMERAL.test(token) || IN_DIGITS.includes(token) || (isName && around.variables.has(token)));
    case 'u':
      return TIME_UNIT.test(token)
        ? from + 1
        : /^(?:working|business|work)$/.test(token) && TIME_UNIT.test(tokens[from + 1] ?? '')
          ? from + 2
          : -1;
    case 't':
      return single(HIDDEN_TEXT.test(token));
    default: {
      const end = tokens.at(-1) === ':' ? tokens.length - 1 : tokens.length;
      return end > from ? end : -1;
    }
  }
}

/** Where the words of a sentence end if they begin at a token; -1 if they don't. */
function matchWords(words: readonly string[], at: number, place: Place, from: number): number {
  const word = words[at];
  if (word === undefined) return from;
  if (word.startsWith('$')) {
    const end = slotEnd(word.charAt(1), place, from);
    if (end === -1) return -1;
    const said = lineOf(place.tokens.slice(from, end));
    if (word === '$c') place.slots.set(word, said === 'are' ? 'is' : said.replace(/[^s]$/, '$&s'));
    else if (word !== '$e') place.slots.set(word, word === '$u' ? said.replace(/^\w+ /, 'working ') : said);
    return matchWords(words, at + 1, place, end);
  }
  const isOptional = word.endsWith('?');
  const said = (isOptional ? word.slice(0, -1) : word).split('|');
  const last = said.includes((place.tokens[from] ?? '').toLowerCase()) ? matchWords(words, at + 1, place, from + 1) : -1;
  return last === -1 && isOptional ? matchWords(words, at + 1, place, from) : last;
}

/** The line with a sentence in the words of the language, for each sentence that it has. */
export function sentencesIn(line: string, around: AroundLine): string[] {
  const tokens = splitLine(line);
  return SENTENCES.flatMap(([said, meant]) => {
    const isStart = said.startsWith('^');
    const words = (isStart ? said.slice(1) : said).split(' ');
    for (let from = 0; from < (isStart ? 1 : tokens.length); from++) {
      const place: Place = { tokens, around, slots: new Map() };
      const end = matchWords(words, 0, place, from);
      if (end === -1) continue;
      const put = meant.replace(/\$[a-z0]/g, (slot) => place.slots.get(slot) ?? tokens[from] ?? '');
      return [lineOf([...tokens.slice(0, from), put, ...tokens.slice(end)])];
    }
    return [];
  });
}

const singularOf = (name: string): string => (singular(name) === 'item' ? name : singular(name));
