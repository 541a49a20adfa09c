// Mends a line where it stops making sense, until the grammar takes it: a word that people say for the one that is expected there, an article
// too many, a small word that is missing. Each step gets further into the line, and the parser itself says how far.
import { isOwnWord, tokenClass } from '../../1-layout/alphabet.js';
import { layout } from '../../1-layout/layout.js';
import type { LineRules } from '../line-node.js';
import { BLOCK, matchShape } from '../match-line.js';
import { IN_DIGITS } from './reword-amounts.js';

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
  'a an the this that these which who of for by at in on our my your please then also again just list text value number decimal any here it . : , ; ?'.split(
    ' ',
  ),
);
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

/** Lines tried for one mistake: a match of a new line costs some 100 µs. */
const MOST_TRIED = 90;
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
  for (const first of [here, here - 1, here - 2].filter((one) => one >= 0))
    for (let count = MOST_WORDS; count > 0; count--) {
      const run = tokens.slice(first, first + count);
      if (run.length < count) continue;
      const said = run.map(({ text }) => text).join(' ');
      // `to` as a part of `addressed to` would need a line of its own.
      for (const ours of meaningsOf(said))
        if (first === here ? canFollow(ours) : !ours.split(' ').includes(said))
          put(
            first,
            count,
            first === here && !expected.includes(ours) && expected.includes(`is ${ours}`) ? `is ${ours}` : ours,
            first === here ? 1 : 1.5,
          );
    }
  const word = tokens[here]?.text ?? '';
  const digits = IN_DIGITS.indexOf(word.toLowerCase());
  if (digits !== -1 && expected.includes('a number')) put(here, 1, String(digits), 1);
  const inner = /^"([\p{L}_][\p{L}\p{N}_-]{0,60})"$/u.exec(word)?.[1];
  if (inner !== undefined && expected.includes('a name') && !expected.includes('text in quotes')) put(here, 1, inner, 1.5);
  for (const first of [here, here - 1])
    if (
      first > 0 &&
      (REMOVABLE.has(tokens[first]?.text.toLowerCase() ?? '') || isMeasure(tokens, first)) &&
      !(first === tokens.length - 1 && line.endsWith(':'))
    )
      put(first, 1, '', first === here ? 1.2 : 1.4);
  // A value that is compared is another value.
  const isValue = /^(?:set|add|log|complete|reject) (?!.* (?:where|satisfies) )/.test(line);
  const glue = [
    ...new Set(expected.map((one) => one.split(' ')[0] ?? '').filter((one) => GLUE.has(one) && !(isValue && one === 'is'))),
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

// Everyday synonyms of the words of the language. A word stands in for ours only where the grammar expects ours, so one list serves every
// line.

const OTHERS: Readonly<Record<string, string>> = {
  'at most':
    'max|maximum|maximal|up to|no more than|not more than|not above|not over|within|for at most|for up to|a maximum of|not longer than|no longer than',
  'at least': 'min|minimum|minimal|no less than|not less than|not below|not under|no fewer than|a minimum of',
  above:
    'over|more than|greater than|higher than|bigger than|larger than|longer than|older than|heavier than|hotter than|beyond|exceeding|in excess of',
  'is above': 'exceeds|exceed|exceeded|surpasses|takes more than|costs more than|weighs more than|has more than',
  below: 'under|less than|lower than|smaller than|fewer than|shorter than|younger than|cheaper than|lighter than',
  'is below': 'takes less than|costs less than|weighs less than|has less than|has fewer than',
  before: 'earlier than|prior to|older than|sooner than',
  after: 'later than|past|newer than|more recent than',
  is: 'equals|equal to|are|was|were|is equal to|be',
  'is not': "isn't|aren't|is no|is different from|differs from|other than|unequal|does not equal",
  not: 'no|never',
  empty: 'blank|nothing|none|null|nil',
  'is empty': 'has no value|has no items|contains nothing|is missing|has nothing',
  'is not empty': 'has items|has entries|has a value|contains something|contains anything|is filled|is filled in|is filled out',
  exists:
    'is there|is given|is present|is known|is available|is set|is filled in|is filled|was given|was found|is found|is provided|is entered',
  'does not exist':
    'is missing|missing|not found|is unknown|is gone|is absent|not there|not given|not known|is not there|not available|not set',
  contains: 'includes|include|contain|has|have|holds|lists|mentions',
  'starts with': 'begins with|start with|starts by|begin with|is starting with',
  otherwise:
    'default|or else|else|normally|usually|by default|defaults to|default is|standard|if missing|if empty|or|unless given|if not given',
  optional:
    'not required|not mandatory|may be empty|can be empty|can be missing|may be missing|if any|voluntary|not needed|if known',
  like: 'such as|in the form|of the form|in the format|matching|that matches|as|formatted as|formatted like|with the format|with pattern|with the pattern|looks like',
  'one of': 'either|any of|one out of|in',
  'is one of': 'in|is in|is either|is any of|is among|is part of',
  texts: 'strings|words|names|text|phrases',
  records: 'objects|items|rows|entries|lines|elements|things|record|fields',
  record: 'object|entry|group|structure|row',
  with: 'having|containing|using|for|where|by|via|and|of|including',
  using: 'from|via|through|with|by|on|in|over|per|at|to',
  at: 'in|on|under|from|to|table|called|named|path|as|address|located at|by',
  to: 'in|into|as|until|till|through|onto|and|up to',
  in: 'of|from|inside|within|out of|on|among|for|by',
  from: 'sender|sent by|mail from|between|starting at|since|of|starting from',
  and: 'und|plus|as well as|along with|also|then',
  times: 'x|×|multiplied by|multiplied with|time|attempts|tries',
  'divided by': 'over|divided through|divided into|split into|per|divided',
  plus: 'and|more|added to|increased by|with added',
  minus: 'less|without|reduced by|lowered by|decreased by',
  places: 'decimals|digits|decimal places|decimal digits|decimal|positions',
  place: 'decimal|digit|decimal place',
  doubling: 'doubled|double|exponential|exponentially|doubling each time|increasing',
  waiting: 'every|after|with|wait|pausing|in|each|with a wait of|with a pause of|with pauses of|apart',
  within: 'in|until|by|deadline|due in|not later than|no later than|inside|at most|limit',
  every: 'each|after|all|once every|after every|per',
  'sorted by': 'ordered by|order by|sort by|arranged by|in order of|sorted after|ranked by',
  descending: 'desc|reverse|backwards|highest first|from highest to lowest|largest first|newest first',
  'grouped by': 'group by|per|by each|grouped per|bundled by|by',
  'joined with': 'separated by|separated with|joined by|combined with|combined by|with|connected by|linked with|joined',
  where: 'if|with|whose|when|that have|which have|having|for which|provided|only if',
  satisfies: 'where|with|has|have|such that|for which|is such that|that|whose',
  some: 'any|at least one|at least 1|one|an|a',
  'percent of': 'percent from|per cent of|percent on|pct of|percent off|percentage of',
  'working days': 'business days|workdays|work days|weekdays|banking days',
  'working hours': 'business hours|work hours|office hours|opening hours',
  'written as':
    'formatted as|as|in the form|in the format|with the format|with format|shown as|like|formatted like|in format|with pattern',
  as: 'in|to|under|into|at|named|called',
  'the result as':
    'the answer as|the answer in|the response as|it as|the output as|it in|the result in|the result to|the results as|result to|the data as',
  'the comment as': 'the remark as|the note as|the reason as|the comments as',
  'the status as': 'the status code as|the http status as|the code as|the HTTP status as',
  'at once': 'at a time|simultaneously|in parallel|at the same time',
  'at a time': 'at once|in parallel|simultaneously|together|at the same time',
  'notified by': 'notified via|notified with|notified through|reached by|reached via|informed by|informed via|via|contacted by',
  'highest of': 'latest of|newest of|maximum of|max of|largest of|biggest of|greatest of|most of|maximum|max|highest|largest',
  'lowest of': 'earliest of|oldest of|minimum of|min of|smallest of|least of|minimum|min|lowest|smallest|cheapest of',
  'average of': 'mean of|avg of|average|mean',
  'sum of': 'total of|sum|sum over|sum from|sum in|total',
  'count of': 'number of|amount of|how many|length of|size of|quantity of|count',
  trigger: 'start|starts|begin|begins|event|triggered by',
  'stop the loop':
    'exit the repeat|exit the loop|exit loop|leave the loop|leave the repeat|break|break out|break the loop|end the loop|end the repeat|quit the loop|stop repeating|stop the repeat|stop looping|leave',
  skip: 'continue|next|ignore it|ignore this|next one|pass|leave it out|go on',
  'for each':
    'go through each|go through all|go through every|go through|loop over|loop through|iterate over|walk through|run through|for every|for all|with each|process each|take each|do for each|repeat for each|repeat for',
  set: 'let|put|define|calculate|compute|assign|initialize|initialise|determine|make',
  'wait until': 'wait till|hold until|pause until|sleep until|continue at|continue on|resume at|resume on|wait to',
  'wait for': 'await|expect|wait on|listen for',
  log: 'print|write|note|show|output|say|echo|report|protocol',
  ask: 'tell|request|instruct|prompt',
  'reject with':
    'refuse with|decline with|fail with|stop with|deny with|abort with|cancel with|end with|reject because|refuse because|decline because|reject saying|reject due to|reject as|reject by saying|reject|refuse|deny',
  'complete with':
    'finish with|return|end with|output|respond with|answer with|give back|deliver|done with|complete and return|hand back',
  'on failure':
    'if it fails|if this fails|on error|in case of failure|in case of error|when it fails|if that fails|upon failure|if an error occurs|if failed|on failing|if it does not work|if not',
  'on success': 'if it works|if it succeeds|when it works|if it worked|if successful|if ok',
  'if still failing':
    'if it still fails|if it keeps failing|still failing|if that fails|if all fail|if it fails again|if it fails|finally|if still not working|after that|if this fails|if still failed|if all retries fail',
  'if nothing matches':
    'if no row matches|if nothing fits|if no match|if nothing is found|if there is no match|if not found|otherwise|if none matches|if no row fits|if no entry matches|else',
  'if nothing comes':
    'if it does not come|if nobody answers|if no message comes|if nothing arrives|otherwise|if nothing happens|if it never comes|if none comes|if none arrives|else|on timeout|on failure|if not',
  'choose from':
    'choices|options|answers|possible answers|pick from|select from|choice of|pick one of|choose between|choose one of|select one of|choose|select|allowed answers',
  'addressed to':
    'send to|for|address|mail to|sent to|recipient|addressee|assigned to|directed to|assign to|address to|sent by mail to',
  'at most once':
    'only once|never twice|exactly once|once only|once|not twice|no more than once|send only once|never send twice|never repeat|maximum once|just once',
  'otherwise if': 'else if|elseif|elif|or if|else when|otherwise when',
  'at the same time': 'in parallel|simultaneously|meanwhile|concurrently|together|both|all at once|side by side|parallel',
  'one is done':
    'the first is done|one is finished|one is ready|one has finished|any is done|one finishes|the first finishes|first is done|first one is done|one ends',
  'a team': 'a group|a department|people|several people|a group of people|a crew',
  'a person': 'a human|an employee|a user|a colleague|someone|somebody|a role',
  'notified at': 'reachable at|contacted at|informed at|called at|reached at|pinged at|notified on|alerted at|at|told at',
  'is at least':
    'reaches|is not below|is not under|is no less than|is not less than|is minimum|has at least|is equal or above|is or exceeds',
  'is at most':
    'does not exceed|is not above|is not over|is not more than|is no more than|is up to|is max|is maximum|stays under|has at most',
  'is before': 'is earlier than|precedes|comes before|lies before|is older than|is prior to|falls before',
  'is after': 'is later than|comes after|follows|lies after|is newer than|falls after|is past',
  'ends with': 'end with|finishes with|is ending with|ending with|ends in|ends on',
  'does not contain': 'lacks|excludes|does not include|does not have|has no|is without|misses',
  'replaced by': 'replaced with|changed to|swapped for|exchanged for|substituted by|turned into',
  'uppercase of': 'upper case of|capitals of|upper of|uppercase|upper case|capitalized',
  'lowercase of': 'lower case of|lower of|lowercase|lower case|small letters of',
  trimmed: 'stripped|cleaned|trim|trimmed of',
  'text of': 'string of|text from',
  'first of': 'first item of|first item in|first one of|first in|first entry of|first element of',
  'last of': 'last item of|last item in|last one of|last in|last entry of|last element of',
  reversed: 'in reverse order|backwards|reverse|turned around',
  'rounded to': 'round to|rounded on|rounded at|rounded off to|to',
  'record with': 'record of|object with|record containing|entry with|record having|record',
  'the person as':
    'who answered as|the name as|the user as|the approver as|who decided as|who did as|who approved as|the answerer as',
  'the confidence as': 'the certainty as|the probability as|the score as',
  'start of': 'beginning of|first day of|first of',
  'end of': 'last day of|close of',
  'with timeout': 'timeout|time limit|with time limit|timeout of|timeout after',
  'with headers': 'headers|with header|header|using headers',
  'repeat until': 'do until|loop until|keep going until|try until|repeat till',
  'repeat at most': 'repeat|do at most|loop at most|try at most|repeat up to|repeat max|repeat maximum',
  'unique of': 'distinct|unique|different|distinct of|unique values of|distinct values of',
};

/** Words as one writes them, in lower case → what they may mean. */
const meanings = new Map<string, string[]>();
for (const [ours, others] of Object.entries(OTHERS))
  for (const other of others.split('|')) {
    const said = other.toLowerCase();
    meanings.set(said, [...(meanings.get(said) ?? []), ours]);
  }

/** Words of the language that people may mean by these words, wherever the grammar allows them. */
const meaningsOf = (words: string): readonly string[] => meanings.get(words.toLowerCase()) ?? [];
