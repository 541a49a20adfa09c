// Values, calculations and days as written in spreadsheets, other languages and everyday English.
import { anywhere, atStart, MONTH, NAME, type Phrase, says, VALUE } from './phrase.js';

const CURRENCY = 'USD|EUR|GBP|CHF|NGN|dollars?|euros?|pounds?|naira|cents?';
const MEASURE =
  'kg|kilos?|kilograms?|grams?|mg|tons?|tonnes?|lbs?|oz|km|cm|mm|kilomet(?:er|re)s?|met(?:er|re)s?|miles?|ml|lit(?:er|re)s?';
const TIMES = 'seconds?|minutes?|hours?|days?|weeks?|months?|years?';
const withoutUnit = 'Numbers have no unit. Say it in the name instead, such as weight-kg.';

const LENGTH = 'len|length|size';
/** Functions by their names in spreadsheets and programs: the first that takes as many arguments. Those of "of" also take several. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  'highest of': 'max|maximum|largest|highest',
  'lowest of': 'min|minimum|smallest|least|lowest',
  'average of': 'avg|average|mean',
  'sum of': 'sum|total|add',
  'count of $1': `${LENGTH}|count|counta`,
  '$1 rounded to $2 places': 'round',
  '$1 rounded up to $2 places': 'roundup|ceiling|ceil',
  '$1 rounded down to $2 places': 'rounddown|floor|trunc',
  '$1 rounded to 0 places': 'round',
  '$1 rounded up to 0 places': 'roundup|ceiling|ceil',
  '$1 rounded down to 0 places': 'rounddown|floor|trunc|int',
  'uppercase of $1': 'upper|uppercase|toupper|ucase',
  'lowercase of $1': 'lower|lowercase|tolower|lcase',
  'trimmed $1': 'trim|strip',
  'absolute value of $1': 'abs',
  'number of $1': 'float|parseint|parsefloat|number|value',
  'text of $1': 'str|tostring|text',
  'text of $1 written as $2': 'format|text|tofixed',
  'first of $1': 'first',
  'last of $1': 'last',
  '$1 split by $2': 'split',
  '$1 joined with $2': 'join',
  '$1 with $2 replaced by $3': 'replace|substitute',
  'remainder of $1 divided by $2': 'mod|remainder',
  '$1 contains $2': 'contains|includes',
  'first $2 characters of $1': 'left',
  'last $2 characters of $1': 'right',
  now: 'now',
  today: 'today|date',
};
const ARGUMENT = String.raw`([^(),]*[^(),\s])`;

/** A function with its arguments in parentheses. */
const call = (names: string, write: string, args: string): Phrase => ({
  find: new RegExp(String.raw`(?<![A-Za-zª\d_.-])(?:${names})\s*\(\s*${args}\s*\)`, 'di'),
  write,
});

