// Rewords amounts: numbers, money, shares, dates, spans of time and times of day as they are written elsewhere.
import { type HiddenTexts, pattern } from './hidden-line.js';

interface Amounts {
  readonly texts: HiddenTexts;
}

const two = (digits = ''): string => digits.padStart(2, '0');

export const isoDate = (day: string, month: string, year: string): string | undefined =>
  Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
    ? `${year}-${two(month)}-${two(day)}`
    : undefined;

const CURRENCY = '[€$£¥₦]|EUR|USD|GBP|CHF|euros?|dollars?';

/** `30'000`, as in Switzerland. */
export const withoutApostrophes = (line: string): string =>
  line.replace(/(?<![\w.'’])\d{1,3}(?:['’]\d{3}){1,4}(?![\d'’])/g, (written) => written.replace(/['’]/g, ''));

/** Numbers, shares, amounts of money and dates as they are written elsewhere. */
export function numbers(line: string, { texts }: Amounts): string {
  const plain = (written: string): string => {
    const comma = written.lastIndexOf(',');
    const isDecimal = written.length - comma - 1 !== 3 || written.lastIndexOf('.') > -1;
    return isDecimal ? written.replace(/\./g, '').replace(',', '.') : written.replace(/,/g, '');
  };
  return withoutApostrophes(line)
    .replace(/\b(above|below|least|most|than|is|to) minus (?=\d)/g, '$1 -')
    .replace(/(?<![\w.,-])\d{1,3}(?:[. ]\d{3}){1,4}(?![\d.,-]| ?characters)/g, (written) => written.replace(/[. ]/g, ''))
    .replace(/(?<![\d.\w-])(\d{4})-(\d{1,2})-(\d{1,2})(?![\d.\w-])/g, (all, year, month, day) => {
      const date = isoDate(day, month, year);
      return date === undefined ? all : texts.hide(date);
    })
    .replace(/(?<![\d.\w-])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\d.\w-])/g, (all, day, month, year) => {
      const date = isoDate(day, month, year);
      return date === undefined ? all : texts.hide(date);
    })
    .replace(/(?<![\w.,])(?:\d{1,3}(?:\.\d{3}){0,4}|\d{4,9}),\d{1,6}(?![\d,.])/g, plain)
    .replace(/(?<![\w.)])\.(?=\d)/g, '0.')
    .replace(/(\d)\s?°\s?[CF]?(?=$|[\s:,)])/g, '$1')
    .replace(pattern(`(?:${CURRENCY}) ?(?=\\d)`, 'g'), '')
    .replace(pattern(`(\\d) ?(?:${CURRENCY})(?=$|[\\s:,)])`, 'g'), '$1')
    .replace(
      pattern(
        '(<path>) (plus|minus|[+−–-]) (<number>) ?(?:%|percent)(?: (?:tax|VAT|discount|interest|surcharge|fee|bonus))?$',
        'g',
      ),
      '$1 $2 $3 percent of $1',
    )
    .replace(pattern('(<number>) ?(?:%|percent) (?:from|off|on) (?=<path>)', 'g'), '$1 percent of ')
    .replace(pattern('(<path>) ?% (?:of|from|off) '), '$1 percent of ')
    .replace(pattern(`(<value>) times (\\d{1,4}(?:\\.\\d{1,4})?) ?(?:%|percent(?! of))`, 'g'), '$2 percent of $1')
    .replace(
      pattern('(\\d) ?(?:%|percent) ?(?:of )?(?=<path>|\\()(?!percent|is\\b|and\\b|or\\b|then\\b|to\\b)', 'g'),
      '$1 percent of ',
    )
    .replace(/(\d{1,4}(?:\.\d{1,4})?) ?(?:%|percent(?= and\b| or\b|:))/g, (_, share: string) =>
      String(Number((Number(share) / 100).toPrecision(12))),
    );
}

export const IN_DIGITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

const UNITS: readonly (readonly [words: string, unit: string])[] = [
  ['working (?:hrs?|h|Stunden)', 'working hours'],
  ['(?:work|business|bank|week)[ -]?days|working (?:d|Tage)|Werktagen?|Arbeitstagen?', 'working days'],
  ['(?:work|business)[ -]?hours|Arbeitsstunden', 'working hours'],
  ['hrs?|h|Stunden?|std', 'hours'],
  ['mins?|Minuten?', 'minutes'],
  ['secs?|s|Sekunden?', 'seconds'],
  ['d|Tagen?|Tage|tage', 'days'],
  ['wks?|w|Wochen?', 'weeks'],
  ['mths?|mos?|Monaten?|Monate', 'months'],
  ['yrs?|y|Jahren?|Jahre', 'years'],
];
const UNIT = 'seconds?|minutes?|hours?|days?|weeks?|months?|years?|working days?|working hours?';

