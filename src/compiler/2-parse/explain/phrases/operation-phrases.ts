// Operations and comparisons in other words, and operations that wf does not have.
import { anywhere, NAME, type Phrase, says, VALUE } from './phrase.js';

const UNITS = '(days|weeks|months|years|hours|minutes|seconds|working\\s+days)';
const PERIOD = '(week|month|quarter|year)';

const dates: readonly Phrase[] = [
  says(String.raw`${UNITS}\s+between\s+${VALUE}\s+and\s+${VALUE}`, '$1 from $2 to $3'),
  says(String.raw`is\s+in\s+the\s+past`, 'is before today'),
  says(String.raw`is\s+later(?:\s+th[ae]n)?`, 'is after'),
  says(String.raw`is\s+earlier(?:\s+th[ae]n)?`, 'is before'),
  says(String.raw`(?:the\s+)?(?:first\s+day|start|beginning)\s+of\s+(?:the\s+|this\s+)?${PERIOD}\s+of`, 'start of $1 of'),
  says(String.raw`(?:the\s+)?(?:last\s+day|end)\s+of\s+(?:the\s+|this\s+)?${PERIOD}\s+of`, 'end of $1 of'),
  says(String.raw`${NAME}\s+(?:formatted\s+|written\s+|shown\s+)?(?:as|in|like)\s+("[^"]*")`, 'text of $1 written as $2'),
  { find: /(?<![A-Za-zª\d_.-])(weekday|day|week|month|year|hour|minute)\s?\(\s?([^()\s]{1,80})\s?\)/di, write: '$1 of $2' },
  {
    find: anywhere(String.raw`(?:plus|minus)\s+\d+\s+[A-Za-zª]+\s+and\s+\d+\s+(?:days?|weeks?|months?|years?|hours?|minutes?)`),
    hint: 'Repeat the operator:\n    today plus 1 week plus 2 days',
  },
];

const lists: readonly Phrase[] = [
  says(String.raw`sorted\s+by\s+${NAME}\s+(?:ascending|asc|upwards?)`, 'sorted by $1'),
  says(String.raw`group\s+${NAME}\s+by\s+${NAME}`, '$1 grouped by $2'),
  says(String.raw`(first|last)\s+(\d+)\s+(?:letters|chars|digits)\s+of`, '$1 $2 characters of'),
  says(String.raw`(first|last)\s+(\d+)\s+(?!of\b|characters\b)${NAME}`, '$1 $2 of $3'),
  says(String.raw`(?:distinct|unique)\s+(?:values\s+of\s+)?(?!of\b)${NAME}`, 'unique of $1'),
  says(String.raw`(?<!\bin\s)${NAME}\s+where\s+${NAME}`, 'each line in $1 where line.$2'),
  {
    find: anywhere(
      String.raw`(?:a\s+)?records?\s+with\s+([A-Za-zª_][A-Za-zª\d_-]*)\s*(?:,|\band\b)\s*(?:and\s+)?([A-Za-zª_][A-Za-zª\d_-]*)(?=\s*(?:$|,))`,
    ),
    write: 'record with $1 $1 and $2 $2',
    hint: 'Each field of a record has a name and a value.',
  },
  says(String.raw`records\s+with\s+([A-Za-zª_][A-Za-zª\d_-]*\s+[^\s,].*)`, 'record with $1'),
  says('joined\\s+(?:by|using|through)', 'joined with'),
  says('(?:an?\\s+)?(?:new|empty)\\s+list', '[]'),
];

const shares: readonly Phrase[] = [says(String.raw`rounded(?!\s+(?:to|up|down))`, 'rounded to 0 places')];

export const operationPhrases: readonly Phrase[] = [...dates, ...lists, ...shares];

const MORE = 'greater|more|larger|bigger|higher|over';
const LESS = 'less|smaller|fewer|lower|under';
const OR_EQUAL = String.raw`\s+th[ae]n\s+or\s+(?:is\s+)?(?:equal(?:s)?(?:\s+to)?|the\s+same\s+as)|\s+or\s+equals?(?:\s+to|\s+than)?`;
const THAN = String.raw`(?:\s+th[ae]n)?`;

const repeat = 'A comparison has one value on each side. To compare the value again, write its name again.';

