// Rewords lines of config, inputs, services and tables.
import { similarTimezone } from '../../diagnostics/suggest.js';
import { type AroundLine, type HiddenTexts, pattern } from './hidden-line.js';
import { isoDate, units, withoutApostrophes } from './reword-amounts.js';

interface Declaration {
  readonly texts: HiddenTexts;
  readonly around: AroundLine;
}

/** Kinds of values that the language has no word for, and those that are called otherwise. */
const otherKinds = (line: string): string =>
  otherLimits(
    line.replace(
      / is an? (?:phone number|telephone number|phone|name|string of|word|code|id|number plate)(?= of| like|$|,)/,
      ' is a text',
    ),
  );

/** Limits, shares and what may be missing. */
const otherLimits = (line: string): string =>
  line

    .replace(/(\d{1,3}(?:\.\d{1,3})?) ?%/g, (_, share: string) => String(Number((Number(share) / 100).toPrecision(12))))

    .replace(/ is a (date|time) [DMYdmyHh:./ -]{6,16}$/, ' is a $1');

/** Limits and choices with signs, parentheses and words that are not needed. */
const plainInput = (declared: string): string =>
  withoutApostrophes(declared).replace(/(?<= is )(?=\d+ to \d+ [a-z]+s$)/, 'a list of ');

/** `is a text starting with "AT"` */
const withPattern = (line: string, texts: HiddenTexts): string =>
  line.replace(
    / (?:that )?(starting|beginning|starts|begins|ending|ends) (?:with|in) (\ue000\d+\ue001)/,
    (_, how: string, part: string) => {
      const inner = texts.inner(part) ?? '';
      return ` like ${texts.hide(how.startsWith('end') ? `*${inner}` : `${inner}*`)}`;
    },
  );

