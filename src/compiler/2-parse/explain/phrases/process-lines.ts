// Lines and values as they stand in descriptions of processes.
import { AMOUNT, anywhere, atStart, begins, FIELD, NAME, type Phrase, says, VALUE } from './phrase.js';

const FIRST_WORD = '(?:first|top)';
const IS = '(?:is(?: (?:at most|at least|above|below|up to|equal to))?|=|equals)';
const headingsCompare = 'The headings of the table say how values are compared.';
const ORDER = '(?:at most|max(?:imum)?|only(?: the first)?|up to|but only)';

/** `approve by Manager within 3 days`: what follows the person, and the question that is meant. */
const DECISIONS = [
  [
    String.raw`\s+within\s+(\d+)\s+(minutes?|hours?|days?|weeks?|working\s+days?)`,
    'Write:\n    ask $3 to $1$2\n        within $4 $5',
  ],
  ['', 'Write:\n    ask $3 to $1$2'],
] as const;
const WEEKDAY = '(monday|tuesday|wednesday|thursday|friday|saturday|sunday|day|weekday|working day)';

export const processLines: readonly Phrase[] = [
  begins(`every ${NAME} (?:in|of) ${NAME}:?$`, 'for each $1 in $2:'),
  {
    find: atStart(String.raw`(?:and|or)(?=\s)`),
    hint: "A line can't continue the one above it. Put the whole condition on one line.",
  },
  begins(
    `(?:calculate|compute|determine|work out|find(?: out)?|get|check) (?:the |their |his |her )?age (?:of|from|with|using|by) ${NAME}$`,
    'set age to years from $1 to today',
  ),
  // People and timetables.
  ...DECISIONS.map(
    ([words, hint]): Phrase => ({
      find: atStart(
        `(approve|confirm|review|check|sign|decide|release)( [^":]+?)?\\s+by\\s+(?:the\\s+)?([A-Zª][A-Za-zª\\d_-]*)${words}$`,
      ),
      hint,
    }),
  ),
  {
    find: atStart(`every ${WEEKDAY}\\s+at\\s+(\\d{1,2}:\\d{2})\\s*:?$`),
    hint: 'When a workflow starts is a setting. Put it under config:, and the lines below it into the workflow:\n    schedule: "every $1 at $2"',
  },
  // Tables.
  begins(`set ${NAME} to (?:the )?look ?up (?:the )?${FIELD} (?:in|from) ([^"]+?) with (.+)$`, 'look up $2 in $3 with $4'),
  begins(
    `look up (.+?) in (.+?) with ${FIELD}\\.${FIELD} and ${FIELD}\\.${FIELD}$`,
    'look up $1 in $2 with $4 $3.$4 and $6 $5.$6',
    'Each value follows the name of its column.',
  ),
  begins(
    `look up (.+?) in (.+?) with ${FIELD}\\.${FIELD}$`,
    'look up $1 in $2 with $4 $3.$4',
    'Each value follows the name of its column.',
  ),
  begins(
    `(?:find|get|take|read|search) (?:the )?${FIELD} (?:in|from) ([A-Zª][A-Za-zª\\d _-]*?) (?:where|by|for) (?:the )?${FIELD} ${IS} ${VALUE}$`,
    'look up $1 in $2 with $3 $4',
    headingsCompare,
  ),
  begins(
    `(?:find|get|take|read|search) (?:the )?${FIELD} (?:in|from) ([A-Zª][A-Za-zª\\d _-]*?) (?:where|by|for) (?:the )?${FIELD} ${IS} ${VALUE} and (?:the )?${FIELD} ${IS} ${VALUE}$`,
    'look up $1 in $2 with $3 $4 and $5 $6',
    headingsCompare,
  ),
  // Lists.
  begins(`for each ${FIELD} in ([^,]+?),? ${ORDER} ${AMOUNT}(?: of them| times)?\\s*:?$`, 'for each $1 in first #3 of ($2):'),
  begins(
    `for (?:each of )?(?:each )?(?:the )?${FIRST_WORD} ${AMOUNT} ([A-Za-zª]+?)s? (?:in|of|from) ${NAME}\\s*:?$`,
    'for each $2 in first #1 of $3:',
  ),
  begins(
    `(?:sort|order) request\\.${FIELD} by ${NAME}(?:,? (descending|desc))$`,
    'set $1 to request.$1 sorted by $2 descending',
    'The request stays as it is. Set a variable.',
  ),
  begins(
    `(?:sort|order) request\\.${FIELD} by ${NAME}$`,
    'set $1 to request.$1 sorted by $2',
    'The request stays as it is. Set a variable.',
  ),
  begins(`(?:sort|order) ${FIELD} by ${NAME},? (?:descending|desc)$`, 'set $1 to $1 sorted by $2 descending'),
  // Services and other workflows.
  begins(
    `ask ([A-Za-zª][A-Za-zª\\d_-]*) for (?:the |an? )?([^"]+?) with (.+)$`,
    'get $2 using $1 with $3',
    'Only people and AIs are asked:\n    ask Writer to summarize this text: {request.text}',
  ),
  {
    find: atStart(String.raw`[^"]*\busing\b.*\b${FIELD}\s+text\s*:$|[^"]*\busing\b.*\b(?:with|and)\s+${FIELD}\s*:$`),
    hint: 'Set the text first, then send it:\n    set letter to text:\n        Dear {request.name},\n    send letter using Post with to request.email and text letter',
  },
  {
    find: atStart(
      String.raw`[^"]*\busing\s+([A-Za-zª][A-Za-zª\d_-]*)(?:\s+at\s+"[^"]*")?\s+with\s+(?:the\s+)?(?:whole\s+)?(?:request|input|everything)$`,
    ),
    hint: 'Name each value to send:\n    get discount using $1 with customer request.customer and total request.total',
  },
];

