// Statements whose words are in another order, or on one line instead of two: options beside their call, limits of loops, pairs.
import { begins, NAME, type Phrase, VALUE } from './phrase.js';

const CALL = String.raw`((?:[^"]|"[^"]*")*?\busing\b(?:[^"]|"[^"]*")*?)`;
const SPAN = String.raw`(\d+)\s+(seconds?|minutes?|hours?|days?|weeks?|working\s+days?|working\s+hours?)`;

const below = 'What belongs to a call stands below it.';

/** At the start of a line. */
export const orderPhrases: readonly Phrase[] = [
  // Calls with their options on the same line.
  begins(
    String.raw`${CALL},?\s+(?:within|with\s+(?:a\s+)?timeout(?:\s+of)?|timeout)\s+${SPAN}$`,
    '$1\n        with timeout $2 $3',
    below,
  ),
  begins(String.raw`${CALL},?\s+(?:at\s+most|only)\s+once$`, '$1\n        at most once', below),
  begins(
    String.raw`${CALL}\bwhere\s+${NAME}\s+(?:is|=|equals)\s+${VALUE}\s+and\s+${NAME}\s+(?:is|=|equals)\s+${VALUE}$`,
    '$1where $2 $3 and $4 $5',
    'A database compares each field with a value. Test anything else afterwards: each row in rows where …',
  ),
  // Pairs with commas and colons.
  // Rounds and branches.
  ...(
    [
      ['(?:one|1)', 'one is'],
      [String.raw`(\d+)`, '$1 are'],
    ] as const
  ).map(([count, done]) =>
    begins(
      String.raw`(?:at\s+the\s+same\s+time|in\s+parallel|simultaneously|concurrently),?\s+until\s+${count}\s+(?:are\s+|is\s+)?(?:done|finished)\s*:$`,
      `at the same time, until ${done} done:`,
    ),
  ),
  // Waits.
  ...(['before', 'after'] as const).map((side) =>
    begins(
      String.raw`wait\s+until\s+(\d+)\s+(days?|weeks?|months?|hours?|working\s+days?)\s+${side}\s+${NAME}\s+at\s+(\d{1,2}:\d\d)$`,
      `wait until ($3 ${side === 'before' ? 'minus' : 'plus'} $1 $2) at $4`,
    ),
  ),
  // Lists.
];

/** Under a call. */
export const orderOptions: readonly Phrase[] = [
  ...Object.entries({ sec: 'seconds', min: 'minutes', hr: 'hours', wk: 'weeks' }).map(([short, unit]) =>
    begins(String.raw`(within|remind\s+every|with\s+timeout)\s+(\d+)\s+${short}s?$`, `$1 $2 ${unit}`),
  ),
  begins(String.raw`(?:remind|reminder|reminders|send\s+reminders?)\s+(?:every|after|each)\s+${SPAN}$`, 'remind every $1 $2'),
];
