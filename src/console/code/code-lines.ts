// Renders coloured lines and what is known of them as a list. Only parts of a long text are sent; the rest is loaded on demand.
import type { LineValues } from '../../explain/values-beside.js';
import { type Html, type HtmlPart, html, nothing } from '../html/html.js';
import type { CodeColour, CodePiece } from './colour-code.js';
import type { LineFacts } from './line-facts.js';

export interface CodeLine {
  readonly facts: LineFacts;
  /** Highlighted: a call is under way here, the run waits here, or it ended here. */
  readonly mark?: 'current' | 'waiting' | 'error' | 'end';
  /** Facts of the line in this run, shown after its text. */
  readonly values?: LineValues;
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
  /** Lines that are folded in at first. */
  readonly folds?: readonly Fold[];
  /** Whether long blocks that never ran are folded in. */
  readonly foldsIdle?: boolean;
  /** Address that returns the lines from a number on. */
  readonly moreFrom: (line: number) => string;
}

export interface Fold extends Range {
  readonly words: string;
}

export interface Range {
  readonly first: number;
  readonly last: number;
}

/** Lines that a page starts with, and lines per request. */
const AT_FIRST = 100;
export const AT_A_TIME = 300;
const AROUND_FOCUS = 40;

/** The start of the text, and the surroundings of the line that matters. @param share of the usual number of lines, where they are long */
export function firstRanges(count: number, focus: number | undefined, share = 1): Range[] {
  const [atFirst, around] = [Math.ceil(AT_FIRST * share), Math.ceil(AROUND_FOCUS * share)];
  if (count <= atFirst + 20 || focus === undefined || focus <= atFirst - around)
    return [{ first: 1, last: Math.min(count, count <= atFirst + 20 ? count : atFirst) }];
  const before = Math.max(1, atFirst - 2 * around);
  return [
    { first: 1, last: before },
    { first: Math.max(focus - around, before + 1), last: Math.min(focus + around, count) },
  ];
}

/** The items of the list, with a link for each gap. */
export function codeLines({ lines, lineOf, ranges, moreFrom, folds = [], foldsIdle = false }: CodeLinesOptions): Html[] {
  const items: Html[] = [];
  let next = ranges[0]?.first ?? 1;
  for (const { first, last } of ranges) {
    if (first > next) items.push(rest(next, first - 1, moreFrom));
    const known: ShownLine[] = [];
    for (let line = Math.max(first, next); line <= last; line++) known.push({ line, shown: lineOf(line) });
    items.push(...folded(known, lines, [...folds, ...(foldsIdle ? idleBlocks(known) : [])]));
    next = Math.max(next, last + 1);
  }
  if (next <= lines.length) items.push(rest(next, lines.length, moreFrom));
  return items;
}

interface ShownLine {
  readonly line: number;
  readonly shown: CodeLine;
}

/** Shorter blocks take no more room than their fold. */
const LEAST_IDLE = 8;

/** Long blocks of lines that never ran. */
function idleBlocks(known: readonly ShownLine[]): Fold[] {
  const blocks: Fold[] = [];
  let first: number | undefined;
  const close = (last: number): void => {
    if (first !== undefined && last - first >= LEAST_IDLE - 1)
      blocks.push({ first, last, words: `Lines ${first} to ${last} did not run` });
    first = undefined;
  };
  for (const { line, shown } of known) {
    const { facts, mark, below } = shown;
    if (facts.state === 'idle' && facts.note === '' && below === undefined) first ??= line;
    else if (facts.state !== 'aside' || mark !== undefined || below !== undefined) close(line - 1);
  }
  close(known.at(-1)?.line ?? 0);
  return blocks;
}

/** The items, with those of each fold in a list of their own. */
function folded(known: readonly ShownLine[], lines: CodeLinesOptions['lines'], folds: readonly Fold[]): Html[] {
  const toItem = ({ line, shown }: ShownLine): Html => item(line, lines[line - 1] ?? [], shown);
  const items: Html[] = [];
  for (let index = 0; index < known.length; ) {
    const one = known[index];
    if (one === undefined) break;
    const fold = folds.find(({ first, last }) => first === one.line && last <= (known.at(-1)?.line ?? 0));
    const inside = fold === undefined ? [] : known.slice(index, index + 1 + fold.last - fold.first);
    if (fold === undefined) items.push(toItem(one));
    else
      items.push(
        html`<li class="fold"><details id="F${fold.first}"><summary>${fold.words}</summary><ol>${inside.map(toItem)}</ol></details></li>`,
      );
    index += Math.max(1, inside.length);
  }
  return items;
}

const rest = (first: number, last: number, moreFrom: (line: number) => string): Html =>
  html`<li class="rest"><a data-more="near" href="${moreFrom(first)}">Lines ${first} to ${last}</a></li>`;

function item(line: number, pieces: readonly CodePiece[], { facts, mark, values, aside, below }: CodeLine): Html {
  const content = html`<a class="no" href="#L${line}" tabindex="-1">${line}</a><code${indentOf(pieces)}>${pieces.map(coloured)}${values !== undefined && valuesOf(values)}</code>${noteOf(facts, aside)}${below}`;
  const shown = [facts.state === 'aside' ? '' : facts.state, facts.isTaken === true ? 'taken' : '', mark ?? ''];
  const classes = shown.filter((name) => name !== '').join(' ');
  return html`<li id="L${line}"${classes === '' ? nothing : html` class="${classes}"`} data-v="${fingerprint(classes + content.toString())}">${content}</li>`;
}

/** Lines that wrap go on below their own beginning. */
function indentOf([first]: readonly CodePiece[]): Html {
  const depth = Math.min(9, Math.ceil((/^ */.exec(first?.text ?? '')?.[0].length ?? 0) / 4));
  return depth === 0 ? nothing : html` class="d${depth}"`;
}

/** As inlay hints of an editor. */
const valuesOf = ({ shown, more }: LineValues): Html =>
  html`${shown.map((text) => html` <q><bdi>${text}</bdi></q>`)}${more > 0 && html` <q>and ${more} more</q>`}`;

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
