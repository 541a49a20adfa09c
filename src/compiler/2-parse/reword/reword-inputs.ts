// A declared input whose words stand in another order: its kind, its limits and what may be missing are found wherever the line says them, and
// nothing may be left but small words.
import { IN_DIGITS } from './reword-amounts.js';

const VALUE = '\\ue000\\d{1,3}\\ue001|-?\\d{1,15}(?:\\.\\d{1,10})?|yes|no|true|false';
const OPTIONAL =
  /[,;]? ?\(?(?:(?:but |and |which |it ){0,2}(?:(?:is |may be |can be )?(?:optional|voluntary|missing|left out|left empty|omitted)|(?:may|can) be (?:empty|blank|absent)|or (?:is )?(?:empty|nothing|none|missing|blank|absent)|if (?:known|any|given|there is one|available|applicable|present)|(?:is )?not (?:required|mandatory|needed|necessary|compulsory|obligatory|always (?:given|there|known))))\)?(?=$|[ ,:;])/;
const WHEN_MISSING =
  '(?:by default|as (?:the )?default|(?:if|when) (?:it is |this is )?(?:missing|empty|blank|not given|left out|left empty|absent|unknown|nothing is given)|unless (?:it is )?(?:given|stated|specified|told|said)(?: otherwise)?)';
const DEFAULTS: readonly RegExp[] = [
  new RegExp(
    `[,;]? ?\\(?(?:otherwise|default(?:s to|ing to| is| value| =|:)?|or else|else|standard(?: is)?|normally|usually|preset(?: to)?|${WHEN_MISSING},?)(?: is| to| it is)? (${VALUE})\\)?(?=$|[ ,:])`,
  ),
  new RegExp(`[,;]? ?\\(?(?:and |or |then )?(${VALUE}),? ${WHEN_MISSING}\\)?`),
];

/** The first that fits tells the kind: how it is said, and the words for one and for several. */
const KINDS: readonly (readonly [said: RegExp, one: string, several: string])[] = [
  [/\be-?mail(?: address(?:es)?)?s?\b|\bmail address(?:es)?\b/i, 'an email address', 'email addresses'],
  [/\byes(?: or |\/| \/ )no\b|\btrue(?: or |\/)false\b|\b(?:boolean|bool|flag|checkbox)s?\b/i, 'yes or no', 'yes or no'],
  [/\b(?:date (?:and|with|plus|\+) (?:a )?time|date-time|datetime|timestamp|time|moment)s?\b(?! zone)/i, 'a time', 'times'],
  [/\b(?:date|day|calendar day)s?\b/i, 'a date', 'dates'],
  [/\b(?:whole numbers?|integers?|ints?|whole|round numbers?)\b/i, 'a whole number', 'whole numbers'],
  [
    /\b(?:numbers?|decimals?|amounts?|prices?|money|sums?|percentages?|floats?|quantit(?:y|ies)|weights?|lengths?)\b/i,
    'a number',
    'numbers',
  ],
  [/\b(?:records?|objects?|groups?|structures?|blocks?|entries|items|rows|things|people|persons)\b/i, 'a record', 'records'],
  [/\b(?:texts?|strings?|words?|names?|codes?|phrases?)\b/i, 'a text', 'texts'],
];
const MORE =
  'at least|min(?:imum|imal|\\.)?(?: of)?|no (?:less|fewer) than|not (?:less than|below|under)|>=|≥|starting (?:at|from)|from';