const UNIT = '(seconds?|minutes?|hours?|days?|weeks?|months?|years?|working days?)';
const UNITS = '(seconds|minutes|hours|working days|days|weeks|months|years)';
const DAY = '(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)';
const DEAREST = '(?:most expensive|dearest|priciest|costliest|highest|largest|biggest|greatest|top|best|max(?:imum)?)';
const CHEAPEST = '(?:least expensive|cheapest|lowest|smallest|bottom|min(?:imum)?)';
const SOME_LINES = '(?:(?!of |in )[A-Za-zª-]+ )?(?:of|in|from)';

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
    `(?:the )?${NAME} (?:has passed|is over(?! (?!and\\b|or\\b)[A-Za-zª\\d"(-])|has expired|is expired|is overdue)`,
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
    `(?:the )?(?:${DEAREST} ${AMOUNT}|${AMOUNT} ${DEAREST}) ${SOME_LINES} ([A-Za-zª_][A-Za-zª\\d_-]*\\.[A-Za-zª_][A-Za-zª\\d_-]*)\\.${FIELD}`,
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
      String.raw`sorted\s+by\s+[A-Za-zª_][A-Za-zª\d_.-]*\s+(?:times|plus|minus|divided\s+by)\s+[A-Za-zª_][A-Za-zª\d_.-]*`,
    ),
    hint: 'A list is sorted by a field of its items. Give each item a field with the result:\n    set lines to (record with sku line.sku and total (line.price times line.quantity)) for each line in request.lines\n    set sorted to lines sorted by total descending',
  },
];

const amounts: readonly Phrase[] = [
  says(`rounded (up to|down to|to) (\\d+) (?:decimals?|digits?|decimal places?|digits? after the point)`, 'rounded $1 $2 places'),
  says(`(plus|minus) ${VALUE} (?:business|office|work) (hours?|days?)`, '$1 $2 working $3'),
  says(
    `${NAME} (?:without|except|excluding) ("[^"]*")`,
    '$1 with $2 replaced by ""',
    'To leave an item out of a list, write:\n    each item in $1 where item is not $2',
  ),
  says(`${NAME} (plus|minus) (\\d+(?:\\.\\d+)?) percent(?! of)`, '$1 $2 $3 percent of $1'),
  says(`${VALUE} percent (?:more|higher|extra) than ${NAME}`, '$2 plus $1 percent of $2'),
  says(`${VALUE} percent (?:less|lower|off|cheaper) (?:than )?${NAME}`, '$2 minus $1 percent of $2'),
];

/**
 * Ages, deadlines, shares and the dearest lines, as people who own such a process say them. Searched before all other phrases for values.
 */
export const processValues: readonly Phrase[] = [...ages, ...lists, ...amounts];
