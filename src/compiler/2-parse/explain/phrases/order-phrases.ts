// Statements whose words are in another order, or on one line instead of two: options beside their call, limits of loops, pairs.
import { begins, NAME, type Phrase, VALUE } from './phrase.js';

const CALL = String.raw`((?:[^"]|"[^"]*")*?\busing\b(?:[^"]|"[^"]*")*?)`;
const SPAN = String.raw`(\d+)\s+(seconds?|minutes?|hours?|days?|weeks?|working\s+days?|working\s+hours?)`;
const REST = `((?:[^"]|"[^"]*")+?)`;
const LOOP = String.raw`(for\s+each\s+${NAME}\s+in\s+${REST})`;

const joined = 'Join the pairs with "and".';
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
    String.raw`${CALL}\bwhere\s+${NAME}\s+(?:is|=|equals)\s+${VALUE}$`,
    '$1where $2 $3',
    'A database compares each field with a value. Test anything else afterwards: each row in rows where …',
  ),
  begins(
    String.raw`${CALL}\bwhere\s+${NAME}\s+(?:is|=|equals)\s+${VALUE}\s+and\s+${NAME}\s+(?:is|=|equals)\s+${VALUE}$`,
    '$1where $2 $3 and $4 $5',
    'A database compares each field with a value. Test anything else afterwards: each row in rows where …',
  ),
  // Pairs with commas and colons.
  begins(
    String.raw`(complete\s+with|${CALL}\bwith)\s+${NAME}:?\s+${VALUE},\s*(?:and\s+)?${NAME}:?\s+${VALUE}$`,
    '$1 $3 $4 and $5 $6',
    joined,
  ),
  begins(
    String.raw`(complete\s+with|${CALL}\bwith)\s+${NAME}:?\s+${VALUE},\s*(?:and\s+)?${NAME}:?\s+${VALUE},?\s*(?:and\s+)?${NAME}:?\s+${VALUE}$`,
    '$1 $3 $4 and $5 $6 and $7 $8',
    joined,
  ),
  begins(
    String.raw`(complete\s+with|${CALL}\bwith)\s+${NAME}\s+${VALUE}\s+and\s+${NAME}\s+${VALUE},\s*(?:and\s+)?${NAME}\s+${VALUE}$`,
    '$1 $3 $4 and $5 $6 and $7 $8',
    joined,
  ),
  begins(String.raw`complete\s+with\s+${NAME}:\s+${VALUE}$`, 'complete with $1 $2'),
  begins(String.raw`complete\s+with\s+${NAME}:\s+${VALUE}\s+and\s+${NAME}:\s+${VALUE}$`, 'complete with $1 $2 and $3 $4'),
  // Rounds and branches.
  begins(String.raw`${LOOP}\s+(\d+)\s+at\s+a\s+time(,.*)?:$`, '$1, $4 at a time$5:'),
  begins(
    String.raw`${LOOP},?\s+all\s+(?:at\s+once|together|at\s+the\s+same\s+time|in\s+parallel)(,.*)?:$`,
    '$1, all at a time$4:',
  ),
  begins(
    String.raw`${LOOP},\s*(.*\bat\s+a\s+time),?\s+until\s+(\d+)\s+(?:done|finished|have\s+(?:ended|finished|answered))\s*:$`,
    '$1, $4, until $5 are done:',
  ),
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
  begins(
    String.raw`while\s+not\s+${NAME}\s*:?$`,
    'repeat until $1, at most 50 times:',
    'A loop says how often it runs at most, so that it always ends.',
  ),
  begins(String.raw`stop\s+(?:this\s+)?loop$`, 'stop the loop'),
  begins(String.raw`add\s+${VALUE}\s+(?!to$)([A-Za-zª_][A-Za-zª\d_-]*)$`, 'add $1 to $2'),
  // Waits.
  begins(String.raw`(wait\s+for\s+${REST})\s+for\s+(?:at\s+most|up\s+to)\s+${SPAN}$`, '$1 at most $3 $4'),
  begins(String.raw`wait\s+(?:at\s+most\s+|up\s+to\s+)?${SPAN}\s+for\s+${REST}$`, 'wait for $3 at most $1 $2'),
  begins(String.raw`wait\s+until\s+tomorrow\s+(\d{1,2}:\d\d)$`, 'wait until tomorrow at $1'),
  begins(String.raw`wait\s+until\s+${REST}(?<!\bat)\s+(\d{1,2}:\d\d)$`, 'wait until $1 at $2'),
  ...(['before', 'after'] as const).map((side) =>
    begins(
      String.raw`wait\s+until\s+(\d+)\s+(days?|weeks?|months?|hours?|working\s+days?)\s+${side}\s+${NAME}\s+at\s+(\d{1,2}:\d\d)$`,
      `wait until ($3 ${side === 'before' ? 'minus' : 'plus'} $1 $2) at $4`,
    ),
  ),
  // Lists.
  begins(
    String.raw`set\s+${NAME}\s+to\s+(?:the\s+)?(?:number|count)\s+of\s+([A-Za-zª_][A-Za-zª\d_.-]*?)s\s+where\s+\2\s+${REST}$`,
    'set $1 to count of (each $2 in $2s where $2 $3)',
  ),
  begins(
    String.raw`((?:otherwise\s+)?if)\s+(?:any|some)\s+([A-Za-zª_][A-Za-zª\d_-]*)\s+in\s+${NAME}\s+(?:has|have)\s+\2\.${REST}:$`,
    '$1 some $2 in $3 satisfies $2.$4:',
  ),
  begins(
    String.raw`((?:otherwise\s+)?if)\s+any\s+([A-Za-zª_][A-Za-zª\d_-]*)\s+in\s+${NAME}\s+(?:has|have)\s+(?:an?\s+)?([A-Za-zª_][A-Za-zª\d_-]*)\s+(not\s+)?${VALUE}\s*:$`,
    '$1 some $2 in $3 satisfies $2.$4 is $5$6:',
  ),
];

