// Decides which block each line belongs to, and puts INDENT and DEDENT around the lines of a block. A badly indented line is reported once and then placed where it was most likely meant to be,
// so the lines around it still read as written.
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic, Span } from '../diagnostics/diagnostic.js';
import { blockUnder } from '../vocabulary/first-words.js';
import { sectionTable } from '../vocabulary/line-table.js';
import { tokenClass, wordCharacter, wordOf } from './alphabet.js';
import { lineSpan, type TokenLine, type TokenStream } from './line.js';

/** Blocks nested deeper than this are an error: the parser would overflow the stack. */
const MAX_DEPTH = 100;
const UNIT = 4;

interface OpenBlock {
  /** Columns its lines should be indented by. */
  readonly level: number;
  /** Columns its first line is indented by. */
  readonly written: number;
  /** Columns a later line is wrongly indented by; lines aligned with it are not reported again. */
  also: number;
}

const USING = wordCharacter('using') ?? '';
const sections: ReadonlySet<string> = new Set(Object.keys(sectionTable).map((word) => `${wordCharacter(word) ?? ''}:`));

/** Whether a block must, may or cannot follow this line; a missing colon does not matter. */
function opensBlock({ shape }: TokenLine): ReturnType<typeof blockUnder> {
  const answer = shape.endsWith(':') ? 'must' : blockUnder(wordOf(shape.charAt(0)) ?? '');
  return answer === 'no' && shape.includes(USING) ? 'may' : answer;
}

export class Placement {
  readonly #stream: (TokenLine | string)[] = [];
  /** The open blocks, outermost first; the previous line is in the last one. The block at the margin is always there. */
  readonly #open: [OpenBlock, ...OpenBlock[]] = [{ level: 0, written: 0, also: 0 }];
  #previous: TokenLine | undefined;
  #previousWidth = 0;

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
    if (width > 0 && sections.has(line.shape)) return this.#placeSection(line, width, indentation);
    const { level } = this.#inner;
    const above = this.#previous;
    const opens = above === undefined ? 'no' : opensBlock(above);
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