const LESS = 'at most|max(?:imum|imal|\\.)?(?: of)?|no more than|not (?:more than|above|over)|<=|≤|up to|until';
const N = '(\\ue000\\d{1,3}\\ue001|-?\\d{1,15}(?:\\.\\d{1,10})?)';
/** Limits, and what they are called. */
const LIMITS: readonly (readonly [said: RegExp, meant: string])[] = [
  [new RegExp(`(?:between|from|of)? ?${N} ?(?:to|and|up to|until|till|-|–|\\.\\.) ?${N}`), 'from $1 to $2'],
  [new RegExp(`(?:${MORE}) ?${N}(?: and| ?,)? (?:${LESS}) ?${N}`), 'from $1 to $2'],
  [new RegExp(`(?:${LESS}) ?${N}(?: and| ?,)? (?:${MORE}) ?${N}`), 'from $2 to $1'],
  [new RegExp(`(?:${MORE}) ?${N}|${N} (?:or|and) (?:more|above|higher|later)(?! ?[\\d\ue000-])|${N}\\+`), 'at least $1'],
  [new RegExp(`(?:${LESS}) ?${N}|${N} (?:or|and) (?:less|below|lower|fewer|earlier)(?! ?[\\d\ue000-])`), 'at most $1'],
  [new RegExp(`(?:above|after|later than|over|more than|greater than|larger than|bigger than|higher than|>) ?${N}`), 'above $1'],
  [new RegExp(`(?:below|before|earlier than|under|less than|smaller than|lower than|<) ?${N}`), 'below $1'],
  [/\b(?:not|never|non-?) ?negative\b|\b(?:positive or zero|zero or more)\b/, 'at least 0'],
  [/\b(?:positive|above zero|greater than zero)\b/, 'above 0'],
  [/\bnegative\b/, 'below 0'],
];
const FILLER =
  /^(?:an?|the|of|with|in|is|and|that|which|has|have|having|must|be|it|to|for|value|values|field|type|kind|as|from|numbers?|each|its|them|fields?|following|these|parts|only|just|here|format|pattern|form|birth|like|kg|g|tons?|tonnes?|m|km|cm|euros?|EUR|USD|dollars?|pounds?|degrees?|percent|[,;()=:|-]|(?:second|minute|hour|day|week|month|year)s?|pieces)$/;

/** The words of a line, of which those that are understood are taken. */
class Said {
  #rest: string;

  constructor(rest: string) {
    this.#rest = rest;
  }

  take(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(this.#rest);
    if (found !== null)
      this.#rest = `${this.#rest.slice(0, found.index)} ${this.#rest.slice(found.index + found[0].length)}`.replace(
        / {2,}/g,
        ' ',
      );
    return found;
  }

  /** All that fit, in the order of the line. */
  takeAll(pattern: RegExp): string[] {
    const all: string[] = [];
    for (let found = this.take(pattern); found !== null; found = this.take(pattern)) all.push(found[0]);
    return all;
  }

