// Dates, lists and percentages in everyday words.
import { anywhere, NAME, type Phrase, says, VALUE } from './phrase.js';

const UNITS = '(days|weeks|months|years|hours|minutes|seconds|working\\s+days)';
const PERIOD = '(week|month|quarter|year)';

const dates: readonly Phrase[] = [
  says(String.raw`${UNITS}\s+between\s+${VALUE}\s+and\s+${VALUE}`, '$1 from $2 to $3'),
  says(String.raw`(?:the\s+)?difference\s+between\s+${VALUE}\s+and\s+${VALUE}`, 'days from $1 to $2'),
  says(String.raw`is\s+in\s+the\s+past`, 'is before today'),
  says(String.raw`is\s+in\s+the\s+future`, 'is after today'),
  says(String.raw`is\s+later(?:\s+th[ae]n)?`, 'is after'),
  says(String.raw`is\s+earlier(?:\s+th[ae]n)?`, 'is before'),
  says(String.raw`(?:the\s+)?(?:first\s+day|start|beginning)\s+of\s+(?:the\s+|this\s+)?${PERIOD}\s+of`, 'start of $1 of'),
  says(String.raw`(?:the\s+)?(?:last\s+day|end)\s+of\s+(?:the\s+|this\s+)?${PERIOD}\s+of`, 'end of $1 of'),
  says(String.raw`(?:the\s+)?(?:first\s+day|start|beginning)\s+of\s+(?:the\s+|this\s+)?${PERIOD}`, 'start of $1 of today'),
  says(String.raw`(?:the\s+)?(?:last\s+day|end)\s+of\s+(?:the\s+|this\s+)${PERIOD}`, 'end of $1 of today'),
  says(String.raw`the\s+(weekday|day|week|month|year|hour|minute|date)\s+of`, '$1 of'),
  says(String.raw`${NAME}\s+(?:formatted\s+|written\s+|shown\s+)?(?:as|in|like)\s+("[^"]*")`, 'text of $1 written as $2'),
  { find: /(?<![\p{L}\p{N}_.-])(weekday|day|week|month|year|hour|minute)\s?\(\s?([^()\s]{1,80})\s?\)/diu, write: '$1 of $2' },
  {
    find: anywhere(String.raw`(?:plus|minus)\s+\d+\s+\p{L}+\s+and\s+\d+\s+(?:days?|weeks?|months?|years?|hours?|minutes?)`),
    hint: 'Repeat the operator:\n    today plus 1 week plus 2 days',
  },
];

const lists: readonly Phrase[] = [
  says(String.raw`sorted\s+by\s+${NAME}\s+(?:ascending|asc|upwards?)`, 'sorted by $1'),
  says(
    String.raw`sorted\s+(?:descending|desc)\s+by\s+${NAME}|sorted\s+by\s+${NAME}\s+(?:desc|downwards?)`,
    'sorted by $1$2 descending',
  ),
  says(String.raw`(?:ordered|sort|order)\s+by`, 'sorted by'),
  says(String.raw`(?:grouped\s+(?:on|per)|group\s+by)`, 'grouped by'),
  says(String.raw`group\s+${NAME}\s+by\s+${NAME}`, '$1 grouped by $2'),
  says(String.raw`(first|last)\s+(\d+)\s+(?:letters|chars|digits)\s+of`, '$1 $2 characters of'),
  says(String.raw`(?:left|start)\s+(\d+)\s+of`, 'first $1 characters of'),
  says(String.raw`right\s+(\d+)\s+of`, 'last $1 characters of'),
  says(String.raw`top\s+(\d+)(?:\s+of)?`, 'first $1 of'),
  says(String.raw`(first|last)\s+(\d+)\s+(?!of\b|characters\b)${NAME}`, '$1 $2 of $3'),
  says(String.raw`(?:distinct|unique)\s+(?:values\s+of\s+)?(?!of\b)${NAME}`, 'unique of $1'),
  says(String.raw`all\s+(?:the\s+)?\p{L}+\s+in\s+${NAME}\s+where`, 'each line in $1 where'),
  says(String.raw`each\s+${NAME}\s+where`, 'each $1 in request.items where'),
  says(String.raw`(?<!\bin\s)${NAME}\s+where\s+${NAME}`, 'each line in $1 where line.$2'),
  {
    find: /(?<![\p{L}\p{N}_.-])filter\s*\(/diu,
    hint: 'To pick some items of a list, write:\n    each line in request.lines where line.price is above 5',
  },
  {
    find: anywhere(
      String.raw`(?:a\s+)?records?\s+with\s+([\p{L}_][\p{L}\p{N}_-]*)\s*(?:,|\band\b)\s*(?:and\s+)?([\p{L}_][\p{L}\p{N}_-]*)(?=\s*(?:$|,))`,
    ),
    write: 'record with $1 $1 and $2 $2',
    hint: 'Each field of a record has a name and a value.',
  },
  says(String.raw`records\s+with\s+([\p{L}_][\p{L}\p{N}_-]*\s+[^\s,].*)`, 'record with $1'),
  says('split\\s+(?:with|at|on)', 'split by'),
  says('joined\\s+(?:by|using|through)', 'joined with'),
  says('(?:an?\\s+)?(?:new|empty)\\s+list', '[]'),
  says('(?:an?\\s+)?(?:new|empty)\\s+record', 'empty'),
  {
    find: anywhere('(?:a\\s+)?record\\s+(?!with\\b)(?:[\\p{L}_][\\p{L}\\p{N}_-]*)\\s+'),
    hint: 'Write it like this:\n    record with name "Ada" and total 5',
  },
  says(String.raw`${NAME}\s+in\s+(uppercase|lowercase)`, '$2 of $1'),
];

const shares: readonly Phrase[] = [
  says(String.raw`(\d+(?:\.\d+)?)\s+percent\s+(?!of\b)${NAME}`, '$1 percent of $2'),
  {
    find: anywhere(String.raw`(?:plus|minus)\s+\d+(?:\.\d+)?\s+percent`),
    hint: 'Say what it is a percentage of:\n    total plus 10 percent of total',
  },
  says(String.raw`${VALUE}\s+(?:mod|modulo)\s+${VALUE}`, 'remainder of $1 divided by $2'),
  says(String.raw`rounded\s+(up|down)(?!\s+to)`, 'rounded $1 to 0 places'),
  says(String.raw`rounded(?!\s+(?:to|up|down))`, 'rounded to 2 places'),
];

export const operationPhrases: readonly Phrase[] = [...dates, ...lists, ...shares];
