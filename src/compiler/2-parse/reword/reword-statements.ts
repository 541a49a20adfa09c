// Rewords the frame of a statement or of a line under a call: its first word, the words that hold it together, its colon.
import { isOwnWord } from '../../1-layout/alphabet.js';
import { type AroundLine, type HiddenTexts, pattern } from './hidden-line.js';
import { singular } from './reword-lists.js';

interface Statement {
  readonly texts: HiddenTexts;
  readonly around: AroundLine;
}

type Step = (line: string, statement: Statement) => string;

/** Beginnings in other languages, and in other words. The first that fits counts. */
const BEGINNINGS: readonly (readonly [said: string, meant: string])[] = [
  ['(?:else|sonst|andernfalls|default|otherwhise|othewise)(?=:|$)', 'otherwise'],
  ['(?:when|wenn|falls|whenever|in case)(?= .*(?::|then|\\{)$)', 'if'],
  ['while (.+?),? (?:at most|max(?:imum)?|up to|but at most) (\\d+)(?: times)?:?$', 'repeat until not ($1), at most $2 times:'],
  ['while (.+?):?$', 'repeat until not ($1), at most 100 times:'],
  ['(?:do|try|run)(?: this| it| all)? until ', 'repeat until '],
  ['(?:do|run) (?:both|all|these|this) (?=at the same time|in parallel)', ''],
  ['(?:repeat|try|do) (?:at most )?(\\d+)(?: times|x) (?:until|or until) (.+?):?$', 'repeat until $2, at most $1 times:'],
  ['(?:repeat for each|foreach|for every|for all|for any|für jeden?|für jedes|loop over|each)(?= )', 'for each'],
  ['(?:print|echo|say|write|show|display|alert|note|protokolliere)(?= <text>$|:)', 'log'],
  ['(?:raise|throw)(?: new)? \\w*(?:Exception|Error) ?\\((<text>)\\);?$', 'reject with $1'],
  ['(?:console\\.<name>|print|printf|echo|puts|log|alert) ?\\((.+)\\);?$', 'log $1'],
  ['filter (?:(?:all|the) )?(request\\.)?(<name>) (?=by |with |where |for )', 'set $2 to filter $1$2 '],
  [
    '(?:reject|throw|raise|fail|abort|stop|end|decline|refuse|deny|ablehnen)(?: it| the \\S+)?(?: with| because| that| due to|:)?(?= <text>$)',
    'reject with',
  ],
  ['(?:the )?(?:results?|outputs?) (?:is|are) (?=<name> <value>)', 'complete with '],
  ['(?:return|finish|output|end|respond|answer|done|result)(?: with)? (?=<name>\\b)', 'complete with '],
  [
    '(?:setze|let|var|const|put|define|assign|store|calculate|compute|make|change)(?= <path> (?:to|as|be|=|:=|is|auf)\\b| <path> [:=])',
    'set',
  ],
  ['skip (?:this|the|it|to)\\b.*$', 'skip'],
  ['in (?:all|any|every) other cases?\\b', 'otherwise'],
  [
    '(?:go|step|run) (?:through|over) (?:all |the |each |every ){0,2}(<path>)(?:,? one(?: <name>)? (?:at a time|by one|after the other))?(?=:)',
    'for each of $1',
  ],
  ['(?:end|finish|finished|done)$', 'complete'],
  ['wait for (?=\\d|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten) [a-z]+$)', 'wait '],
  ['look (.+) up in ', 'look up $1 in '],
  ['wait until (?:the )?(<path>) (?:is reached|has come|comes|is over|has passed)$', 'wait until $1'],
  ['(<name>)\\.(?:push|append|add)\\((<value>)\\);?$', 'add $2 to $1'],
  ['(<path>) is doubled$', 'set $1 to $1 times 2'],
  ['(?:count|raise|turn) (<path>) up by (<value>)$', 'set $1 to $1 plus $2'],
  ['(<path>) ([+*-])= ?(<value>)$', 'set $1 to $1 $2 $3'],
  ['(?:take|use|call|name|remember|keep) (.+) as (<name>)$', 'set $2 to $1'],
  ['(?:go|jump|move|proceed|on) (?:on )?to (?:the )?next(?: \\S+)?$', 'skip'],
  ['wait (?:until )?(\\d{1,2}(?::\\d\\d)?(?: ?[ap]m)?) (?:on|of) (<path>)$', 'wait until $2 at $1'],
  ['wait for (<path>) at (?=\\d)', 'wait until $1 at '],
  [
    'wait for (<name>) (?:of|from|on|about|for) (?!request\\b)(<name>)((?:\\.<name>)+)(?=$| at most| for up to| up to| max)',
    'wait for $1 with $2 $2$3',
  ],
  ['wait until (<name>) with ', 'wait for $1 with '],
  ['wait for (?:an? |the )?message (?:called |named )?(?!with\\b|at\\b)(?=<name>)', 'wait for '],
  ['(?:create|make|start|begin|new|set) (?:an? |the )?(?:new |empty )?list (<name>)$', 'set $1 to []'],
  ['set (<name>) (?:as|to) (?:an? )?(?:empty |new )?list$', 'set $1 to []'],
  ['set (<name>) with (?=<name> (?:<value>))', 'set $1 to record with '],
  [
    'set (<path>) to (<path>),? rounded to (?:the )?nearest (<number>)$',
    'set $1 to $2 divided by $3 rounded to 0 places times $3',
  ],
  [
    'set (<path>) to ([^()]+?),? rounded to (?:the )?nearest (<number>)$',
    'set $1 to ($2) divided by $3 rounded to 0 places times $3',
  ],
];

