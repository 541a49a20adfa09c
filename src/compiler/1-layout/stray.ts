// The hint for a character that the language doesn't use: what its author most likely meant. Operators of other languages for comparing,
// calculating and assigning are rewritten in words.
import { instead, why } from '../diagnostics/hint-marks.js';
import { cellHint, patternHint } from './word-hints.js';

const operators: Readonly<Record<string, string>> = {
  '+': 'To add numbers, write "plus". To join texts, put them in one pair of quotes: "{first} {last}"',
  '-': 'To subtract, write "minus". A negative number has no space after its sign: -3',
  '*': 'To multiply, write "times".',
  '/': 'To divide, write "divided by".',
  '!': 'To negate, write "not" or "is not".',
  '&': 'To combine conditions, write "and". To join texts, put them in one pair of quotes: "{first} {last}"',
  '&&': 'To combine conditions, write "and".',
  '||': 'To combine conditions, write "or".',
  '|': 'To combine conditions, write "or". Each row of a table starts with |.',
  '{': 'Braces are only for quoted text: "Hello {request.name}". Elsewhere, write just the name.',
  '}': 'Braces are only for quoted text: "Hello {request.name}". Elsewhere, write just the name.',
  "'": why('Put text in double quotes: "like this".'),
  '`': why('Put text in double quotes: "like this".'),
  '#': 'A comment needs a space before its #.',
  ';': 'Write one statement per line, with nothing at the end.',
  '.': 'To read a field, write a dot without spaces: order.total. A number starts with a digit: 0.5',
  '%': 'For a share of a value, write: 10 percent of total',
  '×': 'To multiply, write "times".',
  '÷': 'To divide, write "divided by".',
  '^': 'Multiply a number by itself with "times".',
  '?': why('Put text in quotes. A condition comes after "if", and its line ends with a colon.'),
  '…': 'Write out the line, or delete it.',
  $: 'Write amounts without a currency: 12.50',
  '€': 'Write amounts without a currency: 12.50',
  '£': 'Write amounts without a currency: 12.50',
  '₦': 'Write amounts without a currency: 12.50',
  '@': why('Put anything other than a name or a number in quotes.'),
};

const isBullet = (character: string, after: string): boolean => /^[-*+•·◦‣▪●○–—→➔>]$/.test(character) && /^\s/.test(after);

const LONGEST_REST = 200;

/** Up to the end of the line, and no more than a message needs. Part of a line must not be shown as the line to write. */
function restOfLine(text: string, from: number): { readonly after: string; readonly isWhole: boolean } {
  const next = text.indexOf('\n', from);
  const end = next === -1 ? text.length : next;
  return { after: text.slice(from, Math.min(end, from + LONGEST_REST)).trimEnd(), isWhole: end - from <= LONGEST_REST };
}

const bulletHint = (bullet: string, rest: string): string =>
  `Lines need no bullets or dashes in front. ${rest.length <= 80 ? `Write only: ${instead(rest)}` : `Delete the "${bullet}".`}`;