const UNITS = `(?:business|office|work|opening)`;

/** Under a call. */
export const orderOptions: readonly Phrase[] = [
  begins(String.raw`(within|remind\s+every)\s+(\d+)\s+${UNITS}[\s-]*(days?|hours?)$`, '$1 $2 working $3'),
  ...Object.entries({ sec: 'seconds', min: 'minutes', hr: 'hours', wk: 'weeks' }).map(([short, unit]) =>
    begins(String.raw`(within|remind\s+every|with\s+timeout)\s+(\d+)\s+${short}s?$`, `$1 $2 ${unit}`),
  ),
  begins(String.raw`(?:answer|deadline|due)\s+(?:is\s+)?(?:in|within|after)\s+${SPAN}$`, 'within $1 $2'),
  begins(String.raw`(?:remind|reminder|reminders|send\s+reminders?)\s+(?:every|after|each)\s+${SPAN}$`, 'remind every $1 $2'),
  begins(String.raw`one\s+of\s+("[^"]*"(?:\s*,\s*"[^"]*")*)$`, 'choose from $1'),
  begins(
    String.raw`(?:save|store)\s+(confidence|status|comment|person|result|response\s+headers)\s+as\s+${NAME}$`,
    'save the $1 as $2',
  ),
  begins(String.raw`on\s+(?:su[ce]+s+|ok|done)\s*:$`, 'on success:'),
  begins(String.raw`on\s+(?:fail|error|failed|faliure|failiure|faillure)\s*:$`, 'on failure:'),
  begins(
    String.raw`(?:sent|send|goes|address|addressed|addressee|for|ask|to)\s+(?:to\s+|is\s+)?("[^"@\s]+@[^"\s]+"|[A-Za-zª_][A-Za-zª\d_-]*(?:\.[A-Za-zª_][A-Za-zª\d_-]*)+)$`,
    'addressed to $1',
  ),
  begins(String.raw`retry\s+once$`, 'retry 1 time'),
  begins(String.raw`retry\s+twice$`, 'retry 2 times'),
  begins(String.raw`retry\s+once,?\s+(waiting\s+.*)$`, 'retry 1 time $1'),
  begins(String.raw`retry\s+twice,?\s+(waiting\s+.*)$`, 'retry 2 times $1'),
];
