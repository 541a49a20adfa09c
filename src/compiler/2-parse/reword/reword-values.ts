// Rewords values and conditions: operators, numbers, dates, units and functions of other languages, in a line whose texts are hidden.
import { isOwnWord } from '../../1-layout/alphabet.js';
import { type AroundLine, type HiddenTexts, pattern, word } from './hidden-line.js';
import { clock, datePatterns, inDigits, isoDate, numbers, units } from './reword-amounts.js';
import { halfSaid, MEASURED, signsOfConditions } from './reword-conditions.js';
import { rewordLists, singular } from './reword-lists.js';

interface Values {
  readonly texts: HiddenTexts;
  readonly around: AroundLine;
}

/** Words that are the language's own after a text, so that nothing is joined to it. */
const AFTER_TEXT =
  /^(?:and|or|but|with|where|is|at|on|in|to|as|for|from|using|plus|minus|times|divided|contains|does|starts|ends|exists|joined|split|replaced|written|padded|sorted|grouped|optional|otherwise|then|scope|running|within|satisfies|of|by)$/;

/** `"Please pay " + total + " EUR"` and `"/orders/" order.id` → one text with braces. */
function joinTexts(line: string, { texts }: Values): string {
  const part = (value: string): string => texts.inner(value) ?? (/^[\d.-]+$/.test(value) ? value : `{${value}}`);
  const told = line.replace(
    pattern('(<text>)(?: followed by| and then) (?=<path>$)|(?<=^(?:log|reject with) )(<text>)(?: and|,) (?=<path>$)'),
    (_, text = '', other = text) =>
      texts.inner(other)?.endsWith(' ') === true ? `${other} + ` : `${texts.hide(`${texts.inner(other)} `)} + `,
  );
  const plus = told.replace(pattern('<value>(?: ?[+&] ?<value>){1,12}', 'g'), (all) => {
    const parts = all.split(/ ?[+&] ?/);
    return parts.some((one) => texts.inner(one) !== undefined) ? texts.hide(parts.map(part).join('')) : all;
  });
  return plus.replace(pattern('<text> <path>(?: <text>(?: <path>(?= <text>|$|:))?){0,6}(?=$|[ :,])', 'g'), (all) => {
    const parts = all.split(' ');
    return parts.some((name) => AFTER_TEXT.test(name) || /^(?:log|set)$/.test(name)) ? all : texts.hide(parts.map(part).join(''));
  });
}

const CALCULATED: Readonly<Record<string, string>> = {
  '+': 'plus',
  '-': 'minus',
  '−': 'minus',
  '–': 'minus',
  '*': 'times',
  '×': 'times',
  x: 'times',
  '/': 'divided by',
  '÷': 'divided by',
  ':': 'divided by',
};

/** Calculations in signs; a product beside a sum gets the parentheses that it has without saying so elsewhere. */
function signsOfCalculations(line: string, { around }: Values): string {
  const times = around.variables.has('x') ? '[*×/÷]' : '[*×/÷x]';
  const isMixed = pattern(`<value> ${times} <value>`).test(line) && / [+−–-] /.test(line);
  const products = line.replace(
    pattern(`(<value>|\\))((?: ${times} (?:<value>|\\())+)`, 'g'),
    (all, left: string, rest: string) => {
      const said = left + rest.replace(pattern(` (${times}) `, 'g'), (_, sign: string) => ` ${CALCULATED[sign]} `);
      return isMixed && !/[()]/.test(all) ? `(${said})` : said;
    },
  );
  return products
    .replace(pattern('(<value>|[)\\]]) ?([+]) ?(?=<value>|[(\\[])', 'g'), (_, left: string) => `${left} plus `)
    .replace(
      pattern('(<value>|[)\\]]) ([*×/÷−–-]) (?=<value>|[(\\[])', 'g'),
      (_, left: string, sign: string) => `${left} ${CALCULATED[sign]} `,
    );
}

