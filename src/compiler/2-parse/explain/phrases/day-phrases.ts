// Days and ages in everyday words.
import { anywhere, atStart, MONTH, NAME, type Phrase, says } from './phrase.js';

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
  says(
    String.raw`${NAME}\s+is\s+(?:less\s+than|under|younger\s+than|newer\s+than)\s+(\d+)\s+${UNIT}\s+(?:ago|old)`,
    '$1 is after today minus $2 $3',
  ),
  says(String.raw`${NAME}\s+is\s+(?:younger|newer)\s+than\s+(\d+)\s+${UNIT}`, '$1 is after today minus $2 $3'),
  says(
    String.raw`${NAME}\s+is\s+(?:(?:within|in)\s+the\s+(?:last|past)|from\s+the\s+last)\s+(\d+)\s+${UNIT}`,
    '$1 is on or after today minus $2 $3',
  ),
  says(
    String.raw`${NAME}\s+is\s+(?:within|(?:within|in)\s+the\s+(?:next|coming)|due\s+in|less\s+than)\s+(\d+)\s+${UNIT}(?:\s+(?:away|from\s+(?:now|today)))?`,
    '$1 is on or before today plus $2 $3',
  ),
  says(
    String.raw`${NAME}\s+is\s+(?:on\s+)?(?:the|an?|at\s+the)\s+weekend(?:\s+day)?`,
    'weekday of $1 is one of ["Saturday", "Sunday"]',
  ),
  says(String.raw`${NAME}\s+is\s+(?:on\s+)?a\s+week\s?day`, 'weekday of $1 is not one of ["Saturday", "Sunday"]'),
  says(
    String.raw`${NAME}\s+is\s+(?:an?\s+)?(?:working|business|work)\s+day`,
    'working days from ($1 minus 1 day) to $1 is 1',
    'It counts Monday to Friday, without the holidays in config:.',
  ),
  says(
    String.raw`${NAME}\s+is\s+an?\s+(?:public\s+|bank\s+)?holiday`,
    'working days from ($1 minus 1 day) to $1 is 0',
    'True on weekends and on the holidays in config:.',
  ),
  says(String.raw`${NAME}\s+is\s+(?:on\s+)?an?\s+${DAY}`, 'weekday of $1 is "$2"'),
  says(String.raw`${NAME}\s+is\s+on\s+${DAY}`, 'weekday of $1 is "$2"'),
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
  { find: atStart(String.raw`wait\s+(?:until|till|for)\s+(?:the\s+)?next\s+week$`), write: nextMonday },
  {
    find: atStart(String.raw`wait\s+(?:until|till|for)\s+(?:the\s+)?next\s+(month|quarter|year)$`),
    write: 'wait until (end of $1 of today) plus 1 day',
  },
  {
    find: atStart(String.raw`wait\s+(?:until|till)\s+tomorrow(?:\s+morning|${AT_TIME})$`),
    write: 'wait until today plus 1 day',
    hint: 'A date starts at midnight. For another time, write:\n    set day to today plus 1 day\n    wait until "{day}T09:00"',
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
      String.raw`wait\s+for\s+(?:the\s+|an?\s+)?${NAME}\s+(?:from|by|of)\s+([A-Za-zª_][A-Za-zª\d_.-]*)(\s+at\s+most\s+\d+\s+[A-Za-zª]+)?$`,
    ),
    write: 'wait for $1 with sender $2$3',
    hint: 'A name and a value say which message it is. The sender of the message names the same value.',
  },
  { find: atStart(String.raw`wait\s+for\s+(\d+)\s+(days?|weeks?)$`), write: 'wait $1 $2' },
  { find: atStart(String.raw`wait\s+(?:till|to)\s+(.+)$`), write: 'wait until $1' },
];
