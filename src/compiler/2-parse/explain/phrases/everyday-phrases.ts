// Values and conditions as people say them in e-mails: amounts of days, shares, lengths, lists. Searched before all other phrases.
import { twoKeys } from '../../../vocabulary/two-keys.js';
import { anywhere, FIELD, NAME, type Phrase, says, VALUE } from './phrase.js';

const UNIT = '(seconds?|minutes?|hours?|days?|weeks?|months?|years?)';
const WORKING = '(?:working|business|work) days?';
const QUOTED = '("[^"]*")';

const days: readonly Phrase[] = [
  says(`(?:in )?${VALUE} ${WORKING} (?:from|after) ${NAME}`, '$2 plus $1 working days'),
  says(`in ${VALUE} ${WORKING}`, 'today plus $1 working days'),
  says(`(plus|minus) ${VALUE} (?:business|work) days?`, '$1 $2 working days'),
  says(`${VALUE} ${UNIT} after ${NAME}`, '$3 plus $1 $2'),
  says(`${VALUE} ${UNIT} before ${NAME}`, '$3 minus $1 $2'),
  says(`(?<=\\bto )in (\\d+) ${UNIT}`, 'today plus $1 $2'),
  says(`next (week|month|year)`, 'today plus 1 $1'),
  says(`${NAME} minus ${NAME} in (years|months|weeks|days|hours|minutes|working days)`, '$3 from $2 to $1'),
  says(`(?:the )?age of ((?:${FIELD}\\.)*(?:born|birth[a-z-]*|date-of-birth))`, 'years from $1 to today'),
  says(`(?:month name|name of the month) of ${NAME}`, 'text of $1 written as "MMMM"'),
  says(`(date|time|text|number) of ${VALUE} (?:as|in|like|formatted as|written) ${QUOTED}`, '$1 of $2 written as $3'),
  says(
    `(is (?:at least|at most|above|below)) (-?[\\d.]+) (?:years?|months?|weeks?|days?|hours?)(?: old)?`,
    '$1 $2',
    'Numbers have no unit here.',
  ),
];

const shares: readonly Phrase[] = [
  says(`${NAME} (plus|minus) ([A-Za-zª_][A-Za-zª\\d_.-]*) percent(?! of)`, '$1 $2 $3 percent of $1'),
  says(`(?:text of )?${NAME} with (?:2|two) (?:decimals?|decimal places|digits)`, 'text of $1 written as "1.50"'),
];

const texts: readonly Phrase[] = [
  says(`(?:separated|divided|cut|splitted) (?:by|at|on) ${QUOTED}`, 'split by $1'),
  says(`(?:trim|${NAME} trimmed)$`, 'trimmed $1'),
  says(`substring of ${NAME} from ${VALUE} to ${VALUE}`, 'characters $2 to $3 of $1'),
  says(`ends (?:in|by|on)|ending (?:with|in)`, 'ends with'),
  says(
    `${NAME} (?:is longer than|has more than) ${VALUE}(?: (?:characters?|letters?|items?|rows?|entries))?`,
    'count of $1 is above $2',
  ),
  says(`${NAME} is (?:evenly )?divisible by ${VALUE}`, 'remainder of $1 divided by $2 is 0'),
];

