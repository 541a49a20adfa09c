// Rewords lines of config, inputs, services and tables.
import { type AroundLine, type HiddenTexts, pattern } from './hidden-line.js';

interface Declaration {
  readonly texts: HiddenTexts;
  readonly around: AroundLine;
}

const KINDS: readonly (readonly [said: string, meant: string])[] = [
  ['(?:an? )?(?:strings?|str)', 'a text'],
  ['(?:an? )?(?:integers?|int|whole)(?! number)', 'a whole number'],
  ['(?:an? )?(?:amount|decimal|float|double|numeric|money|price)', 'a number'],
  ['(?:an? )?(?:boolean|bool|flag|yes/no|true/false|checkbox|true or false)', 'yes or no'],
  ['(?:an? )?(?:e-?mail(?: address)?|mail address)', 'an email address'],
  ['(?:an? )?(?:datetime|timestamp|date and time)', 'a time'],
  ['(?:an? )?(?:array|arrays) of', 'a list of'],
  ['(?:an? )?(?:objects?|dict|map|dictionary)', 'a record'],
  ['(text|number|date|time|record|whole number)(?=$|[ ,:])', 'a $1'],
  ['list of', 'a list of'],
];

const ITEMS: Readonly<Record<string, string>> = {
  strings: 'texts',
  string: 'texts',
  integers: 'whole numbers',
  decimals: 'numbers',
  amounts: 'numbers',
  objects: 'records',
  emails: 'email addresses',
};

