// Explains a line of `inputs:` that can't be parsed: a kind named as in another language, a misspelt word, a limit in other words.
import { type Line, lineSpan, tokenSpan, tokenText } from '../../1-layout/line.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Diagnostic, Misspelt, Span } from '../../diagnostics/diagnostic.js';
import { closest } from '../../diagnostics/suggest.js';
import type { LineFailure } from '../match-line.js';
import { found, inWords } from './expected-words.js';
import { blockProblem, wrongCapitals } from './explain.js';

/** Common names of a kind → its name in wf, with an article. */
const foreignKinds: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'a text': 'string str char varchar word name phrase words url link website phone telephone id',
    'a number from 0 to 100': 'percentage percent',
    'a number': 'float double decimal numeric real amount price money currency num',
    'a whole number': 'integer int count long bigint natural',
    'yes or no': 'boolean bool flag checkbox switch',
    'a date': 'day',
    'a time': 'datetime timestamp instant moment',
    'an email address': 'email mail e-mail',
    'a list of texts': 'array lists set collection',
    anything: 'any unknown mixed variant',
    'one of "new", "used"': 'enum choice option',
    'a record:\n        street is a text': 'object dict dictionary map struct hash json',
  }).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)),
);

/** Words of other languages for the items of a list. */
const foreignItems: ReadonlyMap<string, string> = new Map(
  Object.entries({
    texts: 'strings words names',
    numbers: 'floats decimals amounts prices',
    'whole numbers': 'integers ints',
    times: 'datetimes timestamps',
    dates: 'days',
    'email addresses': 'emails mails',
    records: 'objects maps dicts items rows lines things',
  }).flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)),
);

/** More words are no help. */
const MOST_EXPECTED = 4;
/** Maximum characters of a line to examine. */
const LONGEST = 500;

const kindWords = ['text', 'number', 'whole', 'date', 'time', 'email', 'record', 'list'];
const itemWords = ['texts', 'numbers', 'whole', 'dates', 'times', 'email', 'records'];
const limitWords = ['from', 'at least', 'at most', 'above', 'below', 'like', 'optional', 'otherwise'];

export function explainInput(line: Line, text: string, failure: LineFailure): Diagnostic {
  // No one writes longer lines, and the patterns below would take too long.
  const whole = text.slice(line.start, Math.min(line.end, line.start + LONGEST));
  // Quoted text contains no keywords.
  const bare = whole.replace(/"[^"]*"/g, (quoted) => `"${'_'.repeat(quoted.length - 2)}"`);
  const required = /(?:,\s*|\sis\s+an?\s+)(required|mandatory)\b/.exec(bare)?.[1];
  if (required !== undefined) return catalogue.requiredInput(wordAt(line, text, required), required);
  if (/,\s*otherwise\s/.test(bare) && tokenText(line, text, failure.token - 1) === 'otherwise')
    return catalogue.defaultNotFixed(
      tokenSpan(line, failure.token),
      found(line, text, failure.token),
      bare.slice(0, bare.search(/,\s*otherwise\s/)),
    );
  if (line.shape.endsWith(':') && line.children.length === 0 && /\sis\s+a\s/.test(bare) && /\srecords?\b/.test(bare))
    return catalogue.recordWithoutFields(lineSpan(line), tokenText(line, text, 0), /\slist\s/.test(bare));
  const fields = fieldsOnOneLine(bare);
  if (fields !== undefined) return catalogue.recordOnOneLine(wordAt(line, text, fields.words), fields.example);
  const meant = everydayInput(bare, whole) ?? foreignKind(bare);
  if (meant !== undefined) {
    const { span, suggestion } = withArticle(wordAt(line, text, meant.words.split(' ')[0] ?? ''), text, meant.suggestion);
    return catalogue.badInput(span, `"${meant.words}"`, [], suggestion, meant.example);
  }
  const isAtEnd = failure.token >= line.shape.length;
  if (/\slist\s+of\s/.test(bare) && /\slists?\b/.test(bare.slice(bare.search(/\slist\s+of\s/) + 5)))
    return catalogue.listOfLists(wordAt(line, text, bare.match(/\blists?\b/g)?.at(-1) ?? ''), tokenText(line, text, 0));
  if (
    !isAtEnd &&
    line.end - line.start < LONGEST &&
    failure.expected.includes('text in quotes') &&
    /^[\p{L}_]/u.test(tokenText(line, text, failure.token))
  )
    return catalogue.badInput(
      tokenSpan(line, failure.token),
      `${found(line, text, failure.token)} without quotes`,
      [],
      undefined,
      inQuotes(line, text, failure.token),
    );
  return (
    (isAtEnd ? blockProblem(line, text, failure) : undefined) ??
    wrongCapitals('inputLine', line, text, failure) ??
    (isAtEnd ? undefined : misspelt(line, text, failure)) ??
    catalogue.badInput(
      isAtEnd ? lineSpan(line) : tokenSpan(line, failure.token),
      found(line, text, failure.token),
      failure.expected.length > MOST_EXPECTED ? [] : inWords(failure.expected),
      undefined,
      undefined,
    )
  );
}