const functions: readonly Phrase[] = [
  ...Object.entries(FUNCTIONS).flatMap(([write, names]) => {
    const count = /\$3/.test(write) ? 3 : /\$2/.test(write) ? 2 : /\$1/.test(write) ? 1 : 0;
    return write.endsWith(' of')
      ? [call(names, `${write} [$1]`, String.raw`([^()]*,[^()]*[^()\s])`), call(names, `${write} $1`, ARGUMENT)]
      : [call(names, write, Array<string>(count).fill(ARGUMENT).join(String.raw`\s*,\s*`))];
  }),
  {
    find: /(?<![A-Za-zª\d_.-])(?:concat|concatenate)\s*\(/di,
    hint: 'To join texts, put the values into one pair of quotes:\n    "{first} {last}"',
  },
];

export const valuePhrases: readonly Phrase[] = [
  ...functions,
  says(String.raw`${NAME}\s+(?:without|except|excluding)\s+${VALUE}`, 'each item in $1 where item is not $2'),
  says(`(?:${LENGTH})\\s+of`, 'count of'),
  says(String.raw`split\s+${VALUE}\s+(?:by|at|on|with)\s+${VALUE}`, '$1 split by $2'),
  says(String.raw`sort\s+${VALUE}\s+by\s+${VALUE}`, '$1 sorted by $2'),
  says(String.raw`rounded\s+to\s+(\d+)\s+(?:decimals?|digits?|decimal\s+places)`, 'rounded to $1 places'),
  {
    find: anywhere(
      String.raw`(?<!\b(?:log|with|ask)\s)(?:the|an?|my|our|this|that)\s+(?!(?:and|or|if|then|else|otherwise|is|plus|minus|times|number)\b)([A-Za-zª_][A-Za-zª\d_.-]*)`,
    ),
    write: '$1',
    hint: 'Write names without "the" or "a".',
  },
  {
    find: anywhere(String.raw`(?:\d{1,2}:\d{2}|\d{1,2})\s*(?:am|pm|a\.m\.|p\.m\.|o'clock|uhr)|\d{1,2}:\d{2}(?::\d{2})?`),
    hint: 'Put times in quotes, with hours from 0 to 23: "17:00"',
  },
  {
    find: /"[^"]*"(?=[A-Za-zª\d])|[A-Za-zª\d]"[^"]*"/di,
    hint: 'Text needs a space or a symbol on each side. For a quote inside text, write \\".',
  },
  {
    find: /("[^"]*")\s+("[^"]*")/di,
    write: '"@1@2"',
    hint: 'Two texts next to each other are one text in one pair of quotes.',
  },
  {
    find: /"[^"]*"\s+(?:log|set|add|save|complete|reject|wait)\b/di,
    hint: 'Write one statement per line.',
  },
  {
    find: anywhere(String.raw`(?<=\blog\s)${VALUE}\s*,\s*${VALUE}`),
    hint: 'To put several values into one text, write:\n    log "{first}, {last}"',
  },
  {
    find: anywhere(String.raw`(?<=\S\s)(?:(?:and|then)\s+)?(?:saved?|stored?)\s+.*`),
    hint: 'To keep a result, add a line below the call, indented by 4 more spaces:\n    save the result as order',
  },
  {
    find: anywhere(
      String.raw`("[^"]*")\s+(?!(?:and|or|with|plus|is|to|using|at|where|split|joined|padded|saved?|stored?|as|log|set|add|if|then)\b)${NAME}`,
    ),
    write: '"@1{$2}"',
    hint: 'To put a value into a text, write its name in braces.',
  },
  {
    find: anywhere(String.raw`with\s+${NAME}\s*(?::\s*|\s(?:is|as|equals|to|of)\s+)${VALUE}`),
    write: 'with $1 $2',
    hint: 'After "with", each value directly follows its name.',
  },
  says(String.raw`${VALUE}\s+(days?|weeks?|months?|years?)\s+(?:from|after)\s+(today|now)`, '$3 plus $1 $2'),
  says('multiplied\\s+(?:by|with)', 'times'),
  {
    find: anywhere(String.raw`(\d+(?:\.\d+)?)\s+(?:${CURRENCY}|pieces?|%)`),
    write: '$1',
    hint: 'Write numbers without a currency or a unit. For a percentage of something, write:\n    10 percent of total',
  },
  says(String.raw`(\d+(?:\.\d+)?)\s+(?:${MEASURE}|g|m|t|l)`, '$1', withoutUnit),
  says(String.raw`${NAME}\s+(?:${MEASURE}|${CURRENCY})`, '$1', withoutUnit),
  {
    find: anywhere(String.raw`(?<=\b(?:to|is|above|below|least|most|between|and)\s+)(\d+(?:\.\d+)?)\s+(${TIMES})`),
    write: '$1',
    hint: `Numbers have no unit. To calculate a date, write:\n    today plus $1 $2`,
  },
];

const UNIT = String.raw`(days?|weeks?|months?|years?|hours?|minutes?|working\s+days?)`;
const DAY = '(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)';
const AT_TIME = String.raw`(?:\s+(?:at|,)?\s*(?:noon|midnight|\d{1,2}(?::\d{2})?\s*(?:am|pm|o'clock|uhr)?))?`;

/** Monday is the first day of a week. */
const nextMonday = 'wait until start of week of (today plus 1 week)';

const ORDINAL = '(?:st|nd|rd|th|\\.)?';
const writtenDate = 'Put dates in quotes, with the year first: "2026-03-01"';

