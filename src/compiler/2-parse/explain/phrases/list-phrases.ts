// Lists and their items in other words.
import { AMOUNT, anywhere, FIELD, NAME, type Phrase, says, VALUE } from './phrase.js';

/** A list with a name in the plural: two groups, the list and the word for an item. */
const ITEMS = String.raw`((?:[A-Za-zª_][A-Za-zª\d_-]*\.)*([A-Za-zª_][A-Za-zª\d_-]*?[^\Ws])s)`;
const CONDITION = String.raw`((?:is|contains|starts|ends|exists|does)\b.*?)(?=\s*(?::|\)|,|$))`;
const HIGHEST = '(?:highest|largest|biggest|greatest|most|maximum|max|top)';
const LOWEST = '(?:lowest|smallest|cheapest|least|minimum|min)';

/** Comparisons of a field in other words → ours. */
const comparisons: readonly (readonly [words: string, ours: string])[] = [
  ['(?:above|over|more than|greater than|larger than)', 'is above'],
  ['(?:below|under|less than|smaller than)', 'is below'],
  ['at least', 'is at least'],
  ['at most', 'is at most'],
];

const conditions: readonly Phrase[] = [
  says(`(count|first|last) of ${ITEMS} where (?:\\3\\.)?${FIELD} ${CONDITION}`, '$1 of (each $3 in $2 where $3.$4 $5)'),
  says(`(?<!\\bin )(?:all |the |each |every )?${ITEMS} where (?:\\2\\.)?${FIELD} ${CONDITION}`, 'each $2 in $1 where $2.$3 $4'),
  ...comparisons.flatMap(([words, ours]) => [
    says(
      `(?:all |the )?${ITEMS} (?:with|having|whose) (?:an? |the )?${FIELD} (?:is )?${words} ${VALUE}`,
      `each $2 in $1 where $2.$3 ${ours} $4`,
    ),
    says(
      `(?:all |the )${ITEMS} (?:(?:that|which) are )?${words} ${VALUE}`,
      `each $2 in $1 where $2.total ${ours} $3`,
      'Name the field to compare.',
    ),
    says(
      `how many (?:of (?:the )?)?${ITEMS} (?:are|is|have) ${words} ${VALUE}`,
      `count of (each $2 in $1 where $2.total ${ours} $3)`,
      'Name the field to compare.',
    ),
  ]),
];

/** The words before "for each", when people start with them. */
const rounds: readonly Phrase[] = [
  says(`(sum|average|highest|lowest)(?: of)? for each ${FIELD} in ${NAME}:?(?: of)? ${NAME}`, '$1 of ($4 for each $2 in $3)'),
  says(`(?<=\\bto )for each ${FIELD} in ${NAME}:? (sum|average|highest|lowest) of ${NAME}`, '$3 of ($4 for each $1 in $2)'),
  says(`(?<=\\bto )for each ${FIELD} in ${NAME}:? ${NAME}`, '$3 for each $1 in $2'),
  says(`for each ${FIELD} (?:of|from) ${NAME}`, 'for each $1 in $2'),
];

const fields: readonly Phrase[] = [
  says(`(${FIELD}\\.${NAME}) of each ${NAME} in ${NAME}`, '$1 for each $4 in $5'),
  says('(?:an? |the )?list of (\\S+ for each \\S+ in \\S+)', '$1'),
  says(`(sum|average|highest|lowest) of ${NAME} by ${FIELD}`, '$1 of $2.$3'),
  says(
    `(?:the )?sum of ${FIELD} (times|plus|minus|divided by) ${FIELD} (?:of|in|for) (?:all |each |the )?${ITEMS}`,
    'sum of ($5.$1 $2 $5.$3 for each $5 in $4)',
  ),
];

const orders: readonly Phrase[] = [
  says(`${NAME} sorted by ${NAME} descending,? (?:the )?(?:first|top) ${AMOUNT}`, 'first #3 of ($1 sorted by $2 descending)'),
  says(`${NAME} sorted by ${NAME},? (?:the )?(first|last) ${AMOUNT}`, '$3 #4 of ($1 sorted by $2)'),
  says(`(first|last) ${AMOUNT} (?!of\\b)${NAME} sorted by ${NAME}( descending)?`, '$1 #2 of ($3 sorted by $4$5)'),
  says(`top ${AMOUNT} (?!of\\b)${NAME} (?:sorted )?by ${NAME}`, 'first #1 of ($2 sorted by $3 descending)'),
  says(`(?:the )?${FIELD} with (?:the )?${HIGHEST} ${FIELD}`, 'first of ($1s sorted by $2 descending)'),
  says(`(?:the )?${FIELD} with (?:the )?${LOWEST} ${FIELD}`, 'first of ($1s sorted by $2)'),
  says(`(?:the )?${LOWEST} (?!of\\b)${FIELD} by ${FIELD}`, 'first of ($1s sorted by $2)'),
  {
    find: anywhere(String.raw`(?<=\bto\s+)${ITEMS}\s+by\s+${FIELD}$`),
    hint: 'Say whether to sort or to group:\n    $1 sorted by $3\n    $1 grouped by $3',
  },
];

