// Turns the text into one stream of tokens, in which INDENT and DEDENT stand around the lines of each block.
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic, Span } from '../diagnostics/diagnostic.js';
import { blockUnder, callOptionTable, sectionTable, statementWords } from '../vocabulary/line-table.js';
import { tokenClass, wordCharacter, wordOf } from './alphabet.js';
import { lineAt, lineSpan, measure, type TokenLine, type TokenStream, UNIT } from './line.js';
import { readQuotedLines } from './quoted-lines.js';
import { isSpace, scanLine } from './scan-line.js';
import { strayHint } from './stray.js';

export interface Layout {
  readonly tokens: TokenStream;
  readonly diagnostics: Diagnostic[];
}

/** Splits `text` (without a byte order mark) into tokens. Lines end with LF or CRLF; blank lines and comments are skipped. */
export function layout(text: string): Layout {
  const diagnostics: Diagnostic[] = [];
  const placement = new Placement();
  let number = 0;

  for (let start = 0; start < text.length; ) {
    number++;
    const { end, next } = lineAt(text, start);
    const indentation = measure(text, start, end);
    start = next;
    if (indentation.end === end || text.charCodeAt(indentation.end) === 0x23) continue;

    const line: TokenLine = {
      number,
      depth: 0,
      start: indentation.end,
      end: indentation.end,
      shape: '',
      offsets: [],
      fault: undefined,
    };
    const lineStart = indentation.end - indentation.characters;
    scanLine(text, line, end);
    const fault = placement.place(line, indentation.width, { start: lineStart, end: indentation.end });
    if (indentation.special !== undefined) diagnostics.push(specialSpace(text, indentation.special));
    else if (indentation.tab)
      diagnostics.push(
        catalogue.tabIndentation({ start: lineStart, end: indentation.end }, 4 * line.depth, text.slice(indentation.end, end)),
      );
    else if (fault !== undefined) diagnostics.push(fault);
    const quoted = line.fault === undefined ? undefined : readQuotedLines(text, line, indentation.width, start);
    if (quoted !== undefined) {
      line.fault = quoted.fault;
      start = quoted.next;
      number += quoted.count;
    }
    if (!opensLongText(line)) continue;
    const longText = readLongText(text, line, start);
    start = longText.next;
    number += longText.count;
    diagnostics.push(...longText.faults);
  }
  // In texts and comments, too: a reviewer must see what runs.
  const reordered = text.search(/[\u202a-\u202e\u2066-\u2069]/);
  if (reordered !== -1) diagnostics.push(catalogue.reorderedText({ start: reordered, end: reordered + 1 }));
  return { tokens: placement.close(), diagnostics };
}

function specialSpace(text: string, at: number): Diagnostic {
  const character = text.charAt(at);
  return catalogue.strayCharacter({ start: at, end: at + 1 }, character, strayHint(character, text, at));
}

// Decides which block each line belongs to. A badly indented line is reported once and then placed where it was most likely meant to be, so
// the lines around it still read as written.

/** Blocks nested deeper than this are an error: the parser would overflow the stack. */
const MAX_DEPTH = 100;

interface OpenBlock {
  /** Columns its lines should be indented by. */
  readonly level: number;
  /** Columns its first line is indented by. */
  readonly written: number;
  /** Columns a later line is wrongly indented by; lines aligned with it are not reported again. */
  also: number;
}

const USING = wordCharacter('using') ?? '';
const WORKFLOW = `${wordCharacter('workflow') ?? ''}:`;
const sections: ReadonlySet<string> = new Set(Object.keys(sectionTable).map((word) => `${wordCharacter(word) ?? ''}:`));

/** Whether a line can only be a statement. */
const isStatement = ({ shape }: TokenLine): boolean =>
  shape.includes(USING) || statementWords.includes(wordOf(shape.charAt(0)) ?? '');

/** Whether a block must, may or cannot follow this line; a missing colon does not matter. */
function opensBlock({ shape }: TokenLine): ReturnType<typeof blockUnder> {
  const answer = shape.endsWith(':') ? 'must' : blockUnder(wordOf(shape.charAt(0)) ?? '');
  return answer === 'no' && shape.includes(USING) ? 'may' : answer;
}

/** Whether a line that only stands below a call is below a line that begins as no other one does: a call, even if it can't be read. */
const isOptionOf = (line: TokenLine, above: TokenLine | undefined): boolean =>
  above !== undefined &&
  /^(?:save|on|choose)$/.test(wordOf(line.shape.charAt(0)) ?? '') &&
  wordOf(above.shape.charAt(0)) === undefined;

class Placement {
  readonly #stream: (TokenLine | string)[] = [];
  /** The open blocks, outermost first; the previous line is in the last one. The block at the margin is always there. */
  readonly #open: [OpenBlock, ...OpenBlock[]] = [{ level: 0, written: 0, also: 0 }];
  #previous: TokenLine | undefined;
  #previousWidth = 0;
  /** Whether the last section is the workflow. */
  #isWorkflow = false;