/** `a is a string`, `count: integer`, `tags is a list of strings`. */
function foreignKind(bare: string): MeantInput | undefined {
  const items =
    /^(\S+)\s+is\s+an?\s+(?:list|array|set|collection)\s+of\s+(?:(?:at\s+(?:least|most)\s+)?[\d.]+\s+(?:to\s+[\d.]+\s+)?)?([\w-]+)/.exec(
      bare,
    );
  if (items !== null) {
    const [, name = '', item = ''] = items;
    const isOurs = itemWords.includes(item) || kindWords.includes(item);
    const close = isOurs ? undefined : (closest(item, itemWords) ?? (bare.endsWith(':') ? 'records' : undefined));
    const kind = foreignItems.get(item.toLowerCase()) ?? close;
    if (kind === undefined || kind === 'whole') return undefined;
    return { words: item, suggestion: kind, example: `${name} is a list of ${kind}${bare.endsWith(':') ? ':' : ''}` };
  }
  const [, name = '', colon = '', word = ''] = /^([^\s:]+)(?:\s+is\s+(?:an?\s+)?|(\s*:\s*))([\w-]+)/.exec(bare) ?? [];
  if (colon !== '' && kindWords.includes(word))
    return {
      words: colon.trim(),
      suggestion: `is ${kindWithArticle(word).split(' ')[0]}`,
      example: `${name} is ${kindWithArticle(word)}`,
    };
  const kind = foreignKinds.get(word.toLowerCase());
  if (kind === undefined || /^email\s+address/.test(bare.slice(bare.indexOf(word)))) return undefined;
  const suggestion = /^(an? )?[a-z ]+$/.test(kind) ? { suggestion: kind.replace(/^an? /, '') } : {};
  return { words: word, ...suggestion, example: `${name} is ${kind}` };
}

const kindWithArticle = (word: string): string =>
  word === 'email' ? 'an email address' : word === 'whole' ? 'a whole number' : word === 'list' ? 'a list of texts' : `a ${word}`;

/** `an integer` → `a whole number`: the article belongs to what is suggested. */
function withArticle(span: Span, text: string, suggestion: string | undefined): Misspelt {
  const article = /\ban?\s$/.exec(text.slice(Math.max(0, span.start - 3), span.start))?.[0];
  if (article === undefined || suggestion === undefined || /^an?\s/.test(suggestion)) return { span, suggestion };
  const hasNone = /^(?:yes or no|anything|one of)\b/.test(suggestion);
  return {
    span: { start: span.start - article.length, end: span.end },
    suggestion: hasNone ? suggestion : `${/^[aeiou]/.test(suggestion) ? 'an' : 'a'} ${suggestion}`,
  };
}

/** `optinal`, `nubmer`. */
function misspelt(line: Line, text: string, failure: LineFailure): Diagnostic | undefined {
  const written = tokenText(line, text, failure.token);
  const before = tokenText(line, text, failure.token - 1);
  const words = before === 'a' || before === 'an' ? kindWords : [...limitWords, ...kindWords];
  const meant = closest(written, words);
  return meant === undefined
    ? undefined
    : catalogue.badInput(tokenSpan(line, failure.token), `"${written}"`, [], meant, exampleOf(line, text, failure.token, meant));
}

/** The line with quotes around the words from this token on, up to what can follow a value. */
function inQuotes(line: Line, text: string, token: number): string {
  const { start } = tokenSpan(line, token);
  const said = text.slice(start, line.end);
  const option = said.search(/,\s*(?:optional|otherwise)\b/);
  const colon = said.trimEnd().endsWith(':') ? said.lastIndexOf(':') : said.length;
  const end = option === -1 ? colon : option;
  const quoted = said
    .slice(0, end)
    .split(/,|\sor\s/)
    .map((value) => (value.includes('"') ? value.trim() : `"${value.trim()}"`))
    .join(', ');
  return text.slice(line.start, start) + quoted + said.slice(end);
}

/** The line with another word instead of the token. */
function exampleOf(line: Line, text: string, token: number, word: string): string {
  const { start, end } = tokenSpan(line, token);
  return text.slice(line.start, start) + word + text.slice(end, line.end);
}