/** `total plus 5` */
function withoutVerb(line: string, { variables }: AroundLine): string {
  const [, name = '', operation = ''] =
    pattern('^(<path>) ((?:plus|minus|times|divided by|joined with|[-+*/×]) .+)$').exec(line) ?? [];
  return variables.has(name.split('.')[0] ?? name) && operation !== '' ? `set ${name} to ${name} ${operation}` : line;
}

const beginning: Step = (written, { around }) => {
  const line = withoutVerb(written, around);
  for (const [said, meant] of BEGINNINGS) {
    const changed = line.replace(pattern(`^${said}`, 'i'), meant);
    if (changed !== line) return changed;
  }
  return line;
};

/** `set total = 5`, `total: 5`, `total = 5`, `set total as 5` */
const assignment: Step = (line) =>
  line
    .replace(pattern('^set (<path>) ?(?::=|=|:|as\\b|be\\b|is\\b|auf\\b) ?'), 'set $1 to ')
    .replace(pattern('^(<path>) ?:?= ?(?!=)'), 'set $1 to ')
    .replace(pattern('^(?!if\\b|otherwise\\b|trigger\\b|log\\b|step\\b|on\\b)(<path>): (?=<value>$)'), 'set $1 to ');

/** Lines that open a block. */
const OPENS =
  /^(?:if|otherwise|for each|repeat|step|at the same time|on failure|on success|if still failing|if nothing comes|if nothing matches|with headers)\b/;

/** Lines with options below them, which open no block. */
const OPENS_NONE = /^(?:ask|look up|wait) | using /;

