// Turns the text into one stream of tokens, in which INDENT and DEDENT stand around the lines of each block.
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { Placement } from './indentation.js';
import type { TokenLine, TokenStream } from './line.js';
import { opensLongText, readLongText } from './long-text.js';
import { lineAt, measure } from './measure.js';
import { readQuotedLines } from './quoted-lines.js';
import { scanLine } from './scan-line.js';
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
  return { tokens: placement.close(), diagnostics };
}

function specialSpace(text: string, at: number): Diagnostic {
  const character = text.charAt(at);
  return catalogue.strayCharacter({ start: at, end: at + 1 }, character, strayHint(character, text, at));
}
