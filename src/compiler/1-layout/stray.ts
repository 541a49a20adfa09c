// The hint for a character that the language doesn't use: what its author most likely meant.
import { calculationLine, changeHint, comparisonHint, equalsHint, limitHint } from './stray-operator.js';
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
  "'": 'Put text in double quotes: "like this".',
  '`': 'Put text in double quotes: "like this".',
  '#': 'A comment needs a space before its #.',
  ';': 'Write one statement per line, with nothing at the end.',
  '.': 'To read a field, write a dot without spaces: order.total. A number starts with a digit: 0.5',
  '%': 'For a share of a value, write: 10 percent of total',
  '×': 'To multiply, write "times".',
  '÷': 'To divide, write "divided by".',
  '^': 'Multiply a number by itself with "times".',
  '?': 'Put text in quotes. A condition comes after "if", and its line ends with a colon.',
  '…': 'Write out the line, or delete it.',
  $: 'Write amounts without a currency: 12.50',
  '€': 'Write amounts without a currency: 12.50',
  '£': 'Write amounts without a currency: 12.50',
  '₦': 'Write amounts without a currency: 12.50',
  '@': 'Put anything other than a name or a number in quotes.',
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
  `Lines need no bullets or dashes in front. ${rest.length <= 80 ? `Write only: ${rest}` : `Delete the "${bullet}".`}`;

/** How to fix `character`, which may start an operator such as `>=`, found at offset `at`. */
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
  const limit = /\sis\san?\s(?:whole\s)?(?:number|date|time)\s+$/.test(before) ? limitHint(character, after) : undefined;
  if (limit !== undefined) return limit;
  const comparison = comparisonHint(character) ?? changeHint(character, before, after);
  if (comparison !== undefined) return comparison;
  if (character === '/' && /(?:^|\s)\d{1,2}(?:\/\d{1,2})?$/.test(before) && /^\d{1,4}/.test(after))
    return 'Put dates in quotes, with the year first: "2026-03-01"';
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
  if (character === '!' && /[\p{L}\p{N}]$/u.test(before)) return 'Put text in quotes: "Done!"';
  if (character === '.' && /\d/.test(text.charAt(at + 1))) return 'A number starts with a digit: 0.5';
  if (character === '/' && (text.charAt(at - 1) === ':' || /\bat[ \t]+$/.test(text.slice(Math.max(0, at - 20), at))))
    return 'Put addresses and paths in quotes: at "https://api.example.com", at "/users/ada"';
  const next = text.charAt(at + 1);
  if ((character === '/' && (next === '/' || next === '*')) || (character === '-' && next === '-'))
    return 'A comment starts with #.';
  if (character === "'" && /^s\s/.test(text.slice(at + 1, at + 3)))
    return 'To read a field, write a dot: request.customer.name. Put text in double quotes.';
  if (character === "'" && /\p{L}/u.test(text.charAt(at - 1)) && /\p{L}/u.test(next))
    return 'Write words in full: is not, does not contain. Put text in double quotes.';
  if (character === '.' && text.charAt(at - 1) === ']')
    return 'To read an item of a list, write a dot and its position, counting from 0: request.rows.0.name';
  const calculation = /^[-+*/]$/.test(character) ? calculationLine(before, character, after) : undefined;
  if (calculation !== undefined) return `Calculate in words:\n    ${calculation}`;
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
  if (/(?:^|[\s([,])-[\p{L}(]/u.test(rest)) return `To change the sign of a value, subtract it from 0: (0 minus ${value})`;
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