const ORDINALS = ['other', 'third', 'fourth', 'fifth', 'sixth'];

/** `three days`, `ten at a time` */
export const inDigits = (line: string): string =>
  line
    .replace(
      /^(retry|try again|try|repeat at most|repeat) (twice|thrice)\b/,
      (_, verb: string, said: string) => `${verb} ${said === 'twice' ? 2 : 3} times`,
    )
    .replace(/\bhalf (?:an? )?hour\b/, '30 minutes')
    .replace(/\bevery (other|second|third|fourth|fifth|sixth) (day|week|month|hour)\b/, (_, which: string, unit: string) => {
      return `every ${Math.max(ORDINALS.indexOf(which), 0) + 2} ${unit}s`;
    })
    .replace(/(s?)'s? time$/, '$1')
    .replace(pattern(`\\b(within|wait|waiting|every|at most|plus|minus) an? (?=(?:${UNIT})\\b)`, 'g'), '$1 1 ')
    .replace(
      pattern(
        `\\b(${IN_DIGITS.join('|')}) (?=(?:${UNIT}|times|Tage|places|at a time|in parallel|at once|letters|characters|o'clock)\\b)`,
        'g',
      ),
      (_, name: string) => `${IN_DIGITS.indexOf(name)} `,
    );

/** Amounts of time. */
export function units(line: string): string {
  const long = UNITS.reduce(
    (now, [words, unit]) =>
      now.replace(pattern(`(?<![\\w.-])(\\d{1,6}(?:\\.\\d{1,3})?) ?(?:${words})\\.?(?![\\w-])`, 'g'), `$1 ${unit}`),
    line,
  );
  return long
    .replace(
      pattern(
        `\\b(wait|within|every|waiting|at most|timeout|plus|minus) (<value>(?: (?:plus|minus|times|divided by) <value>){1,3}) (?=(?:${UNIT})(?:$|[\\s:,)]))`,
      ),
      '$1 ($2) ',
    )
    .replace(pattern(`(\\d)(?=(?:${UNIT})\\b)`, 'g'), '$1 ')
    .replace(/\b(every|within) (?=(?:second|minute|hour|day|week)s?\b)/g, '$1 1 ');
}

/** A time of day after `at`. */
export const clock = (line: string): string =>
  (line.startsWith('wait ') ? line.replace(/\b(?:noon|midday)\b/, '12:00').replace(/\bmidnight\b/, '0:00') : line)
    .replace(/^(wait until tomorrow) (?:morning|early)\b,?/, '$1')
    .replace(/^(wait until .{1,60}?) (?=\d{1,2}(?:[:.]\d\d)? ?(?:o'clock|[ap]\.?m\b|Uhr))(?<! at )/, '$1 at ')
    .replace(
      /\bat (\d{1,2})(?:[:.h](\d{2}))?(?: ?o'clock| Uhr)?(?: ?([ap])\.?m\.?)?(?=$|[\s:])/g,
      (_, hour: string, minute = '00', half = '') => {
        const hours = half === 'p' && Number(hour) < 12 ? Number(hour) + 12 : half === 'a' && hour === '12' ? 0 : Number(hour);
        return `at ${hours}:${minute}`;
      },
    )
    .replace(
      /^wait (?:un)?till? (\d{1,2})(?:[:.](\d{2}))? ?([ap])\.?m\.?$/,
      (_, hour: string, minute = '00', half: string) => `wait until ${(Number(hour) % 12) + (half === 'p' ? 12 : 0)}:${minute}`,
    )
    .replace(pattern('^(wait until <path>) (?=\\d{1,2}:\\d\\d)'), '$1 at ');

/** `TT.MM.JJJJ`, `JJ/MM/AAAA` and `GG/MM/AAAA` in our letters. */
const inDateLetters = (written: string): string =>
  /^[tmj./ -]+$/i.test(written)
    ? written.replace(/t/gi, 'D').replace(/j/gi, 'Y')
    : /^[jgdma./ -]+$/i.test(written)
      ? written.replace(/[jg]/gi, 'D').replace(/a/gi, 'Y')
      : written;

/** Patterns of dates in capitals. */
export const datePatterns = (line: string, { texts }: Amounts): string =>
  line.replace(pattern('\\bwritten as (<text>)', 'g'), (all, hidden: string) => {
    const inner = texts.inner(hidden) ?? '';
    const ours = inDateLetters(inner);
    return /^[dmy./ -]{3,20}$/i.test(ours) ? `written as ${texts.hide(ours.toUpperCase())}` : all;
  });
