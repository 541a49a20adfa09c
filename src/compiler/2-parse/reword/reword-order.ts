// Lines whose parts are right but stand in another order, or are held together by other words: the line is taken apart into its parts, and put
// together as the statement that it names would have them. Each part is kept, once, and words that carry a meaning of their own are not left out.
import type { AroundLine, HiddenTexts } from './hidden-line.js';
import { IN_DIGITS } from './reword-amounts.js';
import { singular } from './reword-lists.js';
import { spokenName, withNames } from './reword-nouns.js';
import { sentencesIn } from './reword-sentences.js';
import { ARTICLE, HIDDEN_TEXT, isValue, lineOf, NAME_WORD, NUMERAL, splitLine, TIME_UNIT } from './reword-tokens.js';

/** Words that a line means the same without, beside the words that hold it together. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    'a an the this that these it its them of for with and then or to in on at by be is are so please just only also again each every time times per ' +
    'up most maximum max max. until till within after before between in-between apart trying try attempt attempts answer reply respond response wait ' +
    'waiting pause pausing retry retrying repeat remind reminder send give limit deadline timeout time-out doubling double doubled him her me us more needed need must has have required latest over past'
  ).split(' '),
);

/** Pairs of a name and a value, in either order: `name is value`, `name = value`, `value as name`. */
function pairsOf(tokens: readonly string[], around: AroundLine): string | undefined {
  const pairs: string[][] = [[]];
  let open = 0;
  for (const token of tokens) {
    if (token === '(' || token === '[') open++;
    if (token === ')' || token === ']') open--;
    if (open === 0 && /^(?:and|,|&|with)$/.test(token)) pairs.push([]);
    else pairs.at(-1)?.push(token);
  }
  let owner = '';
  const said = pairs
    .map((words) => words.slice(words.findIndex((one) => !/^(?:the|an?|new|current)$/.test(one))))
    .map((words) => (/^(?:=|:)$/.test(words[2] ?? '') ? [`${words[0]}-${words[1]}`, ...words.slice(2)] : words))
    .filter((one) => one.length > 0)
    .map((words) => {
      const [name = '', next = '', ...rest] = words;
      if (/^(?:rounded|plus|minus|times|divided)$/.test(next) && isGiven(name, around))
        return [name.split('.').pop() ?? name, ...words];
      if (name === 'number' && next === 'of') return [(rest.at(-1) ?? '').split('.').pop() ?? '', 'count of', ...rest];
      const [named] = spokenName(words, 0, around, undefined);
      if (words.length > 1 && !isGiven(next, around) && named?.end === words.length)
        return [named.name.split('.').pop() ?? '', named.name];
      // `the animal's species and weight`
      if (words.length === 1 && owner !== '' && around.fields.has(name) && !around.variables.has(name))
        return [name, `${owner}.${name}`];
      owner = words.length === 1 && name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : '';
      const as = words.lastIndexOf('as');
      if (as > 0 && as === words.length - 2 && words[as + 1] !== undefined) return [words[as + 1], ...words.slice(0, as)];
      const value = /^(?:is|=|:|as|equals)$/.test(next) ? rest : words.slice(1);
      if (value.length === 0)
        return isValue(name, around) && NAME_WORD.test(name) && name !== 'request'
          ? [name.split('.').pop() ?? name, name]
          : undefined;
      return NAME_WORD.test(name) && !name.includes('.') && isValueStart(value[0], around) ? [name, ...value] : undefined;
    });
  return said.length === 0 || said.some((one) => one === undefined)
    ? undefined
    : said.map((one) => lineOf((one ?? []) as string[])).join(' and ');
}