const colon: Step = (line) => {
  const plain = line.replace(/ ?(?:\{|\bthen:?|\bdo:?|\bdann:?)$/, ':');
  if (OPENS.test(plain)) return plain.endsWith(':') ? plain : `${plain}:`;
  return OPENS_NONE.test(plain) ? plain.replace(/:$/, '') : plain;
};

/** `for each site of request.sites:`, `for each parents:` */
const loop: Step = (line) =>
  line
    .replace(pattern('^(for each <name>) (?:of|from|inside|within|auf) '), '$1 in ')
    .replace(
      pattern('^(for each <name> in <path>),? (?:ordered |arranged )?by (?=(?:<name>|<text>)(?: descending)?:$)'),
      '$1 sorted by ',
    )
    .replace(pattern('^for each of (?:the )?(<path>)'), (_, list: string) => `for each ${singular(list)} in ${list}`)
    .replace(/^(repeat until .{1,200}?),? ?\((?:at most|max(?:imum)?\.?|up to) ([^\s()]{1,60} times)\)/, '$1, at most $2')
    .replace(pattern('^(repeat until .{1,200}?[^,])(?: but| or| and)? at most '), '$1, at most ')

    .replace(
      /^(for each .{1,200}?),? ?\(?(?:(?:at most|up to|max\.?|maximum) )?(\d{1,3}|all) at a time\)?:$/,
      '$1, $2 at a time:',
    )
    .replace(/\buntil (?:the first|any|one)(?: one| of them)? is done\b/, 'until one is done');

/** Words that can't be the name of a value in a pair. */
const NO_NAME = /^(?:and|or|with|is|to|in|at|on|not|by|of|for)$/;

/** Parts of a mail, in other words. */
const OF_MAIL: Readonly<Record<string, string>> = {
  recipient: 'to',
  receiver: 'to',
  address: 'to',
  title: 'subject',
  body: 'text',
  message: 'text',
  content: 'text',
  attachment: 'attachments',
};

const mailPairs: Step = (line, { around }) => {
  const service = pattern(' using (<name>)').exec(line)?.[1] ?? '';
  if (around.services.get(service) !== 'a mail server') return line;
  const named = / text /.test(line) ? line : line.replace(pattern('( with| and) (<name>) \\2(?= and |$)'), '$1 text $2');
  return named.replace(pattern('( with| and) (<name>) (?=<value>)', 'g'), (all, joint: string, name: string) =>
    Object.hasOwn(OF_MAIL, name) && !pattern(`(?: with| and) ${OF_MAIL[name]} `).test(line) ? `${joint} ${OF_MAIL[name]} ` : all,
  );
};

/** `subject Your stay and …`: several words that are no names. */
const pairTexts: Step = (line, { texts, around }) =>
  / with /.test(line)
    ? line.replace(
        pattern('((?: with| and) <name>) (<name>(?: <name>){1,8})(?= and <name> |$)', 'g'),
        (all, start: string, words: string) =>
          words.split(' ').some((one) => isOwnWord(one) || around.variables.has(one)) ? all : `${start} ${texts.hide(words)}`,
      )
    : line;

/** `with a: b, c: d` and `with a.b and c` */
const pairs: Step = (written) => {
  const line = written.replace(/^(complete with |set \S+ to record with )\{ ?(.+?) ?\}$/, '$1$2');
  const [all = '', before = ''] = /^(.*?\bwith )/.exec(line) ?? [];
  if (all === '' || !/^(?:complete|reject|set|add|log|wait for|look up|[A-Za-z-]+ )/.test(line)) return line;
  const isList = /^complete with |\brecord with |\busing \S+ (?:at \S+ )?with |^wait for \S+ with |^look up /.test(all);
  if (!isList) return line;
  const said = line
    .slice(all.length)
    .replace(pattern('(^|, | and | & )(<name>|<text>) ?[:=] ?', 'g'), '$1$2 ')

    .replace(pattern('(?:, | & )(?=<name> (?:<value>|\\())', 'g'), ' and ');
  const named = said.replace(
    pattern('(^| and )(<path>)(?= and |$| rounded to \\d+ (?:decimal )?places)', 'g'),
    (whole, joint: string, path: string) => {
      const name = path.split('.').pop() ?? path;
      return NO_NAME.test(path) || path === 'request' ? whole : `${joint}${name} ${path}`;
    },
  );
  return before + named;
};

/** `find x using DB at customers where id = 5` */
const where: Step = (line, { texts }) =>
  / using /.test(line)
    ? line
        .replace(pattern('( (?:where|with|and) <name>) ?(?:=|==|is|equals|:) (?=<value>)', 'g'), '$1 ')
        .replace(
          pattern('( using <name> at) (<name>)(?= (?:where|with)\\b|$)'),
          (_, start: string, table: string) => `${start} ${texts.hide(table)}`,
        )
        .replace(pattern('( at <text>),? (?:set|setting|having|and|by|to) (?=<name> <value>)'), '$1 with ')
        .replace(
          pattern('^(update .* using <name> at <text> with )(<name> <value>) and (<name> <value>)$'),
          (all, start: string, one: string, other: string) =>
            /^\S*id /.test(one) ? `${start}${other} where ${one}` : /^\S*id /.test(other) ? `${start}${one} where ${other}` : all,
        )
        .replace(/^select (?=.* using )/, 'get ')

        .replace(
          pattern(' at (<text>) (?:plus|and|then) (<path>)'),
          (_, path: string, name: string) => ` at ${texts.hide(`${texts.inner(path) ?? ''}{${name}}`)}`,
        )
    : line;

/** `complete fee 5`, `set x to record name "A"` */
const missingWith: Step = (line) =>
  line

    .replace(pattern('^(set <path> to )\\{ ?(<name>: ?.+?) ?\\}$'), '$1record with $2')
    .replace(/^(set \S+ to )\{ ?\}$/, '$1[]');

/** A call without "using", or with its parts in another order. */
const call: Step = (line, { around, texts }) => {
  if (around.services.size === 0 || /^(?:set|if|otherwise|for each|log|complete|reject)\b/.test(line)) return line;
  const swapped = line.replace(
    pattern('^(<name>) (<text>) using (<name>)(?: at)?'),
    (all, verb: string, path: string, service: string) => {
      const noun = /\/([A-Za-z-]{1,40})(?![^{]*\})/.exec(texts.inner(path) ?? '')?.[1];
      return noun === undefined ? all : `${verb.toLowerCase()} ${noun} using ${service} at ${path}`;
    },
  );
  return recipient(address(swapped, around, texts), around);
};

/** A database needs a table, a folder a path without a slash in front, and a mail goes through the mail server. */
function address(line: string, { services }: AroundLine, texts: HiddenTexts): string {
  const used = pattern('^(<name>(?: <name>){0,3}) using (<name>)').exec(line);
  const [, phrase = '', service = ''] = used ?? [];
  const kind = services.get(service);
  const mail = [...services].find(([, one]) => one === 'a mail server')?.[0];
  if (
    used !== null &&
    kind === undefined &&
    mail !== undefined &&
    line.includes(' with to ') &&
    /\b(?:subject|text)\b/.test(line)
  )
    return line.replace(`using ${service}`, `using ${mail}`);
  if (kind === 'a folder')
    return line.replace(pattern(' at (<text>)'), (all, path: string) =>
      texts.inner(path)?.startsWith('/') === true ? ` at ${texts.hide((texts.inner(path) ?? '').slice(1))}` : all,
    );
  if (kind !== 'a database' || used === null || /^ (?:at|running)\b/.test(line.slice(used[0].length))) return line;
  const noun = phrase.split(' ').pop() ?? phrase;
  return `${used[0]} at ${texts.hide(noun.endsWith('s') ? noun : `${noun}s`)}${line.slice(used[0].length)}`;
}

/** `send letter to parent using Office with subject "Hi"` */
function recipient(line: string, { services }: AroundLine): string {
  const mail = [...services].find(([, kind]) => kind === 'a mail server')?.[0];
  const joined = (pairs: string): string => (pairs === '' ? '' : ` and ${pairs}`);
  const moved = line.replace(
    pattern('^(?:mail|e-?mail|write(?: to)?|inform|notify) (<text>|<name>\\.<path>) using (<name>)(?: with (.+))?$'),
    (_, to: string, service: string, rest = '') => `send mail using ${service} with to ${to}${joined(rest)}`,
  );
  if (mail === undefined || /\busing\b/.test(moved)) return moved;
  return moved.replace(
    pattern('^(?:(?:send )?(?:an? )?(?:e-?mail|mail)|send (<name>)) (?:to )?(?!using)(<value>)(?:,? (?:with|and) (.+))?$'),
    (_, what = 'mail', to: string, rest = '') => `send ${what} using ${mail} with to ${to}${joined(rest)}`,
  );
}

/** `send "…" using Alerts`, `send warning to Alerts: "…"` */
const toWebhook: Step = (line, { around }) =>
  line
    .replace(pattern('^send (<text>) (?:using|to) (<name>)$'), 'send message using $2 with text $1')
    .replace(
      pattern('^(<name>(?: <name>)?)(?: to| using) (<name>):? (?=<text>(?:$|, ))'),
      (all, words: string, service: string) =>
        around.services.get(service) === 'a webhook' ? `${words} using ${service} with text ` : all,
    );

/** `log admitted`, `at /samples`, `at env.URL` */
const unquoted: Step = (line, { texts, around }) => {
  const [, verb, words] = /^(log|reject(?: with|:| because| saying)) ([A-Za-z{][^\ue000]*)$/.exec(line) ?? [];
  const start = verb?.replace(/^reject.*/, 'reject with');
  const isName = (word: string): boolean => around.variables.has(word) || around.inputs.has(word) || /[.{}]\w/.test(word);
  const isSentence =
    (words ?? '').split(' ').filter((word) => !isOwnWord(word) && !isName(word)).length > 0 && / /.test(words ?? '');
  if (start !== undefined && words !== undefined && isSentence && !/[+*"=<>()]/.test(words))
    return `${start} ${texts.hide(words.replace(/(?<![{.\w-])[A-Za-z_]\w*(?:\.[A-Za-z_-]\w*)+(?![}.\w])/g, '{$&}'))}`;
  const [, before, item, list] = pattern('^(add )(<name>(?: <name>){1,6})( to <name>)$').exec(line) ?? [];
  if (before !== undefined && item !== undefined && !item.split(' ').some((word) => isOwnWord(word) || isName(word)))
    return before + texts.hide(item) + list;
  return line
    .replace(
      /\b(is like|matches|like) ([A-Z@]{0,20}[-A-Z@#*?]{2,20}[#@*?])(?=:?$)/,
      (_, how: string, form: string) => `${how} ${texts.hide(form)}`,
    )
    .replace(/\bat (\{[\w.]+\}|https?:\/\/\S+|\/[^\s,]*)/g, (_, path: string) => `at ${texts.hide(path)}`)
    .replace(
      /^(addressed to |with to |.* with to )([\w.+-]{1,64}@[\w.-]{1,100})/,
      (_, before: string, address: string) => before + texts.hide(address),
    )
    .replace(/\bwritten as ([A-Z][A-Za-z.\-/]{1,20})(?=$| )/, (_, form: string) => `written as ${texts.hide(form)}`);
};

/** Names of several words, if the file has them as one: `total staff`. */
const names: Step = (line) =>
  line.replace(
    pattern(
      '^(set|save the [a-z ]{1,20} as|wait for) (?!an? |the )(<name>) (?!to\\b|with\\b|at\\b|as\\b)(<name>)(?= to | with | at most |$)',
    ),
    '$1 $2-$3',
  );

/** Lines under a call or a question. */
const OPTIONS: readonly (readonly [said: string, meant: string])[] = [
  [
    '(?:give (?:him|her|them)|wait|for)?(?: ?(?:at most|max(?:imum)?|no more than|up to|time limit|answer within|respond within))?(?= \\d)',
    'within',
  ],
  ['save (?:the )?(status|confidence|comment|person|message)$', 'save the $1 as $1'],
  ['remind (?:every )?hourly$', 'remind every 1 hour'],
  ['remind (?:each|after|again every|them every|all)\\b', 'remind every'],
  ['remind (?:once|one time) (?:an?|per|every|each|in a) ', 'remind every 1 '],
  [
    '(?:(?:the|possible) )?(?:choose|choices|options|answers?|select|one of)(?: from| between| with| is| are| can be)?:? (?=<text>|\\[|<name>(?: <name>)?(?: or| and|[;,]| ?[/|]))',
    'choose from ',
  ],
  ['save how (?:sure|certain) (?:it|that) is as\\b', 'save the confidence as'],
  [
    '(?:save|(?:and )?(?:call|name) (?:it|this|that|the result|the answer)|the (?:result|answer) is) (?=<name>$)',
    'save the result as ',
  ],
];

const option: Step = (line) => {
  for (const [said, meant] of OPTIONS) {
    const changed = line.replace(pattern(`^${said}`), meant);
    if (changed !== line) return changed;
  }
  return line;
};

const choices: Step = (line, { texts }) =>
  line.startsWith('choose from ')
    ? line
        .replace(/ ?[;/|] ?| (?:or|and) /g, ', ')
        .replace(pattern('(?<=^choose from |, )(<name>(?: <name>){0,3})(?=,|$)', 'g'), (name: string) => texts.hide(name))
    : line;

const silence: Step = (line) =>
  line.replace(
    /^(?:if (?:nothing|nobody|no \w+) (?:comes|arrives|came|happens)|otherwise|if it does not come|on timeout|on failure):?$/,
    'if nothing comes:',
  );

/** Options under a call, a question or a wait. */
export function rewordOption(line: string, statement: Statement): string {
  const isWait = statement.around.parent.startsWith('wait for');
  const steps = isWait ? [silence, names] : [option, unquoted, choices, names, colon];
  return steps.reduce((now, step) => step(now, statement), line);
}

/** A statement, before its values are reworded. */
export function rewordStatement(line: string, statement: Statement): string {
  const steps = [
    unquoted,
    beginning,
    colon,
    missingWith,
    assignment,
    names,
    loop,
    toWebhook,
    call,
    where,
    pairs,
    mailPairs,
    pairTexts,
    colon,
  ];
  return steps.reduce((now, step) => step(now, statement), line);
}