/** Says how to fix `character`, which may start an operator such as `>=`, found at offset `at`. */
export function strayHint(character: string, text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const before = text.slice(lineStart, at).trimStart();
  const { after, isWhole } = restOfLine(text, at + character.length);
  if (before === '' && isBullet(character, after)) return bulletHint(character, after.trim());
  const question = isWhole && before.startsWith('ask ') ? withTo(before + character + after) : undefined;
  if (question !== undefined)
    return `${question.includes('\n') ? 'Ask on separate lines' : 'After the name, write "to"'}:\n    ${question}`;
  const named = isWhole ? personInTwoWords(before + character + after, text) : undefined;
  if (named !== undefined) return `A name is one word:\n    ${named}`;
  const cell = cellHint(before, character, after);
  if (cell !== undefined) return cell;
  if (character === '|' && isWhole && after !== '') return rowHint(before + character + after);
  const pattern = /^[#@*?-]$/.test(character) ? patternHint(text, at) : undefined;
  if (pattern !== undefined) return pattern;
  if (character === '=' || character === ':=') return equalsHint(before, after);
  if (character === '<!--') return 'A comment starts with #.';
  const comparison = comparisonHint(character) ?? changeHint(character, before, after);
  if (comparison !== undefined) return comparison;
  if (character === '/' && /(?:^|\s)\d{1,2}(?:\/\d{1,2})?$/.test(before) && /^\d{1,4}/.test(after))
    return why('Put dates in quotes, with the year first: "2026-03-01"');
  if (character === '/' && /\band$/i.test(before) && /^or\b/i.test(after)) return 'Write "or": it is also true if both are.';
  const sign = character === '-' && isWhole ? signHint(before, after) : undefined;
  if (sign !== undefined) return sign;
  if (/[\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u201a]/.test(character))
    return 'This is a curly quote. Put text in straight double quotes: "like this".';
  if (/\p{Zs}/u.test(character) || character === '\u200b' || character === '\ufeff')
    return 'This is a special space, such as a no-break space, copied from a web page or a document. Delete it and type an ordinary one.';
  if (/[\u2013\u2014\u2212]/.test(character))
    return 'This is a dash. To subtract, write "minus"; a negative number starts with a hyphen: -3';
  if (character === '.' && after.trim() === '') return 'Lines have no full stop at the end.';
  if (character === '!' && /[\p{L}\p{N}]$/u.test(before)) return why('Put text in quotes: "Done!"');
  if (character === '.' && /\d/.test(text.charAt(at + 1))) return 'A number starts with a digit: 0.5';
  if (character === '/' && (text.charAt(at - 1) === ':' || /\bat[ \t]+$/.test(text.slice(Math.max(0, at - 20), at))))
    return why('Put addresses and paths in quotes: at "https://api.example.com", at "/users/ada"');
  const next = text.charAt(at + 1);
  if ((character === '/' && (next === '/' || next === '*')) || (character === '-' && next === '-'))
    return 'A comment starts with #.';
  if (character === "'" && /^s\s/.test(text.slice(at + 1, at + 3)))
    return why('To read a field, write a dot: request.customer.name. Put text in double quotes.');
  if (character === "'" && /\p{L}/u.test(text.charAt(at - 1)) && /\p{L}/u.test(next))
    return why('Write words in full: is not, does not contain. Put text in double quotes.');
  if (character === '.' && text.charAt(at - 1) === ']')
    return 'To read an item of a list, write a dot and its position, counting from 0: request.rows.0.name';
  return operators[character] ?? 'Use only names, numbers, keywords and quoted text here.';
}

/** @param row a line with a "|" inside, outside of quotes */
const rowHint = (row: string): string =>
  /^(?:otherwise )?if\b/.test(row)
    ? 'To combine conditions, write "or".'
    : `A row of a table begins and ends with "|":\n    | ${row.replace(/\|$/, '').trimEnd()} |`;

/** Where a person is declared. Those further down are not searched for. */
const FARTHEST = 20_000;

/** `ask Privacy officer to …` for a person who is declared as Privacy-officer. */
function personInTwoWords(line: string, text: string): string | undefined {
  const [, first, second, rest] = /^ask (\p{L}[\p{L}\p{N}_]*) (\p{L}[\p{L}\p{N}_]*) (to \S.*)$/u.exec(line) ?? [];
  if (rest === undefined) return undefined;
  const name = `${first}-${second}`;
  return text.slice(0, FARTHEST).includes(`\n    ${name} is `) ? `ask ${name} ${rest}` : undefined;
}

/** Where a value starts, so that nothing can be subtracted from. */
const START =
  /(?:\b(?:to|is|not|plus|minus|times|by|above|below|least|most|between|log|of)\s+|[([,]\s*|\bwith\s+[\p{L}_][\p{L}\p{N}_-]*\s+)$/u;
const OPERAND = /^ ?([\p{L}_][\p{L}\p{N}_.-]*|\([^()"]*\))/u;

/** @param before the line up to the sign @param after the rest of the line */
function signHint(before: string, after: string): string | undefined {
  const [all = '', value] = OPERAND.exec(after) ?? [];
  if (value === undefined || !START.test(before) || before.length > 200) return undefined;
  const rest = after.slice(all.length);
  const sorted = /^(.*\bsorted\s+by\s)\s*$/.exec(before)?.[1];
  if (sorted !== undefined) return `To sort from high to low, write:\n    ${sorted}${value} descending${rest}`;
  const [, left, sign] = /^(.*\s)(plus|minus)\s+$/.exec(before) ?? [];
  if (left !== undefined) return `Two signs are one:\n    ${left}${sign === 'plus' ? 'minus' : 'plus'} ${value}${rest}`;
  // Other signs in the line have the same mistake.
  if (/(?:^|[\s([,])-[\p{L}(]/u.test(rest))
    return `To change the sign of a value, subtract it from 0: ${instead(`(0 minus ${value})`)}`;
  const negative = rest === '' && /\b(?:to|log)\s+$/.test(before) ? `0 minus ${value}` : `(0 minus ${value})`;
  return `To change the sign of a value, subtract it from 0:\n    ${before}${negative}${rest}`;
}

const QUESTION =
  /^ask\s+(?:the\s+)?([\p{L}_][\p{L}\p{N}_-]*)(?:\s+(?:team|department|people)|\s*[,:])?\s+(?!to:?(?:\s|$))(\S.*)$/u;

/** Someone with more words than the name: `ask the Finance team to approve it`. */
const ADDRESSED =
  /^ask\s+(?:(?:the|our|my)\s+([\p{L}_][\p{L}\p{N}_-]*)(?:\s+(?:team|department|people))?|([\p{L}_][\p{L}\p{N}_-]*)\s+(?:team|department|people))\s+to\s+(\S.*)$/u;

/** Words after which it is unclear who or what is asked. */
const OTHER = /^(?:with|using|in|at|from|and|or|by|via|through|until|within|again|every|each|of|is|are)\b/;

const changes: readonly (readonly [words: RegExp, instruction: string])[] = [
  [/^(?=(?:if|whether|what|how|when|who|which|why|where)\b)/i, 'say '],
  [/^for\s+(?:the\s+|an?\s+)?approval\s+(?:of|for)\s+/, 'approve '],
  [/^for\s+(?:the\s+)?/, 'give '],
  [/^about\s+/, 'decide about '],
  [/^please\s+/, ''],
];

const LONGEST_LINE = 300;

/** The line with its "to", in words that still say the same, or a line for each of two people; `undefined` if it is another kind of line. */
export function withTo(line: string): string | undefined {
  if (line.length > LONGEST_LINE) return undefined;
  const written = line.trimEnd();
  const [, one, other, instruction] =
    /^ask\s+([\p{L}_][\p{L}\p{N}_-]*)\s+and\s+([\p{L}_][\p{L}\p{N}_-]*)\s+(to\s\S.*)$/u.exec(written) ?? [];
  if (one !== undefined) return `ask ${one} ${instruction}\n    ask ${other} ${instruction}`;
  const [, the, team, task] = ADDRESSED.exec(written) ?? [];
  if (task !== undefined) return `ask ${the ?? team} to ${task}`;
  const [, name, rest = ''] = QUESTION.exec(written) ?? [];
  if (name === undefined) return undefined;
  if (rest.startsWith('"')) return `ask ${name} to ${rest}`;
  if (rest.endsWith('?')) return /["\\]/.test(rest) ? undefined : `ask ${name} to "${rest}"`;
  if (OTHER.test(rest)) return undefined;
  const change = changes.find(([words]) => words.test(rest));
  if (change !== undefined) return `ask ${name} to ${rest.replace(change[0], change[1])}`;
  return /^\p{Ll}+\s(?!to\b)/u.test(rest) ? `ask ${name} to ${rest}` : undefined;
}

const comparisons: Readonly<Record<string, string>> = {
  '>=': 'is at least',
  '≥': 'is at least',
  '<=': 'is at most',
  '≤': 'is at most',
  '==': 'is',
  '===': 'is',
  '!=': 'is not',
  '!==': 'is not',
  '<>': 'is not',
  '≠': 'is not',
  '>': 'is above',
  '<': 'is below',
};

const SIGNS = /<!--|[<>!]=+|===?|<>|&&|\|\||[-+*/]=|\+\+|:=|[<>≥≤≠]/y;

/** The whole operator at `at`: `>=`, or one character. */
export function signAt(text: string, at: number): string {
  SIGNS.lastIndex = at;
  return SIGNS.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** Says how to write a comparison; `undefined` if `sign` is not one. */
const comparisonHint = (sign: string): string | undefined =>
  Object.hasOwn(comparisons, sign) ? `To compare, write "${comparisons[sign]}".` : undefined;

const operationFor: Readonly<Record<string, string>> = {
  '+=': 'plus',
  '-=': 'minus',
  '*=': 'times',
  '/=': 'divided by',
};

/** `x += 5` → `set x to x plus 5`. */
function changeHint(sign: string, before: string, after: string): string | undefined {
  const name = nameBefore(before);
  if (sign === '++') return `To count, write:\n    set ${name} to ${name} plus 1`;
  return Object.hasOwn(operationFor, sign)
    ? `To change a variable, write:\n    set ${name} to ${name} ${operationFor[sign]} ${shown(after)}`
    : undefined;
}

/** The name directly before an operator. */
function nameBefore(before: string): string {
  const [name = ''] = before
    .replace(':', ' ')
    .trimEnd()
    .split(/[\s,(]/)
    .slice(-1);
  return /^[\p{L}_][\p{L}\p{N}_.-]{0,60}$/u.test(name) ? name : '<name>';
}

/** A value as it is, unless it is long or has operators that would need a hint as well. */
const shown = (after: string): string =>
  after.trim().length <= 40 && /^[\p{L}\p{N}_."{} -]+$/u.test(after.trim()) ? after.trim() : '…';

/** The meaning of `=`. @param before the line up to it @param after the rest of the line */
function equalsHint(before: string, after: string): string {
  const name = nameBefore(before);
  if (/^(?:otherwise\s+)?if\b|^while\b|^repeat\b/.test(before)) return 'To compare, write "is".';
  if (/\bwith\s/.test(before))
    return `Write a name, a space and its value: ${instead(`${name} ${shown(after.split(',', 1)[0] ?? '')}`)}`;
  return `To set a variable, write:\n    set ${name} to ${shown(after)}`;
}

const wordsForSigns: Readonly<Record<string, string>> = {
  '+': 'plus',
  '*': 'times',
  '×': 'times',
  '÷': 'divided by',
  '/': 'divided by',
  '−': 'minus',
  '-': 'minus',
};

const ofDays: Readonly<Record<string, string>> = {
  '>': 'is after',
  '<': 'is before',
  '>=': 'is on or after',
  '<=': 'is on or before',
  '≥': 'is on or after',
  '≤': 'is on or before',
};

/** Says how to compare dates: `today > request.due`. */
const ofDates = (text: string, at: number, sign: string): string | undefined =>
  /\b(?:today|now) $/.test(text.slice(Math.max(0, at - 10), at)) ||
  /^ (?:today|now)\b/.test(text.slice(at + sign.length, at + 10))
    ? ofDays[sign]
    : undefined;

/** The word for an operator between two values; whether it fits there is tried before it is shown. */
export function wordForSign(sign: string, text: string, at: number): string | undefined {
  const isBetween = /[\p{L}\p{N}")\]] $/u.test(text.slice(Math.max(0, at - 3), at)) && text.charAt(at + sign.length) === ' ';
  if (!isBetween) return undefined;
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trimStart();
  if (sign === '=') return /^(?:if|otherwise if|repeat until)\b/.test(line) ? 'is' : undefined;
  if (Object.hasOwn(comparisons, sign)) return ofDates(text, at, sign) ?? comparisons[sign];
  return Object.hasOwn(wordsForSigns, sign) && /^(?:set|if|otherwise|log|complete|add|repeat)\b/.test(line)
    ? wordsForSigns[sign]
    : undefined;
}