/** `founded: date`, `employees is an integer > 0`, `zone is one of ["a", "b"]` */
function input(declared: string, texts: HiddenTexts): string {
  const line = plainInput(declared).replace(
    pattern(
      '^(<name> is )(?:one of |either |an? )?(?!true\\b|false\\b|yes\\b|no\\b|text\\b|number\\b|date\\b)((?:<name>, ?){0,20}<name>,? or <name>)$',
    ),
    (_, start: string, choices: string) =>
      `${start}one of ${choices
        .split(/,? or |, ?/)
        .map((one) => texts.hide(one))
        .join(', ')}`,
  );
  const said = withPattern(otherKinds(line), texts)
    .replace(/ (?:matching|matches|in the form|of the form|formatted as|pattern) (?=\ue000|\S{2,40}$)/, ' like ')
    .replace(/ like ([A-Za-z0-9#@?*./-]{2,40})(?=$|,)/, (_, sample: string) => ` like "${sample}"`);
  const chosen = / is one of /.test(said) ? said.replace('one of [', 'one of ').replace(']', '') : said;
  return / is a (?:list of )?/.test(chosen) && / records?$/.test(chosen) ? `${chosen}:` : chosen;
}

const SERVICES: Readonly<Record<string, string>> = {
  hook: 'webhook',
  human: 'person',
  people: 'team',
  user: 'person',
  employee: 'person',
  group: 'team',
  db: 'database',
  'mail service': 'mail server',
  smtp: 'mail server',
  directory: 'folder',
  service: 'API',
  api: 'API',
  'REST API': 'API',
  llm: 'AI',
  model: 'AI',
};

/** Names of several words, insertions, people and models as they are written elsewhere. */
function plainService(written: string, { texts, around }: Declaration): string {
  const server = /^\S+ is an? (?:person|team) [a-z ,-]{1,60} (\S+)$/.exec(written)?.[1] ?? '';
  if (around.services.get(server) === 'a mail server') return written.replace(/ (person|team) .*/, ` $1 notified by ${server}`);
  return units(written.replace(/^with (timeout|limit):/, 'with $1'))
    .replace(/\ue000\d+\ue001/g, (hidden) => {
      const inner = texts.inner(hidden) ?? '';
      const meant = inner.replace(/\$?\{\{? ?(?:env\.)?([A-Z][A-Z0-9_]{2,60}) ?\}?\}/g, '{env.$1}');
      return meant === inner ? hidden : texts.hide(meant);
    })

    .replace(
      /(?<= is an? (?:person|team|human|employee)),? (?:who |which |that )?(?:is |are |gets )?(?:(?:notified|informed|told|reached|asked) )?(?:by e?-?mail )?(?:via|through|over|using|with|by) (?=[A-Z])/,
      ' notified by ',
    )
    .replace(
      /(?<= is an? (?:person|team|human|employee))(?: who| that)?(?: is| are)?(?: notified)? (?:at|on) (?=\ue000|\{)/,
      ' notified at ',
    )
    .replace(/^(\S+) (?:is )?(notified (?:by|at) )/, '$1 is a person $2')
    .replace(
      / at ((?:[a-z0-9-]+\.)+[a-z]{2,10}(?:\/[^\s\ue000]*)?)$/,
      (_, host: string) => ` at ${texts.hide(`https://${host}`)}`,
    )
    .replace(/^(?:the|our|an?) (?=\S+ is )/, '')

    .replace(/,?(?: with| and)?(?: an?| the)? (?:url|URL|address|endpoint):? (?=\ue000)/, ' at ')

    .replace(
      /( is an AI using )((?:openai|anthropic|ollama)\/[\w.:-]{1,60}|(?:gpt|claude)[\w.-]{1,60})$/,
      (_, start: string, model: string) => start + texts.hide(model),
    )
    .replace(
      /( is an? (?:folder|directory|plugin|workflow|database)(?: at)? )(\.{0,2}\/[^\s\ue000]{1,100})$/,
      (_, start: string, path: string) => start + texts.hide(path),
    );
}

/** `Register is API at https://…` */
function service(written: string, { texts, around }: Declaration): string {
  const line = plainService(written, { texts, around });
  if (around.parent === 'with headers:')
    return line.replace(
      /^([A-Za-z][\w-]{0,60}) ?(?:=|:|is|to)? ?(\ue000\d+\ue001|\{[^}\s]{1,80}\}|env\.\w{1,60})$/,
      (_, name: string, value: string) =>
        `${name}: ${value.startsWith('{') ? texts.hide(value) : value.startsWith('env.') ? texts.hide(`{${value}}`) : value}`,
    );
  const quoted = line
    .replace(
      /( (?:at|from|using|secret|plugin) |: )((?:Bearer |Basic |token )?\{env\.\w{1,60}\}\S{0,80}|https?:\/\/\S{1,200})$/,
      (_, before: string, value: string) => before + texts.hide(value),
    )
    .replace(/( (?:at|from) |: )(env\.\w{1,60})$/, (_, before: string, name: string) => before + texts.hide(`{${name}}`));
  const [, start = '', said = '', rest = ''] =
    /^(\S+ is )(?:an? )?(hook|human|people|user|employee|group|db|mail service|smtp|directory|service|api|REST API|llm|model|API|webhook|AI|plugin|database|mail server|folder|workflow|person|team)( .*)$/.exec(
      quoted,
    ) ?? [];
  const kind = SERVICES[said] ?? said;
  const declared = start === '' ? quoted : `${start}${/^[AEIOaeio]/.test(kind) ? 'an' : 'a'} ${kind}${rest}`;
  if (around.parent !== 'services:')
    return declared
      .replace(/^from:? ([^\ue000]{1,100}@[^\ue000]{1,100})$/, (_, sender: string) => `from ${texts.hide(sender)}`)

      .replace(
        /^(?:with )?(?:an? )?(?:(?:rate )?limit(?: of)?|at most|maximum):? (\d+)(?: (?:calls|requests))? ?(?:\/|per|an?|each|every) ?minute$/,
        'with limit $1 calls a minute',
      )
      .replace(/^(?:with )?(?:an? )?(?:limit of|rate limit(?: of)?|at most|maximum) (?=\d)/, 'with limit ');
  return declared
    .replace(/( using )(\ue000\d+\ue001)$/, (all, using: string, model: string) => {
      const name = texts.inner(model) ?? '';
      const provider = /^claude/i.test(name) ? 'anthropic' : /^(?:gpt|o\d)/i.test(name) ? 'openai' : undefined;
      return provider === undefined || name.includes('/') ? all : `${using}${texts.hide(`${provider}/${name}`)}`;
    })
    .replace(pattern('^(<name>): ?(<text>)$'), '$1 is an API at $2');
}

const SMALL = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Settings whose value is text. */
const TEXTS = /^(name|description|timezone|schedule|working hours|language|signature|secret): (?!\ue000)(.+)$/;

const KEYS =
  'timeout,timezone,schedule,working hours,holidays,language,once for each,find by,keep for,status when rejected,runs at once'.split(
    ',',
  );

const oneThatBegins = (said: string): string | undefined => {
  const [one, other] = KEYS.filter((key) => key.startsWith(`${said} `));
  return other === undefined ? one : undefined;
};

/** The setting with all of whose words a key begins: `max runs at once:`, `time out:`. */
function withKey(line: string): string {
  const [, said = ''] = /^([a-z][a-z -]{1,40}):/.exec(line) ?? [];
  const words = said.split(/[ -]/);
  const key =
    KEYS.find((one) => one === words.join('') || one.split(' ').every((word) => words.includes(word))) ?? oneThatBegins(said);
  return key === undefined ? line : key + line.slice(said.length);
}

/** `keep: for 90 days`, `find by customer` */
function named(line: string): string {
  const words = line.replace(/^([a-z -]{1,30}): ?/, '$1 ');
  const key = KEYS.find((one) => words.startsWith(`${one} `));
  return key === undefined || line.startsWith(`${key}:`) ? line : `${key}: ${words.slice(key.length + 1)}`;
}

function setting(line: string, { texts, around }: Declaration): string {
  const inner = (value: string): string => texts.inner(value) ?? '';
  return withKey(named(line))
    .replace(/^(?:timeout|keep for): .*$/, units)
    .replace(/^((?:once for each|find by): )\[(.*)\]$/, '$1$2')
    .replace(/^((?:timeout|keep for): )(?:after |up to |max(?:imum)?\.? |at most )(?=\d)/, '$1')

    .replace(/^time ?zone:?|^(?:zone|tz):/i, 'timezone:')

    .replace(/^(?:time limit|max(?:imum)? (?:duration|time)|duration|deadline):/, 'timeout:')

    .replace(
      /^(name|description|version|timeout|timezone|schedule|working hours|holidays|once for each|keep for|language|runs at once) ?=? (?!:)(?=\S)/,
      '$1: ',
    )
    .replace(
      new RegExp(`^(version|runs at once): (${SMALL.join('|')})$`),
      (_, key: string, said: string) => `${key}: ${SMALL.indexOf(said) + 1}`,
    )

    .replace(
      pattern('^((?:once for each|find by): )((?:<name>|<text>)(?:(?:, ?| and )(?:<name>|<text>)){0,5})$'),
      (all, key: string, values: string) => {
        const names = values.split(/, ?| and /).map((value) => texts.inner(value) ?? value);
        return names.every((name) => around.inputs.has(name)) ? key + names.map((name) => `request.${name}`).join(', ') : all;
      },
    )
    .replace(
      TEXTS,
      (_, key: string, value: string) =>
        `${key}: ${texts.hide((key === 'timezone' ? similarTimezone(value) : undefined) ?? value)}`,
    )
    .replace(
      /^(timeout|keep for|version|runs at once|status when rejected): (\ue000\d+\ue001)$/,
      (_, key: string, value: string) => `${key}: ${inner(value)}`,
    )
    .replace(/^(?:once per|once each|once for every|only once for each|once for(?! each)):? /, 'once for each: ')
    .replace(/^holidays: .*/, (list) => list.replace(/(?<![\w.-])\d[\d./-]{5,9}(?![\w.-])/g, (date) => texts.hide(date)))
    .replace(pattern('^holidays: (?=<text>)(.+)$'), 'holidays: [$1]')
    .replace(
      /^(holidays: )(.*)$/,
      (_, key: string, list: string) =>
        key +
        list.replace(/\ue000\d+\ue001/g, (one) => {
          const date = dateIn(inner(one));
          return date === undefined ? one : texts.hide(date);
        }),
    )
    .replace(/^(schedule: )(\ue000\d+\ue001)$/, (_, key: string, value: string) => key + texts.hide(scheduleOf(inner(value))))
    .replace(/^(working hours: )(\ue000\d+\ue001)$/, (_, key: string, value: string) => key + texts.hide(hoursOf(inner(value))));
}

/** `every day at 6 am` → `day at 6am` */
const scheduleOf = (said: string): string =>
  said
    .replace(/^(?:at )?(\d{1,2}:\d\d) (?:on |every |each )?([a-z]+)$/, '$2 at $1')
    .replace(/^every (?=\D)/, '')
    .replace(/^daily\b/, 'day')
    .replace(/^(?:weekdays?|mon[a-z]* (?:to|-) fri[a-z]*|every working day)\b/i, 'weekday')
    .replace(/ o'clock\b/g, '')
    .replace(/(\d)\.(?=\d\d)/g, '$1:')
    .replace(/(\d) (am|pm)\b/, '$1$2')
    .replace(/^([a-z]+) (?=\d)/, '$1 at ')
    .replace(/\bat (\d{1,2})$/, 'at $1:00');

/** `25.12.2026`, `25 December 2026` and `December 25, 2026` as `2026-12-25`. */
function dateIn(said: string): string | undefined {
  const [, one = '', two = '', year = ''] =
    /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(said) ?? /^(\d{1,2})(?:st|nd|rd|th|\.)? ([a-z]+),? (\d{4})$/i.exec(said) ?? [];
  const [, name = '', day = one, written = year] = /^([a-z]+) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i.exec(said) ?? ['', two];
  const month = /^\d+$/.test(name) ? Number(name) : MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  return written === '' || month < 1 || month > 12 ? undefined : isoDate(day, String(month), written);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const DAYS: Readonly<Record<string, string>> = {
  mon: 'monday',
  tue: 'tuesday',
  wed: 'wednesday',
  thu: 'thursday',
  fri: 'friday',
  sat: 'saturday',
  sun: 'sunday',
};

/** Several days, and hours over midnight: `monday, friday 22:00 to 6:00` → spans of one day, or of days in a row. */
const spansOf = (said: string): string =>
  said
    .replace(
      /(?<![a-z, ])(,? ?)([a-z, ]{1,150}) (\d{1,2}:\d\d to \d{1,2}:\d\d)/g,
      (all, before: string, days: string, hours: string) => {
        const each = days.split(/, ?and |, ?| and /);
        const isList = each.length > 1 && each.every((day) => /^[a-z]{3,6}day(?: to [a-z]{3,6}day)?$/.test(day));
        return isList ? before + each.map((day) => `${day} ${hours}`).join(', ') : all;
      },
    )
    .replace(
      /([a-z]{3,6}day)(?: to ([a-z]{3,6}day))? (\d{1,2}):(\d\d) to (\d{1,2}):(\d\d)/g,
      (all, ...parts: (string | undefined)[]) => {
        const [first = '', last, from, minutes, to, past] = parts;
        // `17:00 to 9:00` is as likely the wrong way round.
        if (Number(from) <= Number(to) || Number(from) < 18) return all;
        const days = [first, last].flatMap((day) => (day === undefined ? [] : [day]));
        const isAll = days.join(' ') === 'monday sunday';
        const next = isAll ? days : days.map((day) => WEEK[(WEEK.indexOf(day) + 1) % WEEK.length] ?? day);
        return `${days.join(' to ')} ${from}:${minutes} to 24:00, ${next.join(' to ')} 0:00 to ${to}:${past}`;
      },
    );

const WEEK: readonly string[] = Object.values(DAYS);

/** `mon-fri 8-16` → `monday to friday 8:00 to 16:00` */
const hoursOf = (said: string): string => withDays(spansOf(plainHours(said)));

/** `monday 8:00 to 12:00, 13:00 to 17:00`: the second span is of the same days. */
function withDays(said: string): string {
  let days = '';
  return said
    .split(', ')
    .map((span) => {
      const own = /^[a-z ]+ (?=\d)/.exec(span)?.[0];
      days = own ?? days;
      return own === undefined ? days + span : span;
    })
    .join(', ');
}

const plainHours = (said: string): string =>
  said
    .toLowerCase()
    .replace(/\bfrom /g, '')
    .replace(/(?<=\d) ?(?:and|;|&|\+) (?=[a-z\d])/g, ', ')

    .replace(/\bweekdays?\b/g, 'monday to friday')
    .replace(/\b(?:every day|daily|all days|all week)\b/g, 'monday to sunday')
    .replace(/\bweekends?\b/g, 'saturday to sunday')
    .replace(/([a-z]),? (?=\d)/g, '$1 ')
    .replace(
      /\b(\d{1,2})(:\d\d)? ?(am|pm)\b/g,
      (_, hour: string, minutes = ':00', half: string) => `${(Number(hour) % 12) + (half === 'pm' ? 12 : 0)}${minutes}`,
    )
    .replace(/(?<![\d:])(\d{1,2})(?= to \d| ?-|$|,)/g, '$1:00')
    .replace(/\b(mon|tue|wed|thu|fri|sat|sun)\b/g, (day) => DAYS[day] ?? day)
    .replace(/([a-z]) ?[-–] ?(?=[a-z])/g, '$1 to ')
    .replace(
      /\b(\d{1,2})(:\d\d)? ?(?:[-–]|until|till) ?(\d{1,2})(:\d\d)?\b/g,
      (_, from: string, minutes = ':00', to: string, past = ':00') => `${from}${minutes} to ${to}${past}`,
    );

const HEADINGS: Readonly<Record<string, string>> = {
  '=': 'is',
  '==': 'is',
  '!=': 'is not',
  '<': 'is below',
  '>': 'is above',
  '<=': 'is at most',
  '>=': 'is at least',
  '≤': 'is at most',
  '≥': 'is at least',
};

/** What the cells of the row for everything else contain elsewhere. */
const ELSE = /^(?:otherwise|else|default|all others?|the rest|rest|everything else|anything else)$/i;

/** The cells of a table row. */
function row(line: string, { texts }: Declaration): string {
  if (!line.startsWith('|') && !line.endsWith('|')) return line;
  return `${line.startsWith('|') ? '' : '| '}${line}${line.endsWith('|') ? '' : ' |'}`
    .split('|')
    .map((cell, index, { length }) => {
      const said = cell.trim();
      const isBlank = said === '' && index > 0 && index < length - 1 && ELSE.test(line.split('|')[1]?.trim() ?? '');
      if (isBlank) return ' any ';
      if (ELSE.test(said) || said === '*' || texts.inner(said) === 'any') return cell.replace(said, 'any');
      const [, amount] = /^(-?\d[\d.,]*) ?(?:[€$£%]|[A-Za-z]{1,12}\.?)$/.exec(said) ?? [];
      if (amount !== undefined) return cell.replace(said, amount.replace(/^(\d+),(\d{1,2})$/, '$1.$2'));
      const [, compared = '', limit = ''] = /^(<=|>=|[<>≤≥]) ?(-?\d[\d.]*)$/.exec(said) ?? [];
      if (compared !== '') return cell.replace(said, `${(HEADINGS[compared] ?? '').slice(3)} ${limit}`);
      const [, name = '', sign = ''] = /^(\S{1,60}) (==?|!=|<=|>=|[<>≤≥])$/.exec(said) ?? [];
      const meant =
        name !== ''
          ? `${name} ${HEADINGS[sign] ?? sign}`
          : /^\d{1,9},\d{1,2}$/.test(said)
            ? said.replace(',', '.')
            : /^\d{1,3}(?:\.\d{3}){2,}$|^\d{1,3}\.\d{2}0$/.test(said)
              ? said.replaceAll('.', '')
              : said;
      return said === '' || meant === said ? cell : cell.replace(said, meant);
    })
    .join('|')
    .replace(/\| ([A-Za-z][\w-]{0,30}) (?= *\|)/g, (all, said: string) =>
      /^(?:any|empty|true|false|yes|no)$/.test(said) || !/\d|\ue000/.test(line) ? all : `| ${texts.hide(said)} `,
    );
}

/** A line above `workflow:`. */
export function rewordDeclaration(line: string, declaration: Declaration): string {
  switch (declaration.around.section) {
    case 'config':
      return setting(line, declaration);
    case 'inputs':
      return input(line, declaration.texts);
    case 'services':
      return service(line, declaration);
    case 'tables':
      return row(line, declaration);
    default:
      return line.replace(/^(config|input|service|table|workflow)s?:?$/i, (_, name: string) => {
        const section = name.toLowerCase();
        return section === 'config' || section === 'workflow' ? `${section}:` : `${section}s:`;
      });
  }
}
