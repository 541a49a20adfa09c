// Operations that spreadsheets have and wf lacks, or has in another form.
import { NAME, type Phrase, says, VALUE } from './phrase.js';

/** A function with its opening parenthesis, with "of", or with a value after it. */
const missing = (name: string, hint: string): Phrase => ({
  find: new RegExp(String.raw`(?<![\p{L}\p{N}_.-])(?:${name})(?:\s*\(|\s+of\b|(?=\s+[\p{L}\d"])|(?=\s*$))`, 'diu'),
  hint,
});

const plugin = 'For other mathematics, use a plugin, which is a few lines of JavaScript.';
const chance =
  'A workflow has no random numbers, so that it can be tested and continued after a crash. A service or a plugin can provide one.';

/** Two arguments of a function. */
const TWO = String.raw`\s*\(\s*([^(),\s]+)\s*,\s*([^(),]*[^(),\s])\s*\)`;
const THREE = String.raw`\s*\(\s*([^(),\s]+)\s*,\s*([^(),\s]+)\s*,\s*([^(),\s]+)\s*\)`;
const call = (names: string, args: string, write: string, hint?: string): Phrase => ({
  find: new RegExp(String.raw`(?<![\p{L}\p{N}_.-])(?:${names})${args}`, 'diu'),
  write,
  ...(hint === undefined ? {} : { hint }),
});

export const missingOperations: readonly Phrase[] = [
  call(
    'format|text|tofixed|fixed|dollar',
    TWO,
    'text of $1 written as $2',
    'The sample shows what to write: "1,234.50" or "DD.MM.YYYY".',
  ),
  call('left', TWO, 'first $2 characters of $1'),
  call('right', TWO, 'last $2 characters of $1'),
  call('mid|substring|substr', THREE, 'characters $2 to $3 of $1', 'Characters are counted from 1, and both ends are included.'),
  call('find|search|indexof', TWO, '$2 contains $1', '"contains" tells whether a text is part of another one.'),
  call('datedif|datediff', THREE, 'days from $1 to $2'),
  call('days', TWO, 'days from $2 to $1'),
  call('networkdays', TWO, 'working days from $1 to $2'),
  call('edate', TWO, '$1 plus $2 months'),
  call('eomonth', String.raw`\s*\(\s*([^(),\s]+)\s*(?:,\s*0\s*)?\)`, 'end of month of $1'),
  call('workday', TWO, '$1 plus $2 working days'),
  call('power|pow', TWO, '$1 times $1', `There is no power operator; multiply instead. ${plugin}`),
  call('roundup|ceiling|ceil', TWO, '$1 rounded up to $2 places'),
  call('rounddown|floor|trunc', TWO, '$1 rounded down to $2 places'),
  call('ceiling|ceil|roundup', String.raw`\s*\(\s*([^(),\s]+)\s*\)`, '$1 rounded up to 0 places'),
  call('floor|trunc|rounddown', String.raw`\s*\(\s*([^(),\s]+)\s*\)`, '$1 rounded down to 0 places'),
  missing('sqrt|sqr|root|square\\s+root|log10|ln|exp|sin|cos|tan', `wf doesn't have this operation. ${plugin}`),
  says(String.raw`${VALUE}\s+squared`, '$1 times $1'),
  says(
    String.raw`${VALUE}\s+(?:to\s+the\s+)?power\s+of\s+\d+`,
    '$1 times $1',
    `There is no power operator; multiply instead. ${plugin}`,
  ),
  missing(String.raw`random|rand|randbetween|(?:a\s+)?random\s+number`, chance),
  missing(
    'capitali[sz]ed?|proper|title\\s*case|sentence\\s*case|ucfirst',
    'To capitalize the first letter, write:\n    set first to uppercase of first 1 characters of name\n    set rest to characters 2 to 200 of name\n    set name to "{first}{rest}"',
  ),
  {
    find: /(?<![\p{L}\p{N}_.-])(?:vlookup|xlookup|hlookup|lookup|index|match)\s*\(/diu,
    hint: 'To find a row in a list, write:\n    set rows to each row in request.rows where row.id is wanted\n    set row to first of rows',
  },
  {
    find: /(?<![\p{L}\p{N}_.-])(?:sumif|sumifs|countif|countifs|averageif|averageifs)\s*\(/diu,
    hint: 'Pick the items first, then calculate with them:\n    set open to each row in request.rows where row.status is "open"\n    set total to sum of open.amount',
  },
  {
    find: /(?<![\p{L}\p{N}_.-])(?:ii?f|ifs|iferror|ifna|choose)\s*\(/diu,
    hint: 'Put each case on separate lines:\n    set fee to 5\n    if total is above 100:\n        set fee to 0',
  },
  says(
    String.raw`(?:the\s+)?(?:sub|grand\s+)?total\s+of\s+${NAME}`,
    'sum of $1',
    'It adds up a list of numbers, such as order.lines.amount.',
  ),
  says(String.raw`(?:percentage|share|proportion)\s+of\s+${VALUE}\s+(?:in|of|to)\s+${VALUE}`, '$1 divided by $2 times 100'),
  says(String.raw`half\s+of\s+${VALUE}`, '$1 divided by 2'),
  says(String.raw`(?:double|twice)\s+(?:of\s+)?${VALUE}`, '$1 times 2'),
];