const texts: readonly Phrase[] = [
  says('joined ("[^"]*")', 'joined with $1'),
  says('split ("[^"]*")', 'split by $1'),
  says(`${NAME} without (?:spaces|blanks)`, '$1 with " " replaced by ""'),
  says(`${NAME} padded to (\\d+)$`, '$1 padded to $2 with "0"'),
  says(`${NAME} as (?:an? )?(?:currency|money|amount)`, 'text of $1 written as "1,234.50"'),
  says(`${NAME} in (?:the )?format ("[^"]*")`, 'text of $1 written as $2'),
  says(`round ${NAME}$`, '$1 rounded to 0 places'),
  says(`${NAME} less ${VALUE} percent(?! of)`, '$1 minus $2 percent of $1'),
];

export const listPhrases: readonly Phrase[] = [...conditions, ...rounds, ...fields, ...orders, ...texts];

const END = String.raw`(?=\s*(?::|\)|$))`;
/** Ends a condition, so that the rest of it is as it should be. */
const REST = String.raw`((?:above|below|at\s+least|at\s+most|between|one\s+of|before|after|on\s+or|empty\b|"|-?\d)[^:]*?)${END}`;
const YEARS = '(?: years?)?(?: old| of age)?';
const calculate = 'Calculate with the date of birth.';

/** Comparisons of ages or amounts in other words → ours. */
const tests: readonly (readonly [words: string, ours: string])[] = [
  ['older th[ae]n', 'is above'],
  ['younger th[ae]n', 'is below'],
];
const amounts: readonly (readonly [words: string, ours: string])[] = [
  ['(?:more than|greater than|larger than|bigger than|higher than|over)', 'is above'],
  ['(?:less than|fewer than|smaller than|lower than|under)', 'is below'],
];
const limits: readonly (readonly [words: string, ours: string])[] = [
  ['at least', 'is at least'],
  ['at most', 'is at most'],
  ['(?:above|over|more than)', 'is above'],
  ['(?:below|under|less than)', 'is below'],
];

/** @param ours how the condition about all items begins, and what closes it */
function quantified(who: string, [begin, end]: readonly [string, string]): Phrase[] {
  const of = `(?:${who}) (?:of )?(?:the )?${NAME}`;
  return [
    ...tests.map(([words, is]) =>
      says(
        `${of} (?:is|are) ${words} ${VALUE}${YEARS}`,
        `${begin} item in $1 satisfies years from item.birth-date to today ${is} $2${end}`,
        calculate,
      ),
    ),
    ...limits.map(([words, is]) =>
      says(
        `${of} (?:is|are) ${words} (\\d+) years?(?: old| of age)?`,
        `${begin} item in $1 satisfies years from item.birth-date to today ${is} $2${end}`,
        calculate,
      ),
    ),
    ...amounts.map(([words, is]) =>
      says(
        `${of} are ${words} ${VALUE}${END}`,
        `${begin} item in $1 satisfies item.total ${is} $2${end}`,
        'Name the field to compare.',
      ),
    ),
    ...limits.map(([words, is]) =>
      says(
        `${of} have (?:an? |the )?${FIELD} (?:of )?${words} ${VALUE}${END}`,
        `${begin} item in $1 satisfies item.$2 ${is} $3${end}`,
      ),
    ),
    says(
      `${of} have (?:an? |the )?${FIELD} (?:of )?("[^"]*"|-?\\d[\\d.]*)${END}`,
      `${begin} item in $1 satisfies item.$2 is $3${end}`,
    ),
    says(`${of} are (not )?(?!empty\\b)([A-Za-zª_]+)${END}`, `${begin} item in $1 satisfies $2item.$3${end}`),
    says(`${of} are (not )?${REST}`, `${begin} item in $1 satisfies item is $2$3${end}`),
  ];
}

/** Conditions about the items of a list, as people say them: all orders are paid, no person is younger than 18. */
export const itemPhrases: readonly Phrase[] = [
  ...tests.map(([words, is]) =>
    says(
      `(some|any|every|each) ${FIELD} in ${NAME} is ${words} ${VALUE}${YEARS}`,
      `$1 $2 in $3 satisfies years from $2.birth-date to today ${is} $4`,
      calculate,
    ),
  ),
  ...quantified('all|every', ['every', '']),
  ...quantified('any|some', ['some', '']),
  ...quantified('no|none', ['not (some', ')']),
];
