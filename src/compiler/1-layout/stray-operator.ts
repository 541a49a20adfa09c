// Rewrites the operators of other languages for comparing, calculating and assigning in words.

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

/** How to write a comparison; `undefined` if `sign` is not one. */
export const comparisonHint = (sign: string): string | undefined =>
  Object.hasOwn(comparisons, sign) ? `To compare, write "${comparisons[sign]}".` : undefined;

/** `a number > 0` under `inputs:` */
export const limitHint = (sign: string, after: string): string | undefined =>
  Object.hasOwn(comparisons, sign) && /^is (?!not)./.test(comparisons[sign] ?? '')
    ? `To set a limit, write: ${comparisons[sign]?.slice(3)} ${shown(after)}`
    : undefined;

const changes: Readonly<Record<string, string>> = {
  '+=': 'plus',
  '-=': 'minus',
  '*=': 'times',
  '/=': 'divided by',
};

/** `x += 5` → `set x to x plus 5`. */
export function changeHint(sign: string, before: string, after: string): string | undefined {
  const name = nameBefore(before);
  if (sign === '++') return `To count, write:\n    set ${name} to ${name} plus 1`;
  return Object.hasOwn(changes, sign)
    ? `To change a variable, write:\n    set ${name} to ${name} ${changes[sign]} ${shown(after)}`
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

const calculations: Readonly<Record<string, string>> = { '+': 'plus', '-': 'minus', '*': 'times', '/': 'divided by' };

/** ` total + 1` → ` total plus 1` */
const inWords = (after: string): string => after.replace(/(?<= )[-+*/](?= )/g, (sign) => calculations[sign] ?? sign);

/** The line in words, if it calculates with one sign only, or with signs that are read in the same order. */
export function calculationLine(before: string, sign: string, after: string): string | undefined {
  const line = `${before}${sign}${after}`;
  if (line.length > 150 || !/^(?:set|log|wait|if|complete|add|reject)\b[\p{L}\p{N}_.\s+*/:-]+$/u.test(line)) return undefined;
  const signs = line.match(/(?<= )[-+*/](?= )/g)?.join('') ?? '';
  const isInOrder = /^(?:[*/]*[-+]*)$/.test(signs) && signs !== '';
  const hasSignedName = /(?<= )-[\p{L}_]/u.test(line);
  // Without a number, "+" may join texts.
  const mayJoin = signs.includes('+') && !/ \d[\d.]*(?: |$)/.test(line);
  return isInOrder && !hasSignedName && !mayJoin ? inWords(line) : undefined;
}

/** A value as it is, unless it is long or has operators that would need a hint as well. */
const shown = (after: string): string =>
  after.trim().length <= 40 && /^[\p{L}\p{N}_."{} -]+$/u.test(after.trim()) ? after.trim() : '…';

/** The meaning of `=`. @param before the line up to it @param after the rest of the line */
export function equalsHint(before: string, after: string): string {
  const name = nameBefore(before);
  if (/^(?:otherwise\s+)?if\b|^while\b|^repeat\b/.test(before)) return 'To compare, write "is".';
  if (/\bwith\s/.test(before)) return `Write a name, a space and its value: ${name} ${shown(after.split(',', 1)[0] ?? '')}`;
  return `To set a variable, write:\n    set ${name} to ${shown(inWords(after))}`;
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

/** How dates are compared: `today > request.due`. */
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
