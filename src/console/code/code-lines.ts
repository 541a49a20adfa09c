// Renders coloured lines, and what each did in a run or in many, as a list. Only parts of a long text are sent; the rest is loaded on
// demand.
import { counted } from '../../../runtime/texts/words.js';
import { isLoop } from '../../compiler/2-parse/walk.js';
import { isOutside, type LineHistory } from '../../durable/views/run-history.js';
import type { LineValues } from '../../explain/values-beside.js';
import { type Html, type HtmlPart, html, nothing } from '../html/html.js';
import { durationWords } from '../html/moment.js';
import type { CodeColour, CodePiece, Outline, OutlineLine } from './text-view.js';

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

interface CodeLinesOptions {
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
export function indentOf([first]: readonly CodePiece[]): Html {
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

interface LineFacts {
  /** `idle`: no run reached it. `aside`: a line that can't run, such as a comment. */
  readonly state: 'ran' | 'idle' | 'aside';
  /** The note beside the line; empty if the state says everything. */
  readonly note: string;
  /** A branch taken at least once is highlighted. */
  readonly isTaken?: true;
}

/** Number of runs that reached each line, by line number. */
export type Reached = (line: number) => number;

const ASIDE: LineFacts = { state: 'aside', note: '' };
const IDLE: LineFacts = { state: 'idle', note: '' };

/** @param history what happened at the line, for a single run */
export function lineFacts(outline: Outline, line: number, reached: Reached, history?: LineHistory): LineFacts {
  const known = outline.get(line);
  if (known === undefined) return ASIDE;
  const owner = outline.get(known.owner) ?? known;
  // The head of a branch counts as reached if the branch was taken.
  const count = reached(owner.kind === undefined ? (owner.inner ?? owner.line) : owner.line);
  const hasEffects = history !== undefined && history.effects.length > 0;
  if (count === 0 && !hasEffects)
    return known.kind === undefined && known.inner !== undefined && wasPassed(outline, known, reached)
      ? { state: 'idle', note: 'not taken' }
      : IDLE;
  if (known.owner !== line) return { state: 'ran', note: '' };
  const taken = known.inner === undefined ? 0 : reached(known.inner);
  if (known.kind !== undefined && isLoop(known.kind))
    return { state: 'ran', note: joined(countNote(count), counted(taken, 'round'), durationNote(history)) };
  if (known.kind === undefined) return { state: 'ran', note: joined('taken', countNote(count)), isTaken: true };
  if (known.kind === 'if') return { state: 'ran', note: branchNote(taken, count), ...(taken > 0 ? { isTaken: true } : {}) };
  return { state: 'ran', note: joined(countNote(Math.max(count, 1)), durationNote(history)) };
}

/** Whether the statement that a branch belongs to ran. If so, the branch was not taken; if not, its condition was never tested. */
function wasPassed(outline: Outline, head: OutlineLine, reached: Reached): boolean {
  for (let line = head.line - 1; line > 0; line--) {
    const before = outline.get(line);
    if (before !== undefined && before.kind !== undefined && before.depth <= head.depth) return reached(line) > 0;
  }
  return false;
}

function branchNote(taken: number, count: number): string {
  if (taken === 0) return count === 1 ? 'not taken' : `not taken, ${count}×`;
  if (taken === count) return count === 1 ? 'taken' : `taken, ${count}×`;
  return `taken ${taken} of ${count}×`;
}

const countNote = (count: number): string => (count > 1 ? `${count}×` : '');

/** The duration of a `log` is negligible. */
const durationNote = (history: LineHistory | undefined): string =>
  history?.effects.some(
    (effect) => isOutside(effect) || effect.kind === 'step' || (effect.kind === 'fork' && history.totalMs > 0),
  ) === true
    ? durationWords(history.totalMs)
    : '';

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');