const lists: readonly Phrase[] = [
  says(`(?:the )?(?:max(?:imum)?)(?: value)? of`, 'highest of'),
  says(`(sum|highest|lowest|average) of (?!each\\b)([A-Za-zª_][A-Za-zª\\d_-]*) (?:in|of) ${NAME}`, '$1 of $3.$2'),
  says(`(highest|lowest|average) ([A-Za-zª_][A-Za-zª\\d_-]*) (?:of|in) ${NAME}`, '$1 of $3.$2'),
  says(
    `(?!(?:count|sum|first|last|highest|lowest|average|unique) )([A-Za-zª_][A-Za-zª\\d_-]*) of each ${NAME} in ${NAME}`,
    '$2.$1 for each $2 in $3',
  ),
  says(`(count|sum|first|last|highest|lowest|average) of (each [^:]+)`, '$1 of ($2)'),
  says(`the (count|sum|first|last|highest|lowest|average) of`, '$1 of'),
  {
    find: anywhere(String.raw`(?:item|element|row)\s+(?:number\s+)?\d+\s+of\s+${NAME}`),
    hint: 'Write its position after a dot, counting from 0. The first item is:\n    $1.0',
  },
  says(`(?:the )?reverse of ${NAME}|reverse ${NAME}|${NAME} (?:reversed|backwards|in reverse(?: order)?)`, 'reversed $1$2$3'),
  says(
    `${NAME} sorted by ${NAME},?(?: from| in)? (?:high(?:est)? to low(?:est)?|highest first|largest first|descending order)`,
    '$1 sorted by $2 descending',
  ),
  ...['sorted', 'grouped'].map((how) => ({
    find: anywhere(
      `${NAME}\\s+${how}\\s+by\\s+${NAME}(?:\\s*,|\\s+(?:and|then)\\b)\\s*(?!descending\\b)(?:and\\s+)?(?:then\\s+)?(?:by\\s+)?${NAME}`,
    ),
    hint: `A list is ${how} by a single field. ${twoKeys(how, '$1', '$2', '$3')}`,
  })),
  says(`sorted ${NAME} by ${NAME}`, '$1 sorted by $2'),
  says(`sorted by ${NAME}, descending`, 'sorted by $1 descending'),
  says(`${NAME} without (?:duplicates|doubles|repetitions)`, 'unique of $1'),
  says(`(some|every) ${NAME} in ${NAME} where`, '$1 $2 in $3 satisfies'),
  says(`is (not )?one of \\(([^()]+)\\)`, 'is $1one of [$2]'),
  says(
    `${VALUE} (is (?:above|below|at least|at most)) ${NAME} (is (?:above|below|at least|at most)) ${VALUE}`,
    '$1 $2 $3 and $3 $4 $5',
  ),
];

const COMPARED = '(above|below|at least|at most)';

const LITERAL = String.raw`(?:"[^"]*"|-?\d[\d.]*)`;

/** Words that are left out, or said once too often. */
const slips: readonly Phrase[] = [
  says(
    `(?:at least )?(?:one|any|some) of (?:the )?${NAME} has (?:an? |the )?${FIELD} (?:is )?${COMPARED} ${VALUE}`,
    'some item in $1 satisfies item.$2 is $3 $4',
  ),
  says(`complete with ${NAME} ${VALUE} (?!and\\b)${NAME} ${QUOTED}`, 'complete with $1 $2 and $3 $4'),
  says(
    `is (not )?one of (${LITERAL}(?:\\s*,\\s*${LITERAL})+)(?:\\s*,?\\s*(?:and|or)\\s+(${LITERAL}))?(?=\\s*(?::|\\)|$|and\\b|or\\b))`,
    'is $1one of [$2]',
  ),
  says(`reject with (?:message|reason|text|error) ${QUOTED}`, 'reject with $1'),
  says(`is ${VALUE} or is ${VALUE}`, 'is one of [$1, $2]'),
  says(`(some|every) ${NAME} in ${NAME} has ${NAME} ${COMPARED}`, '$1 $2 in $3 satisfies $2.$4 is $5'),
  says(`any ${NAME} in ${NAME} has ${NAME} ${COMPARED}`, 'some $1 in $2 satisfies $1.$3 is $4'),
  says(`(?<=\\bwhere )${NAME} ${COMPARED}`, '$1 is $2'),
  {
    find: anywhere(String.raw`(?<=\bto\s)[\d.]+\s+percent$`),
    hint: 'Say of what:\n    10 percent of total\nA percentage alone is a fraction: 15 percent is 0.15.',
  },
];

export const everydayPhrases: readonly Phrase[] = [...slips, ...days, ...shares, ...texts, ...lists];
