// State shared while a file is parsed: its text, the diagnostics, line matching with recovery, and the way into nested blocks.
import { withoutEnd } from '../../../runtime/values/without-end.js';
import { tokenClass } from '../1-layout/alphabet.js';
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { LineRules } from './line-node.js';
import { type LineFailure, matchShape, opens } from './match-line.js';
import type { Block, Name } from './tree.js';

/** After this many broken lines the file is most likely not a workflow, and the rest is ignored. */
const MAX_ERRORS = 1_000;

/** A matched line. `stray` holds lines indented under it that do not belong there. */
type Matched<T> =
  | { readonly ok: true; readonly node: T; readonly stray: readonly Line[] }
  | { readonly ok: false; readonly failure: LineFailure };

/** V8 takes a millisecond to prepare Unicode classes, and most files need none. */
const isName = (text: string): boolean =>
  (/^[ -~]*$/.test(text) ? /^[A-Za-z_][\w.-]*$/ : /^[\p{L}_][\p{L}\p{M}\p{Nd}_.-]*$/u).test(text);

/** The context of a block, which decides what it may contain. */
export interface Surroundings {
  readonly inLoop: boolean;
  /** The branch is inside the loop and can't leave it. */
  readonly inBranch?: boolean;
}

/** Given, because it imports this file. */
type ParseBlock = (lines: readonly Line[], context: ParseContext, around: Surroundings) => Block;

export class ParseContext {
  readonly #parseBlock: ParseBlock;
  readonly diagnostics: Diagnostic[];
  readonly text: string;
  /** Where statements start that are reported for standing at the margin: one message is enough. */
  readonly #atMargin: ReadonlySet<number>;
  #errors = 0;

  constructor(text: string, diagnostics: Diagnostic[], parseBlock: ParseBlock) {
    this.#parseBlock = parseBlock;
    this.text = text;
    this.diagnostics = diagnostics;
    this.#atMargin = new Set(diagnostics.flatMap(({ code, span }) => (code === 'WF056' ? [span.start] : [])));
  }

  readonly report = (diagnostic: Diagnostic): void => {
    if (this.#atMargin.size > 0 && this.#atMargin.has(this.text.lastIndexOf('\n', diagnostic.span.start - 1) + 1)) return;
    if (this.#errors < MAX_ERRORS) this.diagnostics.push(diagnostic);
    this.#errors++;
    if (this.#errors === MAX_ERRORS) this.diagnostics.push(catalogue.tooManyErrors(diagnostic.span, MAX_ERRORS));
  };

  /** True once there are so many errors that more would not help. */
  get gaveUp(): boolean {
    return this.#errors >= MAX_ERRORS;
  }

  /**
   * Parses `line` with `rule`. Lines indented under a line that opens no block are reported here, once, and returned: they belong to the
   * block of that line.
   */
  match<R extends keyof LineRules>(rule: R, line: Line): Matched<LineRules[R]> {
    let match = matchShape(rule, line.shape + opens(line.children));
    let stray: readonly Line[] = [];
    if (!match.matched && line.children.length > 0 && match.token === line.shape.length) {
      const alone = matchShape(rule, line.shape + tokenClass.eol);
      const child = line.children[0];
      if (alone.matched && child !== undefined) {
        match = alone;
        stray = line.children;
        this.report(catalogue.indentedUnderNothing(lineSpan(child), 4 * line.depth));
      }
    }
    if (!match.matched) return { ok: false, failure: match };
    return { ok: true, node: match.read({ text: this.text, line, report: this.report }), stray };
  }

  /** Parses the lines of a block. */
  block(lines: readonly Line[], around: Surroundings): Block {
    return this.#parseBlock(lines, this, around);
  }

  /** The token at `index` as a name, if it is one. */
  name(line: Line, index: number): Name | undefined {
    const start = line.offsets[2 * index];
    const end = line.offsets[2 * index + 1];
    if (start === undefined || end === undefined) return undefined;
    const text = this.text.slice(start, end);
    return isName(text) ? { text, span: { start, end } } : undefined;
  }

  /** Every name on a line outside quoted text (the first part of a dotted name), even after the point of failure. */
  names(line: Line): string[] {
    const outside = this.text.slice(line.start, line.end).replace(/"(?:\\.|[^"\\])*"?/g, ' ');
    return Array.from(outside.matchAll(/(?<![\p{L}\p{M}\p{Nd}_.-])[\p{L}_][\p{L}\p{M}\p{Nd}_-]*/gu), ([name]) =>
      withoutEnd(name, '-'),
    );
  }
}

/** Names, and those of two words as others may write them: `free beds` is `free-beds`. */
export const withJoined = (names: readonly string[]): string[] =>
  names.length > 20 ? [...names] : names.flatMap((name, index) => [name, `${names[index - 1] ?? ''}-${name}`]);
