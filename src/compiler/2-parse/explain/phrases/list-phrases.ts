// Lists and their items in other words.
import { AMOUNT, anywhere, FIELD, NAME, type Phrase, says } from './phrase.js';

/** A list with a name in the plural: two groups, the list and the word for an item. */
const ITEMS = String.raw`((?:[A-Za-zª_][A-Za-zª\d_-]*\.)*([A-Za-zª_][A-Za-zª\d_-]*?[^\Ws])s)`;
const CONDITION = String.raw`((?:is|contains|starts|ends|exists|does)\b.*?)(?=\s*(?::|\)|,|$))`;
const HIGHEST = '(?:highest|largest|biggest|greatest|most|maximum|max|top)';
const LOWEST = '(?:lowest|smallest|cheapest|least|minimum|min)';

const conditions: readonly Phrase[] = [
  says(`(count|first|last) of ${ITEMS} where (?:\\3\\.)?${FIELD} ${CONDITION}`, '$1 of (each $3 in $2 where $3.$4 $5)'),
  says(`(?<!\\bin )(?:all |the |each |every )?${ITEMS} where (?:\\2\\.)?${FIELD} ${CONDITION}`, 'each $2 in $1 where $2.$3 $4'),
];

/** The words before "for each", when people start with them. */
const rounds: readonly Phrase[] = [
  says(`(sum|average|highest|lowest)(?: of)? for each ${FIELD} in ${NAME}:?(?: of)? ${NAME}`, '$1 of ($4 for each $2 in $3)'),
  says(`(?<=\\bto )for each ${FIELD} in ${NAME}:? (sum|average|highest|lowest) of ${NAME}`, '$3 of ($4 for each $1 in $2)'),
  says(`(?<=\\bto )for each ${FIELD} in ${NAME}:? ${NAME}`, '$3 for each $1 in $2'),
];

const fields: readonly Phrase[] = [
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
  says(`(?:the )?${FIELD} with (?:the )?${HIGHEST} ${FIELD}`, 'first of ($1s sorted by $2 descending)'),
  says(`(?:the )?${FIELD} with (?:the )?${LOWEST} ${FIELD}`, 'first of ($1s sorted by $2)'),
  says(`(?:the )?${LOWEST} (?!of\\b)${FIELD} by ${FIELD}`, 'first of ($1s sorted by $2)'),
  {
    find: anywhere(String.raw`(?<=\bto\s+)${ITEMS}\s+by\s+${FIELD}$`),
    hint: 'Say whether to sort or to group:\n    $1 sorted by $3\n    $1 grouped by $3',
  },
];

const texts: readonly Phrase[] = [
  says('split ("[^"]*")', 'split by $1'),
  says(`${NAME} without (?:spaces|blanks)`, '$1 with " " replaced by ""'),
  says(`${NAME} padded to (\\d+)$`, '$1 padded to $2 with "0"'),
  says(`${NAME} as (?:an? )?(?:currency|money|amount)`, 'text of $1 written as "1,234.50"'),
  says(`round ${NAME}$`, '$1 rounded to 0 places'),
];

export const listPhrases: readonly Phrase[] = [...conditions, ...rounds, ...fields, ...orders, ...texts];
