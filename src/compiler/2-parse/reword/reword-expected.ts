// Mends a line where it stops making sense, until the grammar takes it: a word that people say for the one that is expected there, an article
// too many, a small word that is missing. Each step gets further into the line, and the parser itself says how far.
import { isOwnWord, tokenClass } from '../../1-layout/alphabet.js';
import { layout } from '../../1-layout/layout.js';
import type { LineRules } from '../line-node.js';
import { BLOCK, matchShape } from '../match-line.js';
import { IN_DIGITS } from './reword-amounts.js';
import { SYNONYMS } from './reword-english.js';

export type Rule = keyof LineRules;

/** A line that can't be read from a point on. */
interface Broken {
  readonly line: string;
  /** The amount that the steps so far have changed. */
  readonly cost: number;
  /** Offset at which it stops making sense. */
  readonly at: number;
  /** Words that could stand there, without quotes. */
  readonly expected: readonly string[];
}

/** Articles, prepositions and the like, which a line means the same without. */
const REMOVABLE: ReadonlySet<string> = new Set(
  'a an the this that these which who of for by at in on our my your please then also again already just list text value number decimal any here it . : , ; ?'.split(
    ' ',
  ),
);
/** Words before a statement. */
const LEADING: ReadonlySet<string> = new Set('do please then now also next first finally just always and'.split(' '));
/** Words that hold a line together, and carry no meaning of their own. */
const GLUE: ReadonlySet<string> = new Set('is a an to with at of as in from the by result on for each if , :'.split(' '));
/** Small words, each of which may stand for another. */
const SMALL: ReadonlySet<string> = new Set(
  (
    'a an the this that these which who is are was be been of for to at by in on from with within till up into onto per as it its our my your please ' +
    'then also again just so every all any one using via through over under about has have do does will shall should must when where if called ' +
    'named equal equals same here , ; - ='
  ).split(' '),
);

const COMPARES = /^(?:is|are|has|contains|includes|does|exists|starts|ends|not)$/;

/** Lines tried for one mistake: a match of a new line costs some 100 µs. */
const MOST_TRIED = 120;
const MOST_FOUND = 5;
const MOST_COST = 7;
const MOST_WORDS = 4;

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const tokensOf = (line: string): Token[] =>
  [...line.matchAll(/"(?:\\.|[^"\\])*"?|[^\s,:;()"?]+|[,:;()?]/g)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));

/** Where `rules` stop taking the line; `fits` if one takes all of it, nothing if it has signs that are no tokens. */
function breakOf(line: string, cost: number, rules: readonly Rule[]): Broken | 'fits' | undefined {
  const [token] = layout(line).tokens;
  if (typeof token !== 'object' || token.fault !== undefined) return undefined;
  let furthest = -1;
  const expected = new Set<string>();
  for (const rule of rules)
    for (const end of line.endsWith(':') ? [BLOCK] : [tokenClass.eol]) {
      const match = matchShape(rule, token.shape + end);
      if (match.matched) return 'fits';
      if (match.token < furthest) continue;
      if (match.token > furthest) expected.clear();
      furthest = match.token;
      for (const one of match.expected) expected.add(one.startsWith('"') ? one.slice(1, -1) : one);
    }
  return { line, cost, at: token.offsets[2 * furthest] ?? line.length, expected: [...expected] };
}

/** A line that has lost words, without the spaces around them. */
const tidy = (line: string): string =>
  line
    .replace(/ {2,}/g, ' ')
    .replace(/ (?=[,:)?])/g, '')
    .trim();

/** Whether a token is what a number before it counts, and no word of the language: `80 kg`. */
const isMeasure = (tokens: readonly Token[], at: number): boolean =>
  /^(?![ap]m$)[a-z]{1,8}$/i.test(tokens[at]?.text ?? '') &&
  /^\d/.test(tokens[at - 1]?.text ?? '') &&
  !isOwnWord(tokens[at]?.text ?? '');

/** `a exists and is above 3`: what a second comparison is about was said before the first. */
function subjectAgain(tokens: readonly Token[], here: number): string | undefined {
  if (!/^(?:and|or)$/.test(tokens[here - 2]?.text ?? '') || !COMPARES.test(tokens[here - 1]?.text ?? '')) return undefined;
  const first = tokens.slice(0, here - 2).findLastIndex(({ text }, index) => index > 0 && COMPARES.test(text) && text !== 'not');
  const { text } = tokens[first - 1] ?? { text: '' };
  return /^[A-Za-z_][\w.-]*$/.test(text) && !isOwnWord(text) ? text : undefined;
}

/** A value that is compared is another value. */
const setsValue = (line: string): boolean => /^(?:set|add|log|complete|reject) (?!.* (?:where|satisfies) )/.test(line);

