// Ages, deadlines, shares and the dearest lines, as people who own such a process say them. Searched before all other phrases for values.
import { AMOUNT, anywhere, FIELD, NAME, type Phrase, says, VALUE } from './phrase.js';

const UNIT = '(seconds?|minutes?|hours?|days?|weeks?|months?|years?|working days?)';
const UNITS = '(seconds|minutes|hours|working days|days|weeks|months|years)';
const DAY = '(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)';
const DEAREST = '(?:most expensive|dearest|priciest|costliest|highest|largest|biggest|greatest|top|best|max(?:imum)?)';
const CHEAPEST = '(?:least expensive|cheapest|lowest|smallest|bottom|min(?:imum)?)';
const SOME_LINES = String.raw`(?:(?!of |in )[\p{L}-]+ )?(?:of|in|from)`;

const sortField = 'Name the field to sort by.';

const ages: readonly Phrase[] = [
  says(
    `(?:the )?(?:${FIELD}) is younger than (\\d+)(?: years(?: old)?)?`,
    'years from request.birth-date to today is below $2',
    'Calculate with the date of birth.',
  ),
  says(
    `(?:the )?(?:${FIELD}) is older than (\\d+)(?: years? old)?(?! (?:days?|weeks?|months?|years?|working|hours?|minutes?)\\b)`,
    'years from request.birth-date to today is above $2',
    'Calculate with the date of birth.',
  ),
  says(`(?:(?:the )?(?:number of )?(?:full|whole|completed) )?${UNITS} (?:since|passed since) ${NAME}`, '$1 from $2 to today'),
  says(`${UNITS} (?:until|till|left until) ${NAME}`, '$1 from today to $2'),
  says(
    `(?:the )?${NAME} (?:has passed|is over(?! (?!and\\b|or\\b)[\\p{L}\\d"(-])|has expired|is expired|is overdue)`,
    '$1 is before today',
  ),
  says(`it is (?:a|the|at the|on a) weekend`, 'weekday of today is one of ["Saturday", "Sunday"]'),
  says(`it is (?:on )?an? ${DAY}`, 'weekday of today is "^1"'),
  says(`${NAME} is (?:on )?an? ${DAY} or (?:an? )?${DAY}`, 'weekday of $1 is one of ["^2", "^3"]'),
  says(`${NAME} is (?:on )?an? ${DAY}`, 'weekday of $1 is "^2"'),
];

const lists: readonly Phrase[] = [
  says(
    `(?:each )?(?:all )?${FIELD} (?:in|from|of) ${NAME} where (?:the )?${FIELD} is (?:older than|more than|before) (\\d+) ${UNIT}(?: ago| old)?`,
    'each item in $2 where item.$3 is before today minus $4 $5',
  ),
  says(`(?:each |all )?${FIELD} in ${NAME} where (?:the )?${FIELD} (is|was|contains|starts)`, 'each item in $2 where item.$3 $4'),
  says(
    `all (?:the )?${FIELD} (?:that are )?older than (\\d+) ${UNIT}`,
    'each item in request.$1 where item.date is before today minus $2 $3',
    'Name the field that has the date.',
  ),
  says(
    `(?:the )?(?:${DEAREST} ${AMOUNT}|${AMOUNT} ${DEAREST}) ${SOME_LINES} ${NAME} (?:sorted )?by ${NAME}`,
    'first #1#2 of ($3 sorted by $4 descending)',
  ),
  says(
    `(?:the )?(?:${CHEAPEST} ${AMOUNT}|${AMOUNT} ${CHEAPEST}) ${SOME_LINES} ${NAME} (?:sorted )?by ${NAME}`,
    'first #1#2 of ($3 sorted by $4)',
  ),
  says(
    `(?:the )?(?:${DEAREST} ${AMOUNT}|${AMOUNT} ${DEAREST}) ${SOME_LINES} ([\\p{L}_][\\p{L}\\p{N}_-]*\\.[\\p{L}_][\\p{L}\\p{N}_-]*)\\.${FIELD}`,
    'first #1#2 of ($3 sorted by $4 descending)',
  ),
  says(
    `(?:the )?(?:${DEAREST} ${AMOUNT}|${AMOUNT} ${DEAREST}) ${SOME_LINES} ${NAME}`,
    'first #1#2 of ($3 sorted by price descending)',
    sortField,
  ),
  says(
    `(?:the )?(?:${CHEAPEST} ${AMOUNT}|${AMOUNT} ${CHEAPEST}) ${SOME_LINES} ${NAME}`,
    'first #1#2 of ($3 sorted by price)',
    sortField,
  ),
  says(`(?:the )?(first|last) ${AMOUNT} (?!(?:letters?|characters?|chars?|digits?)\\b)${SOME_LINES} ${NAME}`, '$1 #2 of $3'),
  says(`each ${FIELD}\\.${NAME} (?:in|of) ${NAME}`, '$1.$2 for each $1 in $3'),
  {
    find: anywhere(
      String.raw`sorted\s+by\s+[\p{L}_][\p{L}\p{N}_.-]*\s+(?:times|plus|minus|divided\s+by)\s+[\p{L}_][\p{L}\p{N}_.-]*`,
    ),
    hint: 'A list is sorted by a field of its items. Give each item a field with the result:\n    set lines to (record with sku line.sku and total (line.price times line.quantity)) for each line in request.lines\n    set sorted to lines sorted by total descending',
  },
];

const amounts: readonly Phrase[] = [
  says(
    `${NAME} (?:without|except|excluding) ("[^"]*")`,
    '$1 with $2 replaced by ""',
    'To leave an item out of a list, write:\n    each item in $1 where item is not $2',
  ),
  says(`${NAME} (plus|minus) (\\d+(?:\\.\\d+)?) percent(?! of)`, '$1 $2 $3 percent of $1'),
  says(`${VALUE} percent (?:more|higher|extra) than ${NAME}`, '$2 plus $1 percent of $2'),
  says(`${VALUE} percent (?:less|lower|off|cheaper) (?:than )?${NAME}`, '$2 minus $1 percent of $2'),
];

export const processValues: readonly Phrase[] = [...ages, ...lists, ...amounts];
