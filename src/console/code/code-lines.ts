// Renders coloured lines and what is known of them as a list. Only parts of a long text are sent; the rest is loaded on demand.
import { type Html, type HtmlPart, html, nothing } from '../html/html.js';
import type { CodeColour, CodePiece } from './colour-code.js';
import type { LineFacts } from './line-facts.js';

export interface CodeLine {
  readonly facts: LineFacts;
  /** Highlighted: a call is under way here, the run waits here, or it ended here. */
  readonly mark?: 'current' | 'waiting' | 'error' | 'end';
  /** Shown to the right of the line, after its note. */
  readonly aside?: HtmlPart;
  /** Shown below the line. */
  readonly below?: HtmlPart;
}

export interface CodeLinesOptions {
  readonly lines: readonly (readonly CodePiece[])[];
  readonly lineOf: (line: number) => CodeLine;
  /** First and last lines to show, inclusive, in ascending order. */
  readonly ranges: readonly Range[];
  /** Address that returns the lines from a number on. */
  readonly moreFrom: (line: number) => string;
}

export interface Range {
  readonly first: number;
  readonly last: number;
}

/** Lines that a page starts with, and lines per request. */
const AT_FIRST = 160;
export const AT_A_TIME = 300;
const AROUND_FOCUS = 50;

/** The start of the text, and the surroundings of the line that matters. */
export function firstRanges(count: number, focus: number | undefined): Range[] {
  if (count <= AT_FIRST + 20 || focus === undefined || focus <= AT_FIRST - AROUND_FOCUS)
    return [{ first: 1, last: Math.min(count, count <= AT_FIRST + 20 ? count : AT_FIRST) }];
  return [
    { first: 1, last: AT_FIRST - 2 * AROUND_FOCUS },
    { first: Math.max(focus - AROUND_FOCUS, AT_FIRST - 2 * AROUND_FOCUS + 1), last: Math.min(focus + AROUND_FOCUS, count) },
  ];
}

/** The items of the list, with a link for each gap. */
export function codeLines({ lines, lineOf, ranges, moreFrom }: CodeLinesOptions): Html[] {
  const items: Html[] = [];
  let next = ranges[0]?.first ?? 1;
  for (const { first, last } of ranges) {
    if (first > next) items.push(rest(next, first - 1, moreFrom));
    for (let line = Math.max(first, next); line <= last; line++) items.push(item(line, lines[line - 1] ?? [], lineOf(line)));
    next = Math.max(next, last + 1);
  }
  if (next <= lines.length) items.push(rest(next, lines.length, moreFrom));
  return items;
}

const rest = (first: number, last: number, moreFrom: (line: number) => string): Html =>
  html`<li class="rest"><a data-more="near" href="${moreFrom(first)}">Lines ${first} to ${last}</a></li>`;

function item(line: number, pieces: readonly CodePiece[], { facts, mark, aside, below }: CodeLine): Html {
  const content = html`<a class="no" href="#L${line}" tabindex="-1">${line}</a><code>${pieces.map(coloured)}</code>${noteOf(facts, aside)}${below}`;
  const shown = [facts.state === 'aside' ? '' : facts.state, facts.isTaken === true ? 'taken' : '', mark ?? ''];
  const classes = shown.filter((name) => name !== '').join(' ');
  return html`<li id="L${line}"${classes === '' ? nothing : html` class="${classes}"`} data-v="${fingerprint(classes + content.toString())}">${content}</li>`;
}

function noteOf({ note, state }: LineFacts, aside: HtmlPart): Html {
  if (state === 'aside' && aside === undefined) return nothing;
  if (note === '' && aside === undefined) return nothing;
  return html`<span class="note">${note}${note !== '' && aside !== undefined && ' · '}${aside}</span>`;
}

const ELEMENTS: Readonly<Record<Exclude<CodeColour, 'plain'>, 'b' | 'i' | 'u' | 'small' | 'var'>> = {
  word: 'b',
  text: 'i',
  number: 'u',
  comment: 'small',
  value: 'var',
};

/** Elements without classes keep a page of a thousand lines small. The style sheet colours them. */
function coloured({ colour, text }: CodePiece): HtmlPart {
  if (colour === 'plain') return text;
  const name = ELEMENTS[colour];
  return html`${open[name]}${text}${close[name]}`;
}

const open = { b: html`<b>`, i: html`<i>`, u: html`<u>`, small: html`<small>`, var: html`<var>` };
const close = { b: html`</b>`, i: html`</i>`, u: html`</u>`, small: html`</small>`, var: html`</var>` };

/** Identifies changed lines for the script (FNV-1a). */
export function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