/** `founded: date`, `employees is an integer > 0`, `zone is one of ["a", "b"]` */
function input(line: string): string {
  let now = line.replace(pattern('^(<name>) ?(?::|=|as|are) ?(?=[A-Za-z])'), '$1 is ');
  now = now.replace(/^(?:the|an?|my|our) /, '').replace(pattern('^(<name>) (<name>) is '), '$1-$2 is ');
  now = now.replace(
    /^(\S+ is )an? optional (.*)$/,
    (_, start: string, rest: string) => `${start}${/^[aeiou]/.test(rest) ? 'an' : 'a'} ${rest}, optional`,
  );
  for (const [said, meant] of KINDS) {
    const changed = now.replace(pattern(`^(\\S{1,60} is )${said.replace('(text|', '(?<kind>text|')}(?![\\w-])`), (...all) => {
      const groups: unknown = all.at(-1);
      const kind = typeof groups === 'object' && groups !== null && 'kind' in groups ? String(groups.kind) : '';
      return `${String(all[1])}${meant.replace('$1', kind)}`;
    });
    if (changed === now) continue;
    now = changed;
    break;
  }
  const said = now
    .replace(/\blist of (?:up to|max|maximum|no more than) (?=\d)/, 'list of at most ')
    .replace(/\blist of (\d+)\s?(?:-|–|\.\.)\s?(\d+) /, 'list of $1 to $2 ')
    .replace(/(\blist of (?:\d+ to \d+ )?)([a-z]+)\b/, (all, start: string, items: string) =>
      Object.hasOwn(ITEMS, items) ? start + ITEMS[items] : all,
    )
    .replace(/\b(?:between|from) (\d[\d.]*)\s?(?:-|–|and|\.\.)\s?(\d[\d.]*)/, 'from $1 to $2')
    .replace(/ ?>= ?(?=[\d"\ue000])/, ' at least ')
    .replace(/ ?<= ?(?=[\d"\ue000])/, ' at most ')
    .replace(/ ?> ?(?=[\d"\ue000])/, ' above ')
    .replace(/ ?< ?(?=[\d"\ue000])/, ' below ')
    .replace(
      /,? (?:of )?(?:up to|max(?:imum)?|at most|no more than|with at most) (\d+) (?:characters|chars|letters|signs)/,
      ' of at most $1 characters',
    )
    .replace(/ (?:matching|matches|in the form|of the form|formatted as|pattern) (?=\ue000)/, ' like ')
    .replace(/, (?:default|defaults to|default is|else|or else|by default) /, ', otherwise ')
    .replace(/ \(optional\)$| optional$/, (said) => (said.startsWith(' (') ? ', optional' : said))
    .replace(/(?<!,) optional$/, ', optional')
    .replace(pattern('is (?:in|either|any of|a choice of)? ?(?=<text>(?:,| or ))'), 'is one of ');
  const chosen = / is one of /.test(said)
    ? said
        .replace('one of [', 'one of ')
        .replace(']', '')
        .replace(/(?<=\ue001) or (?=\ue000)/g, ', ')
    : said;
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

/** `Register is API at https://…` */
function service(line: string, { texts, around }: Declaration): string {
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
      .replace(/^headers:?$/, 'with headers:')
      .replace(/^(?:timeout:?|with timeout:|time limit) ?(?=\d)/, 'with timeout ')
      .replace(/^(?:with )?limit:? (\d+) (?:calls|requests) (?:per|a|an|each|every) minute$/, 'with limit $1 calls a minute');
  return declared
    .replace(/( using )(\ue000\d+\ue001)$/, (all, using: string, model: string) => {
      const name = texts.inner(model) ?? '';
      const provider = /^claude/i.test(name) ? 'anthropic' : /^(?:gpt|o\d)/i.test(name) ? 'openai' : undefined;
      return provider === undefined || name.includes('/') ? all : `${using}${texts.hide(`${provider}/${name}`)}`;
    })
    .replace(pattern('^(<name>): ?(<text>)$'), '$1 is an API at $2')
    .replace(/ is a webhook (?=\ue000)/, ' is a webhook at ')
    .replace(/ is an? (API|database|folder|mail server|workflow) (?=\ue000)/, (all) => `${all}at `);
}

/** Settings whose value is text. */
const TEXTS = /^(name|description|timezone|schedule|working hours|language|signature|secret): (?!\ue000)(.+)$/;

function setting(line: string, { texts }: Declaration): string {
  const inner = (value: string): string => texts.inner(value) ?? '';
  return line
    .replace(TEXTS, (_, key: string, value: string) => `${key}: ${texts.hide(value)}`)
    .replace(
      /^(timeout|keep for|version|runs at once|status when rejected): (\ue000\d+\ue001)$/,
      (_, key: string, value: string) => `${key}: ${inner(value)}`,
    )
    .replace(/^(?:once per|once each|once for every|only once for each|once for):? /, 'once for each: ')
    .replace(pattern('^holidays: (?=<text>)(.+)$'), 'holidays: [$1]')
    .replace(
      /^(holidays: )(.*)$/,
      (_, key: string, list: string) =>
        key +
        list.replace(/\ue000\d+\ue001/g, (one) => {
          const [, day = '', month = '', year] = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(inner(one)) ?? [];
          return year === undefined ? one : texts.hide(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
        }),
    )
    .replace(/^(schedule: )(\ue000\d+\ue001)$/, (_, key: string, value: string) => key + texts.hide(scheduleOf(inner(value))))
    .replace(/^(working hours: )(\ue000\d+\ue001)$/, (_, key: string, value: string) => key + texts.hide(hoursOf(inner(value))));
}

/** `every day at 6 am` → `day at 6am` */
const scheduleOf = (said: string): string =>
  said
    .replace(/^every (?=\D)/, '')
    .replace(/^daily\b/, 'day')
    .replace(/^weekdays?\b/, 'weekday')
    .replace(/(\d) (am|pm)\b/, '$1$2')
    .replace(/^([a-z]+) (?=\d)/, '$1 at ')
    .replace(/\bat (\d{1,2})$/, 'at $1:00');

const DAYS: Readonly<Record<string, string>> = {
  mon: 'monday',
  tue: 'tuesday',
  wed: 'wednesday',
  thu: 'thursday',
  fri: 'friday',
  sat: 'saturday',
  sun: 'sunday',
};

/** `mon-fri 8-16` → `monday to friday 8:00 to 16:00` */
const hoursOf = (said: string): string =>
  said
    .toLowerCase()
    .replace(/\b(mon|tue|wed|thu|fri|sat|sun)\b/g, (day) => DAYS[day] ?? day)
    .replace(/([a-z]) ?[-–] ?(?=[a-z])/g, '$1 to ')
    .replace(
      /\b(\d{1,2})(:\d\d)? ?[-–] ?(\d{1,2})(:\d\d)?\b/g,
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

/** The cells of a table row. */
function row(line: string, { texts }: Declaration): string {
  if (!line.startsWith('|')) return line;
  return line
    .split('|')
    .map((cell) => {
      const said = cell.trim();
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
      return input(line);
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