const dates: readonly Phrase[] = [
  says(String.raw`(\d{1,2})${ORDINAL}\s+(?:of\s+)?${MONTH},?\s+(\d{4})`, '"$3-%2-%1"'),
  says(String.raw`${MONTH}\s+(\d{1,2})${ORDINAL},?\s+(\d{4})`, '"$3-%1-%2"'),
  { find: anywhere(String.raw`(?:\d{1,2}${ORDINAL}\s+(?:of\s+)?${MONTH}|${MONTH}\s+\d{1,4}${ORDINAL})`), hint: writtenDate },
  says(String.raw`${NAME}\s+is\s+(not\s+)?in\s+${MONTH}`, 'month of $1 is $2#3'),
];

/** Before other comparisons: `older` alone could refer to numbers. */
export const dayPhrases: readonly Phrase[] = [
  ...dates,
  says(
    String.raw`${NAME}\s+is\s+(?:(?:more|longer)\s+than|over|older\s+than)\s+(\d+)\s+${UNIT}\s+(?:ago|old|in\s+the\s+past)`,
    '$1 is before today minus $2 $3',
  ),
  says(String.raw`${NAME}\s+is\s+older\s+than\s+(\d+)\s+${UNIT}`, '$1 is before today minus $2 $3'),
  says(String.raw`${NAME}\s+is\s+(?:younger|newer)\s+than\s+(\d+)\s+${UNIT}`, '$1 is after today minus $2 $3'),
  says(
    String.raw`${NAME}\s+is\s+(?:within|(?:within|in)\s+the\s+(?:next|coming)|due\s+in)\s+(\d+)\s+${UNIT}(?:\s+(?:away|from\s+(?:now|today)))?`,
    '$1 is on or before today plus $2 $3',
  ),
  says(
    String.raw`${NAME}\s+is\s+(?:on\s+)?(?:the|an?|at\s+the)\s+weekend(?:\s+day)?`,
    'weekday of $1 is one of ["Saturday", "Sunday"]',
  ),
  says(
    String.raw`${NAME}\s+is\s+(?:an?\s+)?(?:working|business|work)\s+day`,
    'working days from ($1 minus 1 day) to $1 is 1',
    'It counts Monday to Friday, without the holidays in config:.',
  ),
  says(String.raw`${NAME}\s+is\s+(?:on\s+)?an?\s+${DAY}`, 'weekday of $1 is "$2"'),
];

/** Waits that name a day instead of a date. */
export const waitPhrases: readonly Phrase[] = [
  {
    find: atStart(
      String.raw`wait\s+for\s+${NAME}(\s+with\s+.+?)?,?\s+(?:for|up\s+to|no\s+longer\s+than|max(?:imum)?)\s+(\d+)\s+(seconds?|minutes?|hours?|days?|weeks?)$`,
    ),
    write: 'wait for $1$2 at most $3 $4',
  },
  {
    find: atStart(String.raw`wait\s+(?:until|till|for)\s+(?:the\s+)?(?:next\s+)?${DAY}${AT_TIME}$`),
    hint: `Calculate the date. For next Monday, write:\n    ${nextMonday}`,
  },
  {
    find: atStart(String.raw`wait\s+(?:until|till|for)\s+(?:the\s+)?next\s+(month|quarter|year)$`),
    write: 'wait until (end of $1 of today) plus 1 day',
  },
  {
    find: atStart(String.raw`wait\s+(?:for\s+)?(\d+)\s+(?:business|working|work)\s+days?$`),
    write: 'wait until today plus $1 working days',
  },
  {
    find: atStart(
      String.raw`wait\s+(?:max(?:imum)?|at\s+most|up\s+to)\s+(\d+)\s+(seconds?|minutes?|hours?|days?|weeks?)\s+for\s+(?:the\s+|an?\s+)?(.+)$`,
    ),
    write: 'wait for $3 at most $1 $2',
  },
  {
    find: atStart(
      String.raw`wait\s+for\s+(?:the\s+|an?\s+)?${NAME}\s+(?:from|by)\s+([A-Za-zª_][A-Za-zª\d_.-]*)(\s+at\s+most\s+\d+\s+[A-Za-zª]+)?$`,
    ),
    write: 'wait for $1 with sender $2$3',
    hint: 'A name and a value say which message it is. The sender of the message names the same value.',
  },
  { find: atStart(String.raw`wait\s+for\s+(\d+)\s+(days?|weeks?)$`), write: 'wait $1 $2' },
];
