// Tokenizes a pattern such as `DD.MM.YYYY`, or says what is wrong with it. The check reads literal patterns; a run reads all others, and
// keeps them.
import type { SourceLocation, Value } from '../types.js';
import { privatePart, WfError } from '../values/errors.js';
import { isLiteral, named, operandText } from '../values/operand-text.js';

const TOKENS = ['YYYY', 'YY', 'MMMM', 'MMM', 'MM', 'M', 'dddd', 'ddd', 'DD', 'D', 'HH', 'H', 'mm', 'ss'] as const;

export type PatternToken = (typeof TOKENS)[number];

/** Literal text, or a part of the date. */
export type PatternPart = { readonly literal: string } | { readonly token: PatternToken };

type DatePattern = { readonly ok: true; readonly parts: readonly PatternPart[] } | { readonly ok: false; readonly fault: string };

/** The meaning of each letter of a token. */
const meaning: Readonly<Record<string, string>> = {
  Y: 'year',
  M: 'month',
  d: 'weekday',
  D: 'day',
  H: 'hour',
  m: 'minute',
  s: 'second',
};

/** The token that people most likely mean by a letter that is not one. */
const meantBy: Readonly<Record<string, string>> = { y: 'YYYY', h: 'HH', S: 'ss' };

/** The part of a date that a token reads: `year`, `month` … */
export const partOf = (token: PatternToken): string => meaning[token.charAt(0)] ?? '';

/** Reads a pattern. `''` is a literal quote. `fault` completes `The pattern "…" `. */
export function readPattern(pattern: string): DatePattern {
  const parts: PatternPart[] = [];
  let literal = '';
  const add = (part: PatternPart): void => {
    if (literal !== '') parts.push({ literal });
    literal = '';
    parts.push(part);
  };
  for (let at = 0; at < pattern.length; ) {
    const char = pattern.charAt(at);
    if (char === "'") {
      const quoted = /^'(?:[^']|'')*'/.exec(pattern.slice(at))?.[0];
      if (quoted === undefined) return wrong('has a quote that is never closed');
      literal += quoted === "''" ? "'" : quoted.slice(1, -1).replaceAll("''", "'");
      at += quoted.length;
    } else if (/[A-Za-z]/.test(char)) {
      const run = /^([A-Za-z])\1*/.exec(pattern.slice(at))?.[0] ?? char;
      const token = TOKENS.find((known) => known === run);
      if (token === undefined) return wrong(unknownRun(pattern.slice(at), run));
      add({ token });
      at += run.length;
    } else {
      literal += char;
      at++;
    }
  }
  if (literal !== '') parts.push({ literal });
  return parts.some((part) => 'token' in part)
    ? { ok: true, parts }
    : wrong('contains no part of a date, such as DD, MM or YYYY');
}

const wrong = (fault: string): DatePattern => ({ ok: false, fault });

function unknownRun(rest: string, run: string): string {
  const letter = run.charAt(0);
  if (Object.hasOwn(meaning, letter)) {
    const forms = TOKENS.filter((token) => token.startsWith(letter)).reverse();
    return `contains "${run}"; write the ${meaning[letter]} as ${forms.join(' or ')}`;
  }
  const meant = meantBy[letter];
  if (meant !== undefined) return `contains "${run}"; write ${meant} instead`;
  // In ISO 8601, the hour directly follows the T.
  const word = letter === 'T' ? 'T' : (/^[A-Za-z]+/.exec(rest)?.[0] ?? run);
  return `contains "${word}"; put your own words in single quotes: '${word}'`;
}

interface KnownPattern {
  readonly pattern: string;
  readonly parts: readonly PatternPart[];
}

/** More than any workflow names. A pattern can also come from data. */
const MOST = 200;
const known = new Map<string, KnownPattern>();

/** The pattern after `written as`. @throws WfError if it is not a pattern */
export function patternOf(pattern: Value, location: SourceLocation | undefined): KnownPattern {
  if (typeof pattern !== 'string') {
    const fault = operandText(pattern, location?.[4], 'the value after "written as"');
    throw new WfError('WF640', `I can't read the pattern: ${fault}, but it must be text like "DD.MM.YYYY".`, location);
  }
  const found = known.get(pattern);
  if (found !== undefined) return found;
  const read = readPattern(pattern);
  if (!read.ok) throw unusablePattern(read.fault, location);
  if (known.size >= MOST) known.clear();
  const made = { pattern, parts: read.parts };
  known.set(pattern, made);
  return made;
}

/** @param fault completes `The pattern "…" ` */
export function unusablePattern(fault: string, location: SourceLocation | undefined): WfError {
  const source = location?.[4];
  // Don't show a pattern that comes from data.
  const shown = source !== undefined && isLiteral(source) ? fault : `is not usable${privatePart(`: it ${fault}`)}`;
  return new WfError('WF640', `The pattern ${named(source, 'after "written as"')} ${shown}.`, location);
}