/** `round(x, 2)`, `sum(list)`, `x.join(", ")`, `list[0]` */
function functions(line: string, { texts, around }: Values): string {
  return line
    .replace(/ to =(?=[a-z(])/, ' to ')
    .replace(/\([^()]+\)/g, (inside) => inside.replaceAll(';', ','))
    .replace(pattern('\\b(?:sort|sorted)\\((<path>)\\)', 'g'), '$1 sorted')
    .replace(pattern('\\bdate\\((<text>)\\)', 'g'), (all, text: string) => {
      const [, day = '', month = '', year = ''] = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(texts.inner(text) ?? '') ?? [];
      const date = isoDate(day, month, year);
      return date === undefined ? all : texts.hide(date);
    })
    .replace(pattern('(<path>)\\.join\\((<text>)\\)', 'g'), '$1 joined with $2')
    .replace(pattern('(<path>)\\.split\\((<text>)\\)', 'g'), '$1 split by $2')
    .replace(pattern('(<path>)\\.(?:length|size(?=\\())(?:\\(\\))?(?![\\w-])', 'g'), '$1.count')
    .replace(pattern('(<path>)\\[(\\d{1,4})\\]', 'g'), '$1.$2')
    .replace(pattern('(<path>)\\[(<name>)\\]', 'g'), (_, owner: string, name: string) =>
      around.variables.has(name) ? `${owner}.{${name}}` : `${owner}.${name}`,
    )
    .replace(pattern('(<name>)->(?=<name>)', 'g'), '$1.')

    .replace(/(^|[\s(])\{([A-Za-z_][\w.-]{0,60})\}/g, '$1$2');
}

const WORDS: readonly (readonly [said: string, meant: string])[] = [
  ["doesn'?t contain", 'does not contain'],
  ["doesn'?t exist", 'does not exist'],
  ['contains? no', 'does not contain'],
  ['(?:is|was|were|are) (?:missing|not (?:found|given|known|filled(?: in)?|available|provided))', 'does not exist'],
  ['either(?= <path>)', ''],
  ['heute', 'today'],
  ['(<unit>) (?:left |remaining )?(?:until|till)(?= <path>)', '$1 from now to'],
  ['(?:the )?next day', 'today plus 1 day'],
  ['day of (?:the )?week of', 'weekday of'],
  ['is yes', 'is true'],
  ['(is(?: not)?) (?:blank|nothing|none)(?= and| or|:|$)', '$1 empty'],
  ['(rounded(?: up| down)?) to (?:the )?(?:(?:next|nearest|full|whole) ){0,2}(?:cents?|pence|pennies)', '$1 to 2 places'],
  ['None|null|NULL|nil', 'empty'],
];

/** Words for what the language says in others. */
const otherWords = (line: string): string =>
  WORDS.reduce((now, [said, meant]) => now.replace(pattern(word(said), 'g'), meant), line);

/** `3 days after due`, `more than 3 days ago`, `end of the month` */
const datesInOrder = (line: string): string =>
  line
    .replace(
      pattern(
        '\\b(to|is|with <name>|and <name>) (<value>) ([a-z]+(?: [a-z]+)?) (after|before|from) (?:the )?((?:start|end) of .+)$',
      ),
      (_, ...said: string[]) => {
        const [start, amount, unit, way, date] = said;
        return `${start} ${date} ${way === 'before' ? 'minus' : 'plus'} ${amount} ${unit}`;
      },
    )

    .replace(pattern('(<value>) (<unit>) (?:later|further) than (<path>)'), '$3 plus $1 $2')
    .replace(
      pattern(
        '\\bis (less|sooner|earlier|more|later) than (?:in )?(<value>) (<unit>)(?: from (?:now|today)| away| ahead|(?=:$))',
      ),
      (_, size: string, amount: string, unit: string) =>
        `is ${/[ml]o|la/.test(size) ? 'after' : 'before'} today plus ${amount} ${unit}`,
    )
    .replace(pattern('\\b(to|is|with) add (<value>(?: [a-z]+)?) to (<path>)'), '$1 $3 plus $2')
    .replace(pattern('\\bjoin(?:ed)? (?:of )?(<path>) (?:with|by) (?=<text>)'), '$1 joined with ')

    .replace(pattern('\\b(start|end) of (<path>) (week|month|quarter|year)$'), '$1 of $3 of $2');

/** Forms that have values in other places. */
const otherOrder = (line: string, { around }: Values): string =>
  line
    .replace(
      pattern(
        '\\bif (?:there (?:are|is) |we (?:have|got|found) )?(?:no|any) (<path>)(?: (?:found|there|exists?|left|come|came|given|known))?:',
        'g',
      ),
      (all, name: string) => (around.variables.has(name) ? `if ${name} is ${/\bno /.test(all) ? 'empty' : 'not empty'}:` : all),
    )
    .replace(
      pattern('(<path>) (?:minus|-|–) (<path>) in (days|weeks|months|years|hours|minutes|working days)'),
      '$3 from $2 to $1',
    )
    .replace(
      /\b(as|rounded to \d{1,2}) (?:an? )?(?:text|string|decimal|digits) (?=joined|separated|places)/g,
      (_, start: string) => (start === 'as' ? '' : `${start} `),
    )

    .replace(pattern('(?<!divided|multiplied)(?<=[A-Za-z0-9)]) by (?=<number>\\))'), ' divided by ')
    .replace(pattern("(<name>)'s (<name>)", 'g'), '$1.$2')
    .replace(/\(\(([^()]{1,150})\)\)/g, '($1)')
    .replace(pattern('\\b(?:any|at least one|at least 1) (<name>) in ', 'g'), 'some $1 in ')
    .replace(
      pattern('\\b(some|every) (<name>) in (<path>) (?:is|has|where) (?=<path>)', 'g'),
      (all, how: string, item: string, list: string) =>
        / where $/.test(all) ? `${how} ${item} in ${list} satisfies ` : `${how} ${item} in ${list} satisfies ${item}.`,
    )

    .replace(/\bthe (?!result|status|response|loop|message|confidence|comment|person|body|same|run\b)(?=[A-Za-z_])/g, '');

const OF_ALL: Readonly<Record<string, string>> = {
  total: 'sum',
  largest: 'highest',
  biggest: 'highest',
  smallest: 'lowest',
  mean: 'average',
};

/** `the sum of all lines.price`, `the average price of lines`, `0.05 less than price` */
const articles = (line: string, { around }: Values): string =>
  line
    .replace(
      pattern('\\b(?:the )?(sum|average|highest|lowest|count|number|total) of (?:all |every |each |the ){1,2}(?=<path>)', 'g'),
      '$1 of ',
    )
    .replace(
      pattern(
        '\\b(?:the )?(sum|total|average|mean|highest|largest|biggest|lowest|smallest) (<name>) (?:of|in|from) (?:all |the ){0,2}(<path>)',
        'g',
      ),
      (all, how: string, field: string, list: string) =>
        around.fields.has(field) ? `${OF_ALL[how] ?? how} of ${list}.${field}` : all,
    )

    .replace(
      /\brounded( up| down)?(?: to (?:(?:an? |the )?(?:whole|full|nearest|next)(?: whole)?(?: numbers?| integers?| units?)?|integers?))?(?=$|:|\))/,
      'rounded$1 to 0 places',
    )
    .replace(
      pattern('(?<![\\w.-])(?<! in )(<path>) (?:has|have) (?:an? )(<name>)(?: date)?(?= and | or |:|$)', 'g'),
      (all, owner: string, field: string) => (isOwnWord(field) ? all : `${owner}.${field} exists`),
    )
    .replace(
      pattern('(?:the )?<name> is (not )?(<name>)(?= and | or |:|$)', 'g'),
      (all, not: string | undefined, field: string) =>
        around.inputs.get(field)?.startsWith('yes or no') === true ? `${not ?? ''}request.${field}` : all,
    )
    .replace(pattern('(<path>) (?:has|have) been (<name>)(?= and | or |:|$)', 'g'), '$1.$2');

const CONDITION = /^(?:if|otherwise if|repeat until)\b|\b(?:where|satisfies) /;

/** `the lines with weight of 5 or more`, `the cheapest of offers by price` */
function itemsOf(line: string, { around }: Values): string {
  const list = (name: string): string => (around.inputs.has(name) ? `request.${name}` : name);
  const isList = (name: string): boolean => name.includes('.') || around.variables.has(name) || around.inputs.has(name);
  const picked = (name: string, field: string): string =>
    `each ${singular(name)} in ${list(name)} where ${singular(name)}.${field}`;
  return line
    .replace(
      pattern(
        '(?<= to | of |\\()(?:filter )?(?:only |all |the |those ){0,3}(<path>)(?: in (<path>))? (?:where|by|with|whose|that have|having) (?:the |an? )?(?!each\\b)(?:<name>\\.)?(<name>)(?: of)? ' +
          '((?:is |are |contains |above |below |exists|starts |ends |more |less |fewer |at |<number> or |[<>=!]).*)',
      ),
      (all, ...[name, owner, field, test, at, whole]: [string, string | undefined, string, string, number, string]) => {
        if (owner === undefined && !isList(name)) return all;
        const one = singular(name);
        const each = `each ${one} in ${owner ?? list(name)} where ${one}.${field} ${test.replace(/^are /, 'is ')}`;
        return whole.slice(0, at).endsWith(' of ') ? `(${each})` : each;
      },
    )
    .replace(pattern('(?<= to | of |\\()(<path>) (?:with|having|that have) an? (<name>)$'), (all, name: string, field: string) =>
      around.fields.has(field) ? picked(name, field) : all,
    )
    .replace(
      pattern(`\\b(?:every|each) (<name>) in (<path>) (?:with|where|having|that has) (${MEASURED}) (<value>) (<name>)`),
      'each $1 in $2 where $1.$5 is $3 $4',
    )
    .replace(pattern('(?<= to )(?:all |every )?(<name>)\\.(<name>) (?:in|of) (?:all )?(<path>)$'), '$1.$2 for each $1 in $3');
}

/** Sentences about products and shares, and what a condition leaves out. */
function sentences(line: string): string {
  const said = line.replace(
    pattern('\\b(to|log|with <name>|and <name>) (?:format )?(<path>) (?:as|formatted as|formatted) (<text>)', 'g'),
    '$1 text of $2 written as $3',
  );
  return CONDITION.test(said) && !/\bat most <number> times/.test(said)
    ? said.replace(
        pattern(
          '(?:(?:goes|gets|rises|falls|drops|stays|lies) |(?<!<unit> |is |not |if |and |or |satisfies |where )(?<=[A-Za-z0-9] ))(above|over|under|below|before|after|at least) (?=<value>)',
          'g',
        ),
        'is $1 ',
      )
    : said;
}

/** A parenthesis that is not closed. */
function closed(line: string): string {
  const open = (line.match(/\(/g)?.length ?? 0) - (line.match(/\)/g)?.length ?? 0);
  if (open < 1 || open > 3) return line;
  return line.endsWith(':') ? `${line.slice(0, -1)}${')'.repeat(open)}:` : line + ')'.repeat(open);
}

/** Inside texts: `{record[id]}`, `{request company}`, a brace too many. */
function interpolations(line: string, { texts, around }: Values): string {
  return line.replace(pattern('<text>', 'g'), (hidden) => {
    const inner = texts.inner(hidden) ?? '';
    const meant = inner
      .replace(/\{\{([^{}]{1,80})\}(?!\})/g, '{$1}')
      .replace(/(?<!\{)\{([^{}]{1,80})\}\}(?!\})/g, '{$1}')
      .replace(/\$\{([^{}]{1,80})\}/g, '{$1}')
      .replace(/\{([^{}]{1,80})\}/g, (all, name: string) => {
        const plain = name
          .trim()
          .replace(/^(?:error|err|exception|fail|reason)(?=\.|$)/, (said) =>
            around.variables.has(said) || around.inputs.has(said) ? said : 'failure',
          )
          .replace(/'s (?=[\w-])/g, '.')
          .replace(/^failure$/, 'failure.message')
          .replace(/\[["']?([A-Za-z_][\w-]*|\d+)["']?\]/g, '.$1')
          .replace(/^(request\.)([A-Za-z][\w-]*) ([A-Za-z][\w-]*)$/, (said, owner: string, one: string, two: string) =>
            around.inputs.has(`${one}-${two}`) ? `${owner}${one}-${two}` : said,
          )
          .replace(/^([A-Za-z][\w-]*)(?: |->|\/)([A-Za-z_][\w-]*)$/, (said, owner: string, field: string) =>
            (owner === 'request' ? around.inputs.has(field) : around.variables.has(owner)) ? `${owner}.${field}` : said,
          );
        return pattern('^<path>$').test(plain)
          ? `{${around.inputs.has(plain.split('.')[0] ?? '') && !around.variables.has(plain) ? `request.${plain}` : plain}}`
          : all;
      });
    return texts.change(hidden, meant);
  });
}

/** The line with its values in the words of the language. */
export function rewordValues(line: string, values: Values): string {
  const steps: readonly ((line: string, values: Values) => string)[] = [
    interpolations,
    inDigits,
    articles,
    rewordLists,
    functions,
    itemsOf,
    sentences,
    numbers,
    units,
    clock,
    joinTexts,
    signsOfConditions,
    halfSaid,
    signsOfCalculations,
    datesInOrder,
    otherWords,
    otherOrder,
    datePatterns,
    closed,
  ];
  return steps.reduce((now, step) => step(now, values), line).replace(/ {2,}/g, ' ');
}

/** Times of day are texts. */
const OF_TIMES: Readonly<Record<string, string>> = {
  after: 'above',
  before: 'below',
  'on or after': 'at least',
  'on or before': 'at most',
};

/** What a name is declared as; the item of a list, by its list. */
function kindOf(name: string, { declared, origins }: AroundLine): string {
  const [owner = '', ...fields] = name.split('.');
  const list = origins.get(owner) ?? owner;
  return declared.get([origins.get(list) ?? list, ...fields].join('.')) ?? '';
}

/** The line with its fixed values of the kind that the other side has: `is "no"` for yes or no, `is "201"` for a number. */
export const rewordKinds = (line: string, { texts, around }: Values): string =>
  line
    .replace(
      pattern('(<path>) (is|is not) (<text>|yes|no)(?![A-Za-z0-9-])', 'g'),
      (all, name: string, how: string, value: string) => {
        const inner = texts.inner(value) ?? value;
        const kind = around.inputs.get(name.replace(/^request\./, '')) ?? '';
        if (kind.startsWith('yes or no')) return `${name} ${how} ${/^(?:yes|y|true|ja)$/i.test(inner)}`;
        return /^-?\d{1,15}(?:\.\d{1,10})?$/.test(inner) ? `${name} ${how} ${inner}` : all;
      },
    )
    .replace(pattern('\\bday of (<path>) (is(?: not)?(?: one of)?) (?=\\[?<text>)', 'g'), (all, path: string, how: string) =>
      /^[A-Z][a-z]{2,8}day$/.test(texts.inner(/\ue000\d+\ue001/.exec(line.slice(line.indexOf(all)))?.[0] ?? '') ?? '')
        ? `weekday of ${path} ${how} `
        : all,
    )
    .replace(
      pattern('^(if|otherwise if) (<path>) (is above|is below|is at least|is at most|is|is not) (?=<number>)'),
      (all, start: string, path: string, how: string) =>
        path.endsWith('.count') || around.declared.get(path) !== 'a list' ? all : `${start} ${path}.count ${how} `,
    )
    .replace(pattern('(<path>) is (?:on or )?(after|before) (<text>)', 'g'), (all, name: string, side: string, value: string) =>
      /^\d{1,2}:\d\d$/.test(texts.inner(value) ?? '') && kindOf(name, around).startsWith('a text')
        ? all.replace(/is (?:on or )?(?:after|before) /, `is ${OF_TIMES[all.includes('on or') ? `on or ${side}` : side]} `)
        : all,
    )
    .replace(pattern('\\bnumber of (?=<path>)', 'g'), 'count of ')
    .replace(pattern('\\b(today|now) (plus|minus) (\\d+)(?= and| or|:|$)', 'g'), '$1 $2 $3 days')
    .replace(pattern('^(set (<name>) to \\2) and (?=<number>)'), '$1 plus ');