/** Comparisons in everyday words. The first matching phrase in the list counts. */
export const comparisonPhrases: readonly Phrase[] = [
  says(String.raw`there\s+(?:is|are)\s+(?:an?y?\s+|some\s+)?${NAME}`, '$1 is not empty'),
  says(
    String.raw`is\s+(?:at\s+least|from)\s+${VALUE}\s+(?:and|but|to|up\s+to)\s+(?:is\s+)?(?:at\s+most|to|up\s+to)\s+${VALUE}`,
    'is between $1 and $2',
  ),
  {
    find: anywhere(
      String.raw`${VALUE}\s+is\s+(above|below|at\s+least|at\s+most)\s+${VALUE}\s+(and|or|but)\s+(?:is\s+)?(above|below|at\s+least|at\s+most)\s+${VALUE}`,
    ),
    write: '$1 is $2 $3 $4 $1 is $5 $6',
    hint: repeat,
  },
  says(String.raw`(?:is\s+)?(?:${MORE})(?:${OR_EQUAL})`, 'is at least'),
  says(String.raw`(?:is\s+)?(?:${LESS})(?:${OR_EQUAL})`, 'is at most'),
  says(String.raw`(?:is\s+)?(?:${MORE}|older|later|exceeds|exceeding|beyond)${THAN}`, 'is above'),
  says(String.raw`is\s+(?:${LESS}|younger|earlier)${THAN}|(?:${LESS}|younger|earlier)\s+th[ae]n`, 'is below'),
  says(
    String.raw`(?:does\s+not|do\s+not|not)\s+(?:equals?|match(?:es)?)(?:\s+to)?|is\s+(?:not\s+(?:equal|the\s+same|same|identical)|different|unequal|other)(?:\s+(?:to|as|from|than))?|differs\s+from`,
    'is not',
  ),
  says(String.raw`is\s+(?:equal|the\s+same|same|identical|exactly)(?:\s+(?:to|as))?|equals?(?:\s+to)?`, 'is'),
  says(String.raw`is\s+either\s+${VALUE}\s+or\s+${VALUE}`, 'is one of [$1, $2]'),
  says(String.raw`("[^"]*")\s+(?:is\s+)?in\s+${NAME}`, '$2 contains $1'),
  {
    find: /\bis\s+like$/di,
    hint: 'Put the pattern in quotes. Elsewhere, # after a space starts a comment:\n    is like "####"',
  },
  says(String.raw`is\s+${VALUE},\s*${VALUE}\s*,?\s*or\s+${VALUE}`, 'is one of [$1, $2, $3]'),
  says(String.raw`is\s+(?:any|one|some)\s+of\s+${VALUE}\s*(?:,|or|and)\s*${VALUE}`, 'is one of [$1, $2]'),
  says(String.raw`is\s+(?:any\s+of|in|among|part\s+of|a\s+member\s+of|either)|in`, 'is one of'),
  says(
    String.raw`is\s+not\s+(?:set|present|given|defined|there|available|provided|known|filled(?:\s+in)?)|is\s+(?:missing|unset|undefined|unknown|null|absent)|(?:not|does\s+not)\s+exists|does\s+not\s+have(?:\s+a)?\s+value|has\s+no\s+value`,
    'does not exist',
  ),
  says(String.raw`(?:does\s+not|not)\s+(?:include|contains|have|includes|has)`, 'does not contain'),
  says('are|were|was|has\\s+been|have\\s+been', 'is'),
  says(String.raw`(?:begins|begin|start|starting)\s+with`, 'starts with'),
];

/** A function with its opening parenthesis, with "of", or with a value after it. */
const missing = (name: string, hint: string): Phrase => ({
  find: new RegExp(String.raw`(?<![A-Za-zª\d_.-])(?:${name})(?:\s*\(|\s+of\b|(?=\s+[A-Za-zª\d"])|(?=\s*$))`, 'di'),
  hint,
});

const plugin = 'For other mathematics, use a plugin, which is a few lines of JavaScript.';
const chance =
  'A workflow has no random numbers, so that it can be tested and continued after a crash. A service or a plugin can provide one.';

/** Operations that spreadsheets have and wf lacks, or has in another form. */
export const missingOperations: readonly Phrase[] = [
  missing('sqrt|sqr|root|square\\s+root|log10|ln|exp|sin|cos|tan', `wf doesn't have this operation. ${plugin}`),
  missing(String.raw`random|rand|randbetween|(?:a\s+)?random\s+number`, chance),
  missing(
    'capitali[sz]ed?|proper|title\\s*case|sentence\\s*case|ucfirst',
    'To capitalize the first letter, write:\n    set first to uppercase of first 1 characters of name\n    set rest to characters 2 to 200 of name\n    set name to "{first}{rest}"',
  ),
  {
    find: /(?<![A-Za-zª\d_.-])(?:vlookup|xlookup|hlookup|lookup|index|match)\s*\(/di,
    hint: 'To find a row in a list, write:\n    set rows to each row in request.rows where row.id is wanted\n    set row to first of rows',
  },
  {
    find: /(?<![A-Za-zª\d_.-])(?:ii?f|ifs|iferror|ifna|choose)\s*\(/di,
    hint: 'Put each case on separate lines: first the usual value, then an "if" with another value below it.',
  },
  says(
    String.raw`(?:the\s+)?(?:sub|grand\s+)?total\s+of\s+${NAME}`,
    'sum of $1',
    'It adds up a list of numbers, such as order.lines.amount.',
  ),
];