  /**
   * Places `line`, whose tokens are known and which is indented by `width` columns. Returns what is wrong with its indentation, which spans
   * the text before it.
   */
  place(line: TokenLine, width: number, indentation: Span): Diagnostic | undefined {
    const fault = this.#find(line, width, indentation.start === indentation.end ? undefined : indentation);
    line.depth = this.#open.length - 1;
    this.#previous = line;
    this.#previousWidth = width;
    return fault;
  }

  get #inner(): OpenBlock {
    return this.#open.at(-1) ?? this.#open[0];
  }

  #find(line: TokenLine, width: number, indentation: Span | undefined): Diagnostic | undefined {
    if (sections.has(line.shape)) {
      this.#isWorkflow = line.shape === WORKFLOW;
      if (width > 0) return this.#placeSection(line, width, indentation);
    }
    const { level } = this.#inner;
    const above = this.#previous;
    const [, body] = this.#open;
    if (width === 0 && this.#isWorkflow && body !== undefined && isStatement(line) && opensBlock(above ?? line) !== 'must') {
      this.#backTo(line, width, (block) => block === body);
      const isTold = body.also === 0;
      body.also = 0;
      return isTold ? undefined : catalogue.statementAtMargin(lineSpan(line), body.level);
    }
    const found = above === undefined ? 'no' : opensBlock(above);
    const opens = found === 'no' && isOptionOf(line, above) ? 'may' : found;
    const child = level + UNIT;
    if (above !== undefined && opens !== 'no' && (width === child || width === this.#previousWidth + UNIT)) {
      this.#openUnder(line, width);
      return undefined;
    }
    if (
      this.#backTo(line, width, (block) => width === block.written || width === block.also) ||
      this.#backTo(line, width, (block) => width === block.level)
    ) {
      return undefined;
    }
    const odd = (): Diagnostic => {
      const lower = Math.min(width - (width % UNIT), child);
      const expected =
        width > level && opens === 'must' ? [child] : width > level && opens === 'no' ? [level] : [lower, lower + UNIT];
      return catalogue.oddIndentation(indentation ?? { start: line.start, end: line.start + 1 }, width, expected);
    };
    if (width < level) {
      // Only sections start at the margin.
      const inSection = this.#open.length > 1 ? this.#open.slice(1) : this.#open;
      const nearest = inSection.reduce((best, block) =>
        Math.abs(width - block.level) <= Math.abs(width - best.level) ? block : best,
      );
      this.#backTo(line, width, (block) => block === nearest);
      return odd();
    }
    // Closer to this block than to a block under the previous line.
    if (above === undefined || opens === 'no' || (opens === 'may' && width < child - UNIT / 2)) {
      this.#add(line);
      this.#inner.also = width;
      if (width % UNIT !== 0) return odd();
      return above === undefined
        ? catalogue.deepIndentation(indentation ?? lineSpan(line), width, 0)
        : catalogue.indentedUnderNothing(lineSpan(line), level);
    }
    this.#openUnder(line, width);
    return width % UNIT === 0 ? catalogue.deepIndentation(indentation ?? lineSpan(line), width, child) : odd();
  }

  /** A section belongs at the margin, wherever it is written. */
  #placeSection(line: TokenLine, width: number, indentation: Span | undefined): Diagnostic {
    this.#backTo(line, width, (block) => block.level === 0);
    return width % UNIT === 0
      ? catalogue.indentedSection(lineSpan(line))
      : catalogue.oddIndentation(indentation ?? lineSpan(line), width, [0]);
  }

  /** Closes blocks up to the innermost one that `isMeant` accepts; false if there is none. */
  #backTo(line: TokenLine, width: number, isMeant: (block: OpenBlock) => boolean): boolean {
    const index = this.#open.findLastIndex(isMeant);
    if (index === -1) return false;
    this.#closeTo(index);
    this.#add(line);
    // The next badly indented line is a new mistake.
    if (width !== this.#inner.also) this.#inner.also = this.#inner.written;
    return true;
  }

  #openUnder(line: TokenLine, width: number): void {
    const depth = this.#open.length;
    // The first line past the limit carries the message; anything deeper is left out.
    if (depth === MAX_DEPTH) line.fault = catalogue.blocksTooDeep({ start: line.start, end: line.start + 1 }, MAX_DEPTH);
    if (depth <= MAX_DEPTH) this.#stream.push(tokenClass.indent);
    this.#open.push({ level: this.#inner.level + UNIT, written: width, also: width });
    this.#add(line);
  }

  #add(line: TokenLine): void {
    if (this.#open.length > MAX_DEPTH + 1) return;
    this.#endLine();
    this.#stream.push(line);
  }

  /** Nothing opened under the last line. */
  #endLine(): void {
    if (typeof this.#stream.at(-1) === 'object') this.#stream.push(tokenClass.eol);
  }

  #closeTo(index: number): void {
    for (let block = this.#open.length - 1; block > index; block--) {
      if (block > MAX_DEPTH) continue;
      this.#endLine();
      this.#stream.push(tokenClass.dedent);
    }
    this.#open.length = index + 1;
  }

  /** Closes the open blocks. Returns all tokens. */
  close(): TokenStream {
    this.#closeTo(0);
    this.#endLine();
    return this.#stream;
  }
}

