// What a line of `inputs:` most likely means, if it is written as in an e-mail: `the customer name is a text`, `tags are texts`.

/** What the author most likely meant. */
export interface MeantInput {
  /** The words at fault. */
  readonly words: string;
  readonly suggestion?: string | undefined;
  /** The corrected line. */
  readonly example?: string;
}

const WORD = String.raw`[\p{L}_][\p{L}\p{N}_]*`;
const SEVERAL = new RegExp(String.raw`^(${WORD}(?:\s${WORD}){1,3})\s(?:is|are)\s`, 'u');

/** @param bare the line with the letters of quoted text hidden @param whole the line itself */
export function everydayInput(bare: string, whole: string): MeantInput | undefined {
  const article = /^(?:the|an?|my|our)\s(?=[\p{L}_]\S*\s(?:is|are)\s)/u.exec(bare)?.[0];
  if (article !== undefined) return { words: article.trim(), example: whole.slice(article.length) };
  const name = SEVERAL.exec(bare)?.[1];
  if (name !== undefined) {
    const joined = name.replaceAll(' ', '-');
    return { words: name.split(' ')[1] ?? '', suggestion: joined, example: joined + whole.slice(name.length) };
  }
  const many = /^(\S+)\sare\s(?:an?\slist\sof\s)?/.exec(bare);
  if (many !== null) return { words: 'are', suggestion: 'is', example: `${many[1]} is a list of ${whole.slice(many[0].length)}` };
  const choice = /^(\S+)\sis\s(?:either\s|one\sof\s?[:[(]?\s?)?("[^"]*"(?:\s?(?:,|\sor)\s?"[^"]*")+)/.exec(whole);
  if (choice !== null && !/^\S+\sis\sone\sof\s"[^"]*"(?:, ?"[^"]*")*$/.test(choice[0]))
    return { words: 'or', example: `${choice[1]} is one of ${(choice[2]?.match(/"[^"]*"/g) ?? []).join(', ')}` };
  if (/^\S+\sis\sa\slist$/.test(bare)) return { words: 'list', example: `${whole} of texts` };
  return otherWords.find(({ find }) => find.test(bare))?.meant(whole);
}

const FIELD = String.raw`[\p{L}_][\p{L}\p{N}_-]*`;

const LISTED = new RegExp(
  String.raw`^(\S+)\s(?:is|are)\s(?:an?\s)?(list\sof\s)?(record|object|row|line|item)(s?)(?:\swith:?|\sof|\scontaining|\shaving|:)\s(?:the\s)?(${FIELD}(?:(?:,\s?|\sand\s|,\sand\s)${FIELD})*)$`,
  'u',
);

/** `rows is a list of records with number, due` */
export function fieldsOnOneLine(bare: string): { readonly words: string; readonly example: string } | undefined {
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

/** `note is text (optional)` → `note is a text, optional` */
function optionalInBrackets(whole: string): MeantInput {
  const [, name = '', kind = ''] = /^(\S+)\sis\s(?:an?\s)?(.+?)\s\(optional\)$/.exec(whole) ?? [];
  return {
    words: '(',
    example: `${name} is ${/^yes\b|^any/.test(kind) ? '' : /^[aeiou]/.test(kind) ? 'an ' : 'a '}${kind}, optional`,
  };
}

interface OtherWords {
  readonly find: RegExp;
  readonly meant: (whole: string) => MeantInput;
}

const rewrite = (find: RegExp, words: string, put: string): OtherWords => ({
  find,
  meant: (whole) => ({ words, example: whole.replace(find, put) }),
});

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
  rewrite(/\sis\s(?:true\sor\sfalse|no\sor\syes|either\syes\sor\sno|(?:a\s)?yes[/-]no)(?![\w-])/, 'is', ' is yes or no'),
  rewrite(/\sis\sa\syes\sor\sno\b/, 'a', ' is yes or no'),
  rewrite(/\sa\sdate\s(?:and|with)\s(?:a\s)?time\b/, 'and', ' a time'),
  comparedWithToday(/\sa\sdate\s(before\s(?:today|now)|in\sthe\spast)\b/, 'is on or after'),
  comparedWithToday(/\sa\sdate\s(after\s(?:today|now)|in\sthe\sfuture)\b/, 'is on or before'),
  comparedWithToday(/\sa\s(?:date|time)\s(?:at\sleast|from|above)\s((?:today|now)\b)/, 'is before'),
  comparedWithToday(/\sa\s(?:date|time)\s(?:at\smost|below)\s((?:today|now)\b)/, 'is after'),
  rewrite(/\sa\sdate\s(?:before|earlier\sthan)\s(?=")/, 'before', ' a date below '),
  rewrite(/\sa\sdate\s(?:after|later\sthan)\s(?=")/, 'after', ' a date above '),
  rewrite(/\sa\sdate\sof\s[\p{L}]+/u, 'of', ' a date'),
  { find: /\sis\s(?:an?\s)?text\swith\s(\d{1,2})\s(digits|letters|characters)$/, meant: fixedLength },
  { find: /^\S+\sis\s[^"]*\s\(optional\)$/, meant: optionalInBrackets },
  rewrite(/\sis\s(?=(?:text|number|whole|date|time|record|list)\b)/, 'is', ' is a '),
  rewrite(/\sa\spositive\s((?:whole\s)?number)/, 'positive', ' a $1 above 0'),
  rewrite(/(?:,|\sand)\s(?=(?:above|below|at\sleast|at\smost)\s)/, 'and', ' '),
  rewrite(/\swith\s(?=(?:at\s(?:most|least)\s)?\d)/, 'with', ' of '),
  rewrite(/\s\((optional)\)/, '(', ', $1'),
  rewrite(/(,\sotherwise\s[^,]+),\soptional$|,\soptional(,\sotherwise\s[^,]+)$/, 'optional', '$1$2'),
];