const isValueStart = (token: string | undefined, around: AroundLine): boolean =>
  isValue(token, around) || /^(?:\(|\[|record|count|sum|first|last|uppercase|lowercase|text|today|now|not)$/.test(token ?? '');

const LINKS = /^(?:using|with|from|via|through|to|in|into|at|on|by|over|of|for|and|under|as|where|having|,)$/;

/** The service of a call, and the other tokens, with `|` where it stood. */
function serviceIn(
  tokens: readonly string[],
  { services }: AroundLine,
): { readonly service: string; readonly rest: string[] } | undefined {
  const at = tokens.findIndex((one) => services.has(one));
  const mails = [...services].filter(([, kind]) => kind === 'a mail server');
  const isMail = mails.length === 1 && tokens.some((one) => /^(?:subject|text)$/.test(one));
  const stores = [...services].filter(([, kind]) => kind === 'a database');
  const isStore = stores.length === 1 && /^(?:insert|update|delete)$/.test(tokens[0] ?? '');
  const service = tokens[at] ?? (isMail ? mails[0]?.[0] : isStore ? stores[0]?.[0] : undefined);
  if (service === undefined || /^an? (?:AI|person|team)$/.test(services.get(service) ?? '')) return undefined;
  if (at === -1) return { service, rest: [...tokens, '|'] };
  let before = at;
  while (LINKS.test(tokens[before - 1] ?? '') || ARTICLE.test(tokens[before - 1] ?? '')) before--;
  return { service, rest: [...tokens.slice(0, before), '|', ...tokens.slice(at + 1)] };
}

/** Where the pairs end that begin at `from`. */
function endOfPairs(tokens: readonly string[], from: number, kind: string | undefined, texts: HiddenTexts): number {
  const found = tokens.findIndex(
    (one, at) => at >= from && (/^(?:with|\||where|set)$/.test(one) || isPath(one, tokens[at + 1] ?? '', kind, texts)),
  );
  return found === -1 ? tokens.length : found;
}

/** A call: its words, its service, its path and its pairs, wherever they stand. */
function call(tokens: readonly string[], around: AroundLine, texts: HiddenTexts): string | undefined {
  const found = serviceIn(tokens, around);
  if (found === undefined || NO_CALL.test(tokens[0] ?? '')) return undefined;
  const { service, rest } = found;
  const kind = around.services.get(service);
  const phrase: string[] = [];
  const pairs: string[] = [];
  let [path, where] = ['', ''];
  for (let here = 0; here < rest.length; here++) {
    const [token = '', next = ''] = rest.slice(here, here + 2);
    if (token === '|') continue;
    if (path === '' && isPath(token, next, kind, texts)) path = rest[++here] ?? '';
    else if (path === '' && (texts.inner(token) ?? '').startsWith('/')) path = token;
    else if (path === '' && LINKS.test(token) && addressAt(rest, here + 1, around) > here) {
      here = addressAt(rest, here + 1, around);
      path = texts.hide(rest[here] ?? '');
      if (rest[here + 1] === 'table') here++;
    } else if (rest[here - 1] === '|' && /^(?:database|db|table|api|API|service|server|webhook|folder)$/.test(token)) continue;
    else if (/^(?:to|from|for)$/.test(token) && isGiven(next, around) && !isValue(rest[here + 2], around))
      pairs.push(`${token} ${rest[++here]}`);
    else if (/^(?:with|using|where|having|by|and|set|for|about|of|,)$/.test(token)) {
      const end = endOfPairs(rest, here + 1, kind, texts);
      const said = pairsOf(rest.slice(here + 1, end), around);
      if (said === undefined) return undefined;
      if (token !== 'where') pairs.push(said);
      else if (kind === 'a database') where = said;
      else if (pairs.length > 0) return undefined;
      else pairs.push(said);
      here = end - 1;
    } else if (
      path !== '' &&
      token !== 'running' &&
      pairs.length === 0 &&
      rest.indexOf('|') < here &&
      (rest.length - here) % 2 === 0
    ) {
      const said = pairsOf(
        rest.slice(here).flatMap((one, index) => (index > 0 && index % 2 === 0 ? ['and', one] : [one])),
        around,
      );
      if (said === undefined) return undefined;
      pairs.push(said);
      break;
    } else if (!NAME_WORD.test(token) || token.includes('.') || pairs.length > 0 || path !== '' || rest.indexOf('|') < here)
      return undefined;
    else if (!ARTICLE.test(token)) phrase.push(token);
  }
  if (phrase.length === 0 || phrase.length > 5) return undefined;
  const parts = { at: path, with: pairs.join(' and '), where };
  return lineOf([...phrase, 'using', service, ...Object.entries(parts).flatMap((part) => (part[1] === '' ? [] : part))]);
}

const SAVES = /^(?:save|store|put|write|insert|update|record)$/;

/** `insert the fee into the table payments`, `save the total in Db at "orders" where id is order.id` */
function saveIn(tokens: readonly string[], around: AroundLine, texts: HiddenTexts): string | undefined {
  const found = SAVES.test(tokens[0] ?? '') && !tokens.includes('with') ? serviceIn(tokens, around) : undefined;
  if (found === undefined) return undefined;
  const kind = around.services.get(found.service);
  if (kind === 'a folder')
    return tokens.includes('using') ? undefined : saveFile(found.service, found.rest.slice(1), around, texts);
  if (kind !== 'a database') return undefined;
  const rest = found.rest.slice(1).filter((one) => one !== '|' && one !== 'database');
  const condition = rest.includes('where') ? rest.splice(rest.indexOf('where')).slice(1) : [];
  const where = condition.length === 0 ? '' : pairsOf(condition, around);
  let path = '';
  const words: string[] = [];
  for (let here = 0; here < rest.length; here++) {
    const [token = '', next = ''] = rest.slice(here, here + 2);
    const to = LINKS.test(token) ? addressAt(rest, here + 1, around) : -1;
    if (path !== '' || (to < 0 && !isPath(token, next, 'a database', texts))) words.push(token);
    else if (to < 0) path = rest[++here] ?? '';
    else {
      here = to;
      path = texts.hide(rest[here] ?? '');
      if (rest[here + 1] === 'table') here++;
    }
  }
  const pairs = pairsOf(words, around);
  if (path === '' || pairs === undefined || where === undefined) return undefined;
  const noun = singular((texts.inner(path) ?? '').split(/[_-]/).pop() ?? '');
  return `${where === '' ? 'add' : 'update'} ${noun} using ${found.service} at ${path} with ${pairs}${where === '' ? '' : ` where ${where}`}`;
}

const isKnown = (name: string, { variables, inputs }: AroundLine): boolean =>
  name === 'request' || variables.has(name) || inputs.has(name);

/** `save letter to Files`, `write the letter in the folder Files as "letter.txt"`; a file without a name is called as what it holds. */
function saveFile(service: string, said: readonly string[], around: AroundLine, texts: HiddenTexts): string | undefined {
  const words = said.filter((one) => !LINKS.test(one) && !ARTICLE.test(one) && !/^(?:\||folder|file|called|named)$/.test(one));
  const path = words.find((one) => HIDDEN_TEXT.test(one));
  const [value = '', other] = words.filter((one) => one !== path);
  const name = value.split('.').pop() ?? value;
  const [, ending = 'txt'] = /\.(txt|csv|xlsx)$/.exec(texts.inner(path ?? '') ?? '') ?? [];
  if (other !== undefined || !isKnown(value.split('.')[0] ?? '', around)) return undefined;
  return `save ${name} using ${service} at ${path ?? texts.hide(`${name}.txt`)} with ${ending === 'txt' ? 'text' : 'rows'} ${value}`;
}

/** Where a word stands that calls go to: `in the jobs`, if other calls go there, and `into the table jobs`; -1 if none does. */
function addressAt(tokens: readonly string[], from: number, { addresses }: AroundLine): number {
  let at = from;
  while (ARTICLE.test(tokens[at] ?? '') || tokens[at] === 'table') at++;
  const isTable = tokens[at - 1] === 'table' || tokens[at + 1] === 'table' || tokens[from - 1] === 'into';
  return addresses.has(tokens[at] ?? '') || (isTable && /^[\w-]+$/.test(tokens[at] ?? '')) ? at : -1;
}

/** First words of lines that are no calls. */
const NO_CALL = /^(?:if|otherwise|for|log|complete|reject|ask|wait|look|repeat|step|trigger)$/;

/** Whether a value of the file follows: a word alone may be one of the call. */
const isGiven = (token: string, around: AroundLine): boolean =>
  isValue(token, around) && (HIDDEN_TEXT.test(token) || token.includes('.') || around.variables.has(token));

/** Whether a path follows a word such as `at`. */
const isPath = (link: string, token: string, kind: string | undefined, texts: HiddenTexts): boolean =>
  /^(?:at|to|in|into|under|as|on|from|path)$/.test(link) &&
  ((texts.inner(token) ?? '').startsWith('/') || (HIDDEN_TEXT.test(token) && /^a (?:database|folder)$/.test(kind ?? '')));

/** `wait at most 10 days for the payment with id request.id` */
function waitFor(tokens: readonly string[], around: AroundLine, texts: HiddenTexts): string | undefined {
  if (!/^(?:wait|await|expect|hold)$/.test(tokens[0] ?? '')) return undefined;
  const rest = tokens.slice(1).filter((one) => !ARTICLE.test(one) && !/^(?:,|until|comes|arrives)$/.test(one));
  const unit = rest.findIndex((one, index) => TIME_UNIT.test(one) && index > 0 && NUMERAL.test(rest[index - 1] ?? ''));
  const working = rest.findIndex((one, index) => one === 'working' && TIME_UNIT.test(rest[index + 1] ?? ''));
  const from = (working === -1 ? unit : working) - 1;
  let limit: string[] = [];
  if (from >= 0) {
    let start = from;
    while (
      start > 0 &&
      /^(?:at|most|max|max\.|maximum|up|to|no|not|longer|more|than|within|for|of|and|but)$/.test(rest[start - 1] ?? '')
    )
      start--;
    const count = working === -1 ? 2 : 3;
    limit = rest.slice(from, from + count);
    rest.splice(start, from + count - start);
  }
  if (rest[0] === 'for') rest.shift();
  if (rest[0] === 'message') rest.shift();
  const [said = '', link = '', ...more] = rest;
  const name = texts.inner(said) ?? said;
  if (!NAME_WORD.test(name) || name.includes('.') || LINKS.test(name)) return undefined;
  const pairs =
    link === '' ? '' : /^(?:with|where|having|whose|using|by|for|of|from|about)$/.test(link) ? pairsOf(more, around) : undefined;
  if (pairs === undefined || (limit.length === 0 && pairs === '')) return undefined;
  return lineOf([
    'wait for',
    name,
    ...(pairs === '' ? [] : ['with', pairs]),
    ...(limit.length === 0 ? [] : ['at most', ...limit]),
  ]);
}

/** `look in Fees for the fee with member request.member` */
function lookUp(tokens: readonly string[], around: AroundLine): string | undefined {
  if (!/^(?:look|lookup|find|get|read|take|determine|fetch|search|check|choose|pick|use|select)$/.test(tokens[0] ?? ''))
    return undefined;
  const line = tokens.join(' ');
  const table = [...around.tables].find((name) => line.toLowerCase().includes(` ${name.toLowerCase()}`));
  if (table === undefined) return undefined;
  const at = line.toLowerCase().indexOf(` ${table.toLowerCase()}`);
  const before = line.slice(0, at).replace(/(?: (?:in|from|of|the|using|with|by|table|on|at|through|via)){1,3}$/, '');
  const rest =
    `${before.replace(/^\S+(?: up)?(?: how many| how much| what| which)?/, '')} ${line.slice(at + 1 + table.length).replace(/^ table\b/, '')}`.trim();
  const parts = rest
    .split(/ ?\b(?:with|by|for|where|using|matching)\b ?/)
    .map((one) => one.replace(/\b(?:the|an?) /g, '').trim());
  const isNames = (words: string): boolean => /^[A-Za-z][\w-]*(?:(?: and |, | , )[A-Za-z][\w-]*)*$/.test(words);
  const names = parts.find((one) => one !== '' && isNames(one));
  const pairs = parts.filter((one) => one !== '' && one !== names).map((one) => pairsOf(splitLine(one), around));
  if (names === undefined || pairs.some((one) => one === undefined)) return undefined;
  return lineOf(['look up', names.replace(' ,', ','), 'in', table, ...(pairs.length === 0 ? [] : ['with', pairs.join(' and ')])]);
}

const RESULTS: Readonly<Record<string, string>> = {
  result: 'result',
  answer: 'result',
  response: 'result',
  output: 'result',
  data: 'result',
  outcome: 'result',
  status: 'status',
  'status code': 'status',
  code: 'status',
  confidence: 'confidence',
  certainty: 'confidence',
  comment: 'comment',
  remark: 'comment',
  person: 'person',
  who: 'person',
  message: 'message',
  headers: 'response headers',
};

/** `save the bed-status as status`, `store comment in reason` */
function saved(line: string): string | undefined {
  const [, one = '', other = ''] =
    /^(?:save|store|keep|remember|put|call|write|note)? ?(?:(?:the|their|his|her|its) )?([a-z-]+(?: code)?) (?:as|in|into|to|under|=|is) (?:the )?([\w-]+(?: code)?)$/i.exec(
      line,
    ) ?? [];
  const [said, swapped] = [RESULTS[one], RESULTS[other]];
  if (said !== undefined) return `save the ${said} as ${other}`;
  return swapped === undefined ? undefined : `save the ${swapped} as ${one}`;
}

/** Lines that are an amount and some words: what they say is told by one of the words. */
const AMOUNTS: readonly (readonly [told: RegExp, meant: string])[] = [
  [/^(?:retry|try|repeat|attempt)\b/, 'retry'],
  [/^wait\b.*\b(?:answer|reply|response)/, 'within'],
  [/\bremind/, 'remind every'],
  [/\btime-?out\b|time limit|^give up|^stop after|^abort after/, 'with timeout'],
  [/\bwithin\b|^(?:answer|reply|respond|deadline|in|due|until|at most|max)/, 'within'],
  [/^(?:wait|pause|sleep|hold)\b/, 'wait'],
];

/** Whether a word is the one who is asked: `remind the clerk every 2 days`. */
const isPerson = (word: string, services: AroundLine['services']): boolean =>
  [...services].some(([name, kind]) => name.toLowerCase() === word.toLowerCase() && /^an? (?:person|team|AI)$/.test(kind));

function amountLine(tokens: readonly string[], isOption: boolean, { services }: AroundLine): string | undefined {
  const line = tokens.join(' ');
  const meant = AMOUNTS.find(([told, words]) => told.test(line) && (isOption || words === 'wait'))?.[1];
  if (meant === undefined) return undefined;
  let span = '';
  let count = '';
  for (let here = 0; here < tokens.length; here++) {
    const token = (tokens[here] ?? '').replace(/^(\d+)x$/, '$1');
    const digits = IN_DIGITS.indexOf(token);
    if (NUMERAL.test(token) || digits !== -1) {
      const number = digits === -1 ? token : String(digits);
      const length = TIME_UNIT.test(tokens[here + 1] ?? '')
        ? 1
        : tokens[here + 1] === 'working' && TIME_UNIT.test(tokens[here + 2] ?? '')
          ? 2
          : 0;
      if (length > 0) {
        if (span !== '') return undefined;
        span = [number, ...tokens.slice(here + 1, here + 1 + length)].join(' ');
        here += length;
      } else if (count === '') count = number;
      else return undefined;
    } else if (!FILLERS.has(token.toLowerCase()) && token !== ',' && !isPerson(token, services)) return undefined;
  }
  if (meant === 'retry')
    return count === ''
      ? undefined
      : `retry ${count} times${span === '' ? '' : ` waiting ${span}`}${/\bdoubl/.test(line) ? ' doubling' : ''}`;
  return span === '' || count !== '' ? undefined : `${meant} ${span}`;
}

/** `complete with request.id as id, total as total` */
function outputs(tokens: readonly string[], around: AroundLine): string | undefined {
  if (!/^(?:complete|finish|return|end)$/.test(tokens[0] ?? '')) return undefined;
  let from = 1;
  while (/^(?:with|and|:|the|run)$/.test(tokens[from] ?? '')) from++;
  const pairs = pairsOf(tokens.slice(from), around);
  return pairs === undefined ? undefined : `complete with ${pairs}`;
}

interface Reordered {
  readonly around: AroundLine;
  readonly texts: HiddenTexts;
  readonly isOption: boolean;
}

/** Rounds of sentences, each within what the one before has said. */
const MOST_ROUNDS = 1;
const MOST_LINES = 24;

/** The line with the names of the file for what it says of them. */
export function inOwnNames(line: string, around: AroundLine): string {
  const tokens = splitLine(line);
  const named = withNames(tokens, around);
  return named.every((one) => tokens.includes(one)) ? line : lineOf(named);
}

/** The lines that a line with hidden texts may stand for, the likeliest first. */
export function reorder(line: string, { around, texts, isOption }: Reordered): string[] {
  const tokens = splitLine(line);
  const framed = isOption
    ? [saved(line), amountLine(tokens, true, around)]
    : [
        waitFor(tokens, around, texts),
        lookUp(tokens, around),
        saveIn(tokens, around, texts) ?? call(tokens, around, texts),
        outputs(tokens, around),
        amountLine(tokens, false, around),
      ];
  const found = new Set(framed.flatMap((one) => (one === undefined ? [] : [one])));
  let round = [line];
  for (let count = 0; count < MOST_ROUNDS && round.length > 0; count++) {
    round = round.flatMap((one) => sentencesIn(one, around, texts)).filter((one) => !found.has(one) && one !== line);
    for (const one of round) if (found.size < MOST_LINES) found.add(one);
  }
  return [...found];
}
