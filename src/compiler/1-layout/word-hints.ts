// Suggests how to write a name, a number or the cell of a table that the scanner rejects.
import { instead, why, writeLines } from '../diagnostics/hint-marks.js';
import { cellInOtherWords } from '../vocabulary/table-in-other-words.js';

/** A pattern without quotes, in which `at` is: `like AB-####`. */
export function patternHint(text: string, at: number): string | undefined {
  const [before = '', word = ''] =
    /\blike\s+([^\s"]*)$/.exec(text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 100), at)) ?? [];
  if (before === '') return undefined;
  const rest = /^[^\s",:)]*/.exec(text.slice(at, at + 100))?.[0] ?? '';
  return why(`Put the pattern in quotes: ${instead(`like "${word}${rest}"`)}`);
}

/** The most that a sentence without quotes can have in front of its last word. */
const LONGEST_SENTENCE = 300;

/** A line that ends with a sentence without quotes, whose last word ends at `end`. */
export function sentenceHint(text: string, end: number): string | undefined {
  if (text.charAt(end - 1) !== '.') return undefined;
  const from = Math.max(text.lastIndexOf('\n', end - 1) + 1, end - LONGEST_SENTENCE);
  const next = text.charAt(end);
  if (next !== '' && next !== '\n' && next !== '\r') return undefined;
  const [, start, sentence] = /^ *(reject with|log) (\p{L}[^"\\{}]*)$/u.exec(text.slice(from, end)) ?? [];
  return sentence === undefined ? undefined : why(`Put text in quotes:\n    ${start} "${sentence}"`);
}

/** Says how to fix `name`, which may contain dots. */
export function nameHint(name: string): string {
  if (name.endsWith('.') || name.includes('..'))
    return 'A dot must be followed by the name of a field or the position of an item: order.lines.0';
  if (name.split('.').some((part) => /^[\d-]/.test(part) && !/^\d+$/.test(part)))
    return 'A name starts with a letter or "_". Input fields with other names have to be renamed before a workflow can read them.';
  return 'A hyphen can be inside a name, but not at its end. To subtract, write "minus".';
}

/**
 * @param written digits and what follows them without a space
 * @param before the line up to them @param after the rest of the line
 */
export function malformedNumberHint(written: string, before: string, after: string): string {
  const cell = cellHint(before, written, after);
  if (cell !== undefined) return cell;
  const range = /^(\d+)-(\d+)$/.exec(written);
  if (range !== null && /\bbetween\s*$/.test(before))
    return `Write it like this: ${instead(`is between ${range[1]} and ${range[2]}`)}`;
  const iso = /^\d{4}-\d{1,2}-\d{1,2}/.exec(written);
  if (iso !== null) return why(`Put dates in quotes: ${instead(`"${paddedDate(iso[0])}"`)}`);
  const local = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(written);
  if (local !== null)
    return why(`Put dates in quotes, with the year first: ${instead(`"${local[3]}-${two(local[2])}-${two(local[1])}"`)}`);
  if (/^\d{1,2}(?:st|nd|rd|th)$/i.test(written) || (/^\d{1,2}\.$/.test(written) && MONTH.test(after)))
    return why('Put dates in quotes, with the year first: "2026-03-01"');
  const unit = /^\d+(h|m|min|s|d|w|y)$/i.exec(written)?.[1];
  if (unit !== undefined && /\b(?:plus|minus|wait)\s+$/.test(before))
    return `Write out the unit: ${instead(`${Number.parseInt(written, 10)} ${units[unit.toLowerCase()]}`)}`;
  if (/^\d{1,2}(am|pm|a\.m|p\.m|h|uhr)/i.test(written)) return why('Put times in quotes, with hours from 0 to 23: "17:00"');
  if (/\.$/.test(written) && before.trim() !== '' && after.trim() === '') return 'Lines have no full stop at the end.';
  if (/^\d+\.$/.test(written) && before.trim() === '') return `Lines need no numbers in front: delete "${written}".`;
  const share = /^(\d{1,9}(?:\.\d{1,6})?)%$/.exec(written)?.[1];
  if (share !== undefined && /\bis (?:above|below|at least|at most|between)\s+(?:[\d.%]+\s+and\s+)?$/.test(before))
    return `${writeLines(`${Number((Number(share) / 100).toPrecision(12))}`)}\nA percentage alone is a fraction.`;
  if (/^\d+(?:[.,]\d+)?%/.test(written))
    return /^\s*of\b/.test(after)
      ? `Write "percent": ${Number.parseFloat(written.replace(',', '.'))} percent of total`
      : 'For a share of a value, write:\n    10 percent of total\nA percentage alone is a fraction: 15% is 0.15.';
  if (/[€$£¥₦]/.test(written) || /^[\d.,]+(?:eur|usd|gbp|chf|ngn)$/i.test(written))
    return `Write amounts without a currency: ${instead(plainNumber(written.replace(/[^\d.,]/g, '')))}`;
  if (/^-?\d+(?:[.,]\d+)*$/.test(written) && written.includes(','))
    return `Write numbers without commas, and with a point for decimals: ${instead(plainNumber(written))}`;
  if (/^-?\d+(?:\.\d+)?-\d/.test(written)) return `To subtract, write "minus": ${written.replace(/(\d)-(?=\d)/, '$1 minus ')}`;
  if (/^\d+(?:days?|weeks?|months?|years?|hours?|minutes?|seconds?|secs?|mins?|hrs?)$/i.test(written))
    return `Put a space before the unit: ${instead(written.replace(/^\d+/, '$& '))}`;
  if (/^\d+(?:\.\d+)?(?:kg|g|mg|lbs?|oz|km|cm|mm|ml|l|t)$/i.test(written))
    return `Write numbers without a unit: ${instead(`${Number.parseFloat(written)}`)}`;
  if (/^\d+(?:\.\d+)?[km]$/i.test(written)) return 'Write out all digits: 10000';
  return why(
    `A number has digits, and a point for decimals: 12, -3.5. ${/^\d[\w-]*[A-Za-z_]/.test(written) ? 'A name starts with a letter or "_". ' : ''}Put anything else in quotes.`,
  );
}

const units: Readonly<Record<string, string>> = {
  s: 'seconds',
  m: 'minutes',
  min: 'minutes',
  h: 'hours',
  d: 'days',
  w: 'weeks',
  y: 'years',
};

/** The start of the name of a month. */
const MONTH = /^\s*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

const two = (digits = ''): string => digits.padStart(2, '0');

const paddedDate = (date: string): string => date.split('-').map(two).join('-');

/** `1.200,50` and `1,200.50` are 1200.50; `12,50` is most likely 12.50, and `1,200` is 1200. */
function plainNumber(written: string): string {
  const comma = written.lastIndexOf(',');
  const dot = written.lastIndexOf('.');
  if (comma === -1) return written;
  const isDecimal = dot === -1 ? written.length - comma - 1 !== 3 : comma > dot;
  return isDecimal ? written.replace(/\./g, '').replace(',', '.') : written.replace(/,/g, '');
}

/** @param before the line up to the characters @param after the rest of the line; `undefined` outside tables */
export function cellHint(before: string, written: string, after: string): string | undefined {
  if (!before.trimStart().startsWith('|')) return undefined;
  const [end = ''] = after.split('|', 1);
  const cell = (before.slice(before.lastIndexOf('|') + 1) + written + end).trim();
  const meant = cellInOtherWords(cell, 'is');
  return meant === undefined ? undefined : `Write it like this: ${instead(meant)}`;
}
