// What the readers of blocks share: the file, the list of diagnostics, and the one way to match a line with recovery.

import { tokenClass } from '../1-layout/alphabet.js';
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { LineRules } from './line-node.js';
import { type LineFailure, matchShape, opens } from './match-line.js';
import type { Name } from './tree.js';

/** Lines that cannot be read, after which the rest of the file is left alone: it is most likely no workflow. */
const MAX_ERRORS = 1_000;

/** A line as its rule reads it. `stray` are the lines under it where none belong. */
export type Matched<T> =
  | { readonly ok: true; readonly node: T; readonly stray: readonly Line[] }
  | { readonly ok: false; readonly failure: LineFailure };

/** Classes of Unicode take V8 a millisecond to get ready, and most files need none. */
const isName = (text: string): boolean =>
  (/^[ -~]*$/.test(text) ? /^[A-Za-z_][\w.-]*$/ : /^[\p{L}_][\p{L}\p{M}\p{Nd}_.-]*$/u).test(text);

export class ParseContext {
  readonly diagnostics: Diagnostic[];
  readonly text: string;
  #errors = 0;

  constructor(text: string, diagnostics: Diagnostic[]) {
    this.text = text;
    this.diagnostics = diagnostics;
  }

  readonly report = (diagnostic: Diagnostic): void => {
    if (this.#errors < MAX_ERRORS) this.diagnostics.push(diagnostic);
    this.#errors++;
    if (this.#errors === MAX_ERRORS) this.diagnostics.push(catalogue.tooManyErrors(diagnostic.span, MAX_ERRORS));
  };

  /** True once there are so many errors that reading on would help nobody. */
  get gaveUp(): boolean {
    return this.#errors >= MAX_ERRORS;
  }

  /**
   * Reads `line` by `rule`. Lines that are indented under a line that opens no block are reported here, once, and given back: they go
   * on in the block of that line.
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

  /** The name that the token at `index` is. */
  name(line: Line, index: number): Name | undefined {
    const start = line.offsets[2 * index];
    const end = line.offsets[2 * index + 1];
    if (start === undefined || end === undefined) return undefined;
    const text = this.text.slice(start, end);
    return isName(text) ? { text, span: { start, end } } : undefined;
  }

  /** Every name on a line outside of its texts, dotted names by their first part; also behind what cannot be read. */
  names(line: Line): string[] {
    const outside = this.text.slice(line.start, line.end).replace(/"(?:\\.|[^"\\])*"?/g, ' ');
    return Array.from(outside.matchAll(/(?<![\p{L}\p{M}\p{Nd}_.-])[\p{L}_][\p{L}\p{M}\p{Nd}_-]*/gu), ([name]) =>
      name.replace(/-+$/, ''),
    );
  }
}
