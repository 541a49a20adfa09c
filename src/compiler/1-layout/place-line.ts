// The indentation of a line and the blocks that are open → the block that it belongs to. A line that is indented wrongly is reported once
// and then stands where it was most likely meant to, so that the lines around it are still read as they were written.
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic, Span } from '../diagnostics/diagnostic.js';
import { wordCharacter } from './alphabet.js';
import { type Line, lineSpan } from './line.js';

/** Blocks nested deeper than this are an error; the parser would need a deeper stack than there is. */
const MAX_DEPTH = 100;
const UNIT = 4;

interface OpenBlock {
  readonly lines: Line[];
  /** Columns by which its lines should be indented. */
  readonly level: number;
  /** Columns by which its first line is indented. */
  readonly written: number;
  /** Columns by which a later line of it is indented, wrongly: the lines beside that one need no report of their own. */
  also: number;
}

const charactersOf = (words: string): ReadonlySet<string> => new Set(words.split(' ').map((word) => wordCharacter(word) ?? ''));
/** First words of lines that have a block under them, whether or not their colon is there. */
const openers = charactersOf('if otherwise for step on config services workflow');
/** First words of lines that have none, unless they are calls. */
const closed = charactersOf('set add log skip stop wait complete reject save retry trigger');
const USING = wordCharacter('using') ?? '';
const sections: ReadonlySet<string> = new Set([...charactersOf('config services workflow')].map((word) => `${word}:`));

/** Whether lines stand under this one: they must, they may, or they cannot. */
function opensBlock({ shape }: Line): 'must' | 'may' | 'no' {
  if (shape.endsWith(':') || openers.has(shape.charAt(0))) return 'must';
  return closed.has(shape.charAt(0)) && !shape.includes(USING) ? 'no' : 'may';
}

export class Placement {
  /** The lines at the margin. */
  readonly top: Line[] = [];
  /** Never without the block at the margin; the line before stands in the last of them. */
  readonly #open: [OpenBlock, ...OpenBlock[]] = [{ lines: this.top, level: 0, written: 0, also: 0 }];
  #previous: Line | undefined;
  #previousWidth = 0;

  /**
   * Puts `line`, whose tokens are known and which is indented by `width` columns, where it belongs. Returns what is wrong with its
   * indentation, the text in front of it.
   */
  place(line: Line, width: number, indentation: Span): Diagnostic | undefined {
    const fault = this.#find(line, width, indentation.start === indentation.end ? undefined : indentation);
    line.depth = this.#open.length - 1;
    this.#previous = line;
    this.#previousWidth = width;
    return fault;
  }

  get #inner(): OpenBlock {
    return this.#open.at(-1) ?? this.#open[0];
  }

  #find(line: Line, width: number, indentation: Span | undefined): Diagnostic | undefined {
    if (width > 0 && sections.has(line.shape)) return this.#placeSection(line, width, indentation);
    const { level } = this.#inner;
    const above = this.#previous;
    const opens = above === undefined ? 'no' : opensBlock(above);
    const child = level + UNIT;
    if (above !== undefined && opens !== 'no' && (width === child || width === this.#previousWidth + UNIT)) {
      this.#openUnder(above, line, width);
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
    // Nearer to the lines of this block than to a block under the line above.
    if (above === undefined || opens === 'no' || (opens === 'may' && width < child - UNIT / 2)) {
      this.#inner.lines.push(line);
      this.#inner.also = width;
      if (width % UNIT !== 0) return odd();
      return above === undefined
        ? catalogue.deepIndentation(indentation ?? lineSpan(line), width, 0)
        : catalogue.indentedUnderNothing(lineSpan(line), level);
    }
    this.#openUnder(above, line, width);
    return width % UNIT === 0 ? catalogue.deepIndentation(indentation ?? lineSpan(line), width, child) : odd();
  }

  /** A section belongs to the margin, wherever it stands. */
  #placeSection(line: Line, width: number, indentation: Span | undefined): Diagnostic {
    this.#backTo(line, width, (block) => block.level === 0);
    return width % UNIT === 0
      ? catalogue.indentedSection(lineSpan(line))
      : catalogue.oddIndentation(indentation ?? lineSpan(line), width, [0]);
  }

  /** Closes blocks up to the innermost one that is meant; false where there is none. */
  #backTo(line: Line, width: number, isMeant: (block: OpenBlock) => boolean): boolean {
    const index = this.#open.findLastIndex(isMeant);
    if (index === -1) return false;
    this.#open.length = index + 1;
    this.#inner.lines.push(line);
    // Another line that is indented wrongly after this one is a slip of its own.
    if (width !== this.#inner.also) this.#inner.also = this.#inner.written;
    return true;
  }

  #openUnder(above: Line, line: Line, width: number): void {
    const depth = this.#open.length;
    // Past the limit the first line carries the message; what is deeper still is left out of the tree.
    const lines = depth > MAX_DEPTH ? [] : above.children;
    if (depth === MAX_DEPTH) line.fault = catalogue.blocksTooDeep({ start: line.start, end: line.start + 1 }, MAX_DEPTH);
    this.#open.push({ lines, level: this.#inner.level + UNIT, written: width, also: width });
    lines.push(line);
  }
}