/** The token of this word. */
function wordAt(line: Line, text: string, word: string): Span {
  for (let token = 1; token < line.shape.length; token++)
    if (tokenText(line, text, token) === word) return tokenSpan(line, token);
  return lineSpan(line);
}

/** The most likely intention of the author. */
interface MeantInput {
  /** The words at fault. */
  readonly words: string;
  readonly suggestion?: string | undefined;
  /** The corrected line. */
  readonly example?: string;
}

const WORD = String.raw`[\p{L}_][\p{L}\p{N}_]*`;
const SEVERAL = new RegExp(String.raw`^(${WORD}(?:\s${WORD}){1,3})\s(?:is|are)\s`, 'u');

/** @param bare the line with the letters of quoted text hidden @param whole the line itself */
function everydayInput(bare: string, whole: string): MeantInput | undefined {
  const name = SEVERAL.exec(bare)?.[1];
  if (name !== undefined) {
    const joined = name.replaceAll(' ', '-');
    return { words: name.split(' ')[1] ?? '', suggestion: joined, example: joined + whole.slice(name.length) };
  }
  return otherWords.find(({ find }) => find.test(bare))?.meant(whole);
}

const FIELD = String.raw`[\p{L}_][\p{L}\p{N}_-]*`;

const LISTED = new RegExp(
  String.raw`^(\S+)\s(?:is|are)\s(?:an?\s)?(list\sof\s)?(record|object|row|line|item)(s?)(?:\swith:?|\sof|\scontaining|\shaving|:)\s(?:the\s)?(${FIELD}(?:(?:,\s?|\sand\s|,\sand\s)${FIELD})*)$`,
  'u',
);

/** `rows is a list of records with number, due` */
function fieldsOnOneLine(bare: string): { readonly words: string; readonly example: string } | undefined {
  const [, name, list, kind = '', many = '', fields] = LISTED.exec(bare) ?? [];
  if (name === undefined || fields === undefined) return undefined;
  const lines = fields.split(/,\s?(?:and\s)?|\sand\s/).map((field) => `\n        ${field} is a ${likelyKind(field)}`);
  const isList = list !== undefined || many === 's';
  return { words: `${kind}${many}`, example: `${name} is a ${isList ? 'list of records' : 'record'}:${lines.join('')}` };
}

/** The kind that a field of this name most likely has. */
const likelyKind = (field: string): string =>
  /(?:^|[_-])(?:date|due|day|birthday)$/i.test(field)
    ? 'date'
    : /(?:^|[_-])(?:amount|price|total|sum|cost|quantity|count|weight)$/i.test(field)
      ? 'number'
      : 'text';

/** `a text with 5 digits` → `a text like "#####"` */
function fixedLength(whole: string): MeantInput {
  const [, name = '', amount = '', what = ''] = /^(\S+)\sis\s.*\swith\s(\d+)\s(\w+)$/.exec(whole) ?? [];
  const sign = what === 'digits' ? '#' : what === 'letters' ? '@' : '?';
  return { words: 'with', example: `${name} is a text like "${sign.repeat(Number(amount))}"` };
}

interface OtherWords {
  readonly find: RegExp;
  readonly meant: (whole: string) => MeantInput;
}

/** Limits are fixed; what depends on the day of the run is a condition. */
const comparedWithToday = (find: RegExp, comparison: string): OtherWords => ({
  find,
  meant: (whole) => {
    const name = /^\S+/.exec(whole)?.[0] ?? 'day';
    const words = find.exec(whole)?.[1] ?? 'today';
    return {
      words: words.split(/\s/)[0] ?? words,
      example: `${name} is a date\nand in the workflow:\n    if request.${name} ${comparison} today:\n        reject with "…"`,
    };
  },
});

const otherWords: readonly OtherWords[] = [
  comparedWithToday(/\sa\sdate\s(before\s(?:today|now)|in\sthe\spast)\b/, 'is on or after'),
  comparedWithToday(/\sa\sdate\s(after\s(?:today|now)|in\sthe\sfuture)\b/, 'is on or before'),
  comparedWithToday(/\sa\s(?:date|time)\s(?:at\sleast|from|above)\s((?:today|now)\b)/, 'is before'),
  comparedWithToday(/\sa\s(?:date|time)\s(?:at\smost|below)\s((?:today|now)\b)/, 'is after'),
  { find: /\sis\s(?:an?\s)?text\swith\s(\d{1,2})\s(digits|letters|characters)$/, meant: fixedLength },
];