  has = (pattern: RegExp): boolean => pattern.test(this.#rest);

  /** Whether only small words are left. */
  get isUnderstood(): boolean {
    return this.#rest.split(/ |(?=[,;()=[\]])|(?<=[,;()=[\]])/).every((one) => one === '' || FILLER.test(one));
  }
}

const HEAD =
  /^(?:the |an? |optional )?([\p{L}_][\p{L}\p{N}_-]{0,60}(?: [\p{L}_][\p{L}\p{N}_-]{0,60}){0,2}?)((?: \(optional\)|,? optional,?)?(?: (?:is|are|can be|may be|must be|should be|will be|has to be|as|means|has|have|contains|consists? of|holds)|:|=| =| :)) ?(.*?):?$/u;

/** The line of an input, with its texts hidden, in the order of the language. */
export function reorderInput(line: string): string | undefined {
  const plain = line.replace(/^([\p{L}_][\w-]{0,60})(?: ?\?|(?= \())/u, '$1:').replace(/\?$/, '');
  const [, name = '', link = '', after = ''] = HEAD.exec(plain) ?? [];
  if (name === '') return undefined;
  const digits = after.replace(/[a-z]{3,6}(?= (?!of ))/g, (word) =>
    IN_DIGITS.indexOf(word) > 0 ? String(IN_DIGITS.indexOf(word)) : word,
  );
  const said = new Said(
    ` ${/^optional |^[^:]*optional/.test(plain.slice(0, plain.length - after.length)) ? 'optional ' : ''}${digits.replace(/(?<=\d) ?%/g, ' percent')} `,
  );
  const otherwise = DEFAULTS.map((one) => said.take(one)).find((one) => one !== null)?.[1];
  const isOptional = said.take(OPTIONAL) !== null;
  const presence =
    otherwise === undefined ? (isOptional ? ', optional' : '') : `, otherwise ${YES_OR_NO[otherwise] ?? otherwise}`;
  const kind =
    CHOICE_OF_SOME.test(digits) && !/\b(?:between|from|list|array|to)\b/.test(digits)
      ? choices(said)
      : kindOf(said, link, plain.endsWith(':'));
  const opens = kind !== undefined && / records?$/.test(kind) ? ':' : '';
  return kind === undefined ? undefined : `${name.replaceAll(' ', '-')} is ${kind}${presence}${opens}`;
}

const YES_OR_NO: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };
const CHOICE_OF_SOME = /(?:\ue000\d{1,3}\ue001|(?<![\w.])\d+)(?:,? (?:or|and) |, ?| ?[/|] ?)(?=[\d\ue000])/;

function choices(said: Said): string | undefined {
  const all = said.takeAll(new RegExp(N));
  said.takeAll(/\b(?:one of|either|or|any of|a choice of|choice|text|options?|these)\b|[/|]/);
  return said.isUnderstood ? `one of ${all.join(', ')}` : undefined;
}

/** @param opens whether the fields of a record follow */
function kindOf(said: Said, link: string, opens: boolean): string | undefined {
  const isList = said.take(/\b(?:lists?|arrays?|several|many|multiple|set|collection|series|table)(?: of)?\b/) !== null;
  const like = said.take(
    / (?:like|matching|in the form(?: of)?|of the form|(?:in|with) (?:the |a )?(?:format|pattern|form)(?: of)?|formatted as|such as|that looks like|that matches|text) ?(\ue000\d{1,3}\ue001)(?= $)/,
  )?.[1];
  let words = '';
  const kind = KINDS.find(([how]) => {
    words = said.take(how)?.[0] ?? '';
    return words !== '';
  });
  if (kind === undefined && like === undefined && !(said.isUnderstood && (opens || isList))) return undefined;
  // `in square metres`
  if (/number/.test(kind?.[1] ?? ''))
    said.take(/ (?:in|of) [\p{L}-]{1,30}(?: [\p{L}-]{1,30})?(?=,? $| (?:at|from|above|below|between) )/u);
  const isSeveral = isList || (link.includes('are') && /(?:[^s]|sse)s$/.test(words));
  const isLength = said.takeAll(/\b(?:characters?|letters?|chars?|digits?|signs?|long|length)\b/).length > 0;
  const limits = LIMITS.flatMap(([how, meant]) => {
    const found = said
      .take(how)
      ?.slice(1)
      .filter((one) => one !== undefined);
    return found === undefined ? [] : [meant.replace(/\$(\d)/g, (_, index: string) => found[Number(index) - 1] ?? '')];
  });
  const areBoth = limits.length === 2 && /^above/.test(limits[0] ?? '') && /^below/.test(limits[1] ?? '');
  if (!said.isUnderstood || (limits.length > 1 && !areBoth)) return undefined;
  const limit = limits.join(' ');
  const count = limit.replace(/^from /, '');
  const [, one = like === undefined ? 'a record' : 'a text', several = opens ? 'records' : 'texts'] = kind ?? [];
  if (isSeveral) return /^(?:above|below)/.test(limit) ? undefined : `a list of ${count}${count === '' ? '' : ' '}${several}`;
  if (one !== 'a text') return isLength || like !== undefined ? undefined : `${one}${limit === '' ? '' : ` ${limit}`}`;
  const length = limit === '' ? '' : isLength ? ` of ${count} characters` : undefined;
  return length === undefined ? undefined : `a text${like === undefined ? '' : ` like ${like}`}${length}`;
}