/** The line with one step towards the language, and what each step costs. */
function stepsFrom({ line, at, expected }: Broken): (readonly [line: string, cost: number])[] {
  const tokens = tokensOf(line);
  const found = tokens.findIndex(({ end }) => end > at);
  const here = found === -1 ? tokens.length : found;
  const steps: (readonly [string, number])[] = [];
  const put = (first: number, count: number, words: string, cost: number): void => {
    const [from, to] = [
      tokens[first]?.start ?? line.length,
      tokens[first + count - 1]?.end ?? tokens[first]?.start ?? line.length,
    ];
    steps.push([tidy(`${line.slice(0, from)}${words}${count === 0 && words !== '' ? ' ' : ''}${line.slice(to)}`), cost]);
  };
  const canFollow = (ours: string): boolean =>
    expected.some((one) => one === ours || one === `is ${ours}` || one.startsWith(`${ours} `) || ours.startsWith(`${one} `));
  const subject = subjectAgain(tokens, here);
  const isSet = setsValue(line);
  if (subject !== undefined) put(here - 1, 0, subject, 0.8);
  for (const first of [here, here - 1, here - 2].filter((one) => one >= 0))
    for (let count = MOST_WORDS; count > 0; count--) {
      const run = tokens.slice(first, first + count);
      if (run.length < count) continue;
      const said = run.map(({ text }) => text).join(' ');
      // `to` as a part of `addressed to` would need a line of its own.
      for (const ours of meaningsOf(said)) {
        const isHere = first === here;
        const lacksIs = isHere && !expected.includes(ours) && expected.includes(`is ${ours}`);
        if (isHere ? canFollow(ours) && !(isSet && lacksIs) : !ours.split(' ').includes(said))
          put(first, count, lacksIs ? `is ${ours}` : ours, isHere ? 1 : 1.5);
      }
    }
  const word = tokens[here]?.text ?? '';
  const digits = IN_DIGITS.indexOf(word.toLowerCase());
  if (digits !== -1 && expected.includes('a number')) put(here, 1, String(digits), 1);
  const inner = /^"([\p{L}_][\p{L}\p{N}_-]{0,60})"$/u.exec(word)?.[1];
  if (inner !== undefined && expected.includes('a name') && !expected.includes('text in quotes')) put(here, 1, inner, 1.5);
  for (const first of [here, here - 1])
    if (
      first > 0
        ? (REMOVABLE.has(tokens[first]?.text.toLowerCase() ?? '') || isMeasure(tokens, first)) &&
          !(first === tokens.length - 1 && line.endsWith(':'))
        : first === 0 && LEADING.has(word.toLowerCase()) && isOwnWord(tokens[1]?.text ?? '')
    )
      put(first, 1, '', first === here ? 1.2 : 1.4);
  const glue = [
    ...new Set(expected.map((one) => one.split(' ')[0] ?? '').filter((one) => GLUE.has(one) && !(isSet && one === 'is'))),
  ];
  for (const one of glue) if (here > 0) put(here, 0, one, 2);
  if (SMALL.has(word.toLowerCase())) for (const one of glue) if (one !== word && here > 0) put(here, 1, one, 2.2);
  const before = tokens[here - 1]?.text.toLowerCase() ?? '';
  if (here > 1 && SMALL.has(before) && !isOwnWord(before)) for (const one of glue) put(here - 1, 1, one, 2.6);
  return steps;
}

/**
 * Lines that the grammar takes, made from those that it doesn't take; the least changed first.
 * @param rules of the place at which the line stands
 */
export function rewordExpected(lines: readonly string[], rules: readonly Rule[]): string[] {
  const fitting: (readonly [line: string, cost: number])[] = [];
  const seen = new Set(lines);
  const open: Broken[] = [];
  let tried = 0;
  const look = (line: string, cost: number, beyond: number): void => {
    const state = breakOf(line, cost, rules);
    tried++;
    if (state === 'fits') {
      if (cost > 0) fitting.push([line, cost]);
    } else if (state !== undefined && line.length - state.at < beyond) open.push(state);
  };
  for (const [index, line] of lines.entries()) look(line, index === 0 ? 0 : 0.1, Number.POSITIVE_INFINITY);
  const [first = ''] = lines;
  for (const ours of meaningsOf(first.replace(/:$/, '')))
    look(ours + (first.endsWith(':') ? ':' : ''), 1, Number.POSITIVE_INFINITY);
  while (open.length > 0 && tried < MOST_TRIED && fitting.length < MOST_FOUND) {
    open.sort((one, other) => one.cost - other.cost);
    const state = open.shift();
    if (state === undefined) break;
    for (const [line, cost] of stepsFrom(state)) {
      if (seen.has(line) || state.cost + cost > MOST_COST || tried >= MOST_TRIED) continue;
      seen.add(line);
      look(line, state.cost + cost, state.line.length - state.at);
    }
  }
  return fitting.sort(([, one], [, other]) => one - other).map(([line]) => line);
}

/** The words that a pattern of synonyms stands for. */
const spelledOut = (pattern: string): readonly string[] =>
  pattern.split(' ').reduce<readonly string[]>(
    (starts, words) => {
      const each = [...words.replace('?', '').split('|'), ...(words.endsWith('?') ? [''] : [])];
      return starts.flatMap((start) => each.map((word) => `${start} ${word}`.trim()));
    },
    [''],
  );

/** Words as one writes them, in lower case → what they may mean. */
const meanings = new Map<string, string[]>();

/** Words of the language that people may mean by these words, wherever the grammar allows them. */
export function meaningsOf(words: string): readonly string[] {
  if (meanings.size === 0)
    for (const [ours, others] of Object.entries(SYNONYMS))
      for (const said of others.split(', ').flatMap(spelledOut))
        if (said !== ours) meanings.set(said, [...new Set([...(meanings.get(said) ?? []), ours])]);
  return meanings.get(words.toLowerCase()) ?? [];
}