// The lines under `set … to text:` and `ask … to:` are one text. They are taken verbatim, before anything tokenizes them.

const SET = wordCharacter('set') ?? '';
const ASK = wordCharacter('ask') ?? '';
const TO = wordCharacter('to') ?? '';

const TEXT = wordCharacter('text') ?? '';
const TO_TEXT = `${TO}${TEXT}`;

/** The start of a call's option in the middle of a text: its first words, or more if ordinary sentences start with them, too. */
const optionStarts = Object.values(callOptionTable).flatMap(({ beginsWith }) => (beginsWith === undefined ? [] : [beginsWith]));

/** Whether deeper lines under this one are text. The head may be misspelt or lack its colon: `set` has no other lines under it, and no call
 * ends in `text:`. */
function opensLongText({ shape, fault }: TokenLine): boolean {
  if (fault !== undefined) return false;
  const head = shape.endsWith(':') ? shape.slice(0, -1) : shape;
  return head.startsWith(ASK)
    ? head.length === 3 && head.endsWith(TO)
    : head.endsWith(TO_TEXT) || (head !== shape && (head.startsWith(SET) || (head.includes(USING) && head.endsWith(TEXT))));
}

interface TextLine {
  readonly start: number;
  readonly end: number;
  /** Columns of indentation. */
  readonly width: number;
  readonly isBlank: boolean;
}

interface LongText {
  /** Offset of the first line after the text, and the number of lines before it. */
  readonly next: number;
  readonly count: number;
  readonly faults: readonly Diagnostic[];
}

/** Attaches the text that starts at `start` to `head`. Under `ask`, the text ends before the first option. */
function readLongText(text: string, head: TokenLine, start: number): LongText {
  const level = UNIT * (head.depth + 1);
  // Even if the head is badly indented, the statements after it are not part of its text.
  const outside = level - UNIT;
  const lines: TextLine[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let at = start; at < text.length; ) {
    const { end, next } = lineAt(text, at);
    const indentation = measure(text, at, end);
    const isBlank = indentation.end === end;
    if (!isBlank) {
      // A space too many before the next statement doesn't make it text.
      if (indentation.width < outside + (Number.isFinite(least) ? UNIT / 2 : 1)) break;
      if (head.shape.startsWith(ASK) && indentation.width <= Math.max(least, level) && isOption(text.slice(indentation.end, end)))
        break;
      least = Math.min(least, indentation.width);
    }
    lines.push({ start: at, end, width: indentation.width, isBlank });
    at = next;
  }
  while (lines.at(-1)?.isBlank === true) lines.pop();
  const [first, last] = [lines.find(({ isBlank }) => !isBlank), lines.at(-1)];
  if (first === undefined || last === undefined) return { next: start, count: 0, faults: [] };
  const faults: Diagnostic[] = [];
  head.pieces = lines.map((line) => {
    if (line.isBlank) return { start: line.end, end: line.end };
    const from = afterColumns(text, line.start, least);
    if (from.tab)
      faults.push(catalogue.tabIndentation({ start: line.start, end: from.at }, level, text.slice(from.at, line.end)));
    else if (line.width < level)
      faults.push(catalogue.oddIndentation({ start: line.start, end: line.start + line.width }, line.width, [level]));
    return { start: from.at, end: line.end };
  });
  // Messages point to its first line.
  const from = measure(text, first.start, first.end).end;
  head.shape += tokenClass.lines;
  head.offsets.push(from, endOfLine(text, from, first.end));
  return { next: lineAt(text, last.start).next, count: lines.length, faults };
}

const isOption = (written: string): boolean => optionStarts.some((words) => words.test(written));

/** Offset of the line's content after this many columns of indentation. */
function afterColumns(text: string, start: number, columns: number): { readonly at: number; readonly tab: boolean } {
  let tab = false;
  let at = start;
  for (let width = 0; width < columns; at++) {
    const isTab = text.charCodeAt(at) === 0x09;
    tab ||= isTab;
    width += isTab ? UNIT - (width % UNIT) : 1;
  }
  return { at, tab };
}

/** End of the line that extends to `end`, without trailing spaces. */
function endOfLine(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}
