// Text → lines with their tokens, nested by indentation: INDENT and DEDENT become the children of the line that opens the block.
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { Line } from './line.js';
import { scanLine } from './scan-line.js';

/** Blocks nested deeper than this are an error; the parser would need a deeper stack than there is. */
const MAX_DEPTH = 100;
const UNIT = 4;

export interface Layout {
  /** The lines at the margin. */
  readonly lines: Line[];
  readonly diagnostics: Diagnostic[];
}

/** A block that is open: its lines, and the number of columns by which they are indented in the file. */
interface OpenBlock {
  readonly lines: Line[];
  readonly width: number;
}

/** Cuts `text` (no byte order mark) into nested lines. Lines end with LF or CRLF; blank lines and comments do not count. */
export function layout(text: string): Layout {
  const diagnostics: Diagnostic[] = [];
  const top: OpenBlock = { lines: [], width: 0 };
  const open: OpenBlock[] = [top];
  let previous: Line | undefined;
  let number = 0;

  for (let start = 0; start < text.length; ) {
    number++;
    let next = text.indexOf('\n', start);
    if (next === -1) next = text.length;
    const end = text.charCodeAt(next - 1) === 0x0d && next > start ? next - 1 : next;
    const indentation = measure(text, start, end);
    start = next + 1;
    if (indentation.end === end || text.charCodeAt(indentation.end) === 0x23) continue;

    const line: Line = {
      number,
      depth: 0,
      start: indentation.end,
      end: indentation.end,
      shape: '',
      offsets: [],
      children: [],
      fault: undefined,
    };
    const lineStart = indentation.end - indentation.characters;
    const problem = place(line, indentation.width, open, previous, { start: lineStart, end: indentation.end });
    line.depth = open.length - 1;
    if (indentation.tab) diagnostics.push(catalogue.tabIndentation({ start: lineStart, end: indentation.end }));
    else if (problem !== undefined) diagnostics.push(problem);
    scanLine(text, line, end);
    previous = line;
  }
  return { lines: top.lines, diagnostics };
}

/** Width of the indentation in columns; a tab reaches to the next multiple of 4. */
function measure(text: string, start: number, end: number): { width: number; end: number; characters: number; tab: boolean } {
  let width = 0;
  let tab = false;
  let at = start;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x20) width++;
    else if (code === 0x09) {
      tab = true;
      width += UNIT - (width % UNIT);
    } else break;
  }
  return { width, end: at, characters: at - start, tab };
}

/**
 * Puts `line` into the block that its width asks for, opening and closing blocks. A width that fits nowhere is reported once and then
 * taken as the nearest block, so that it costs no second message.
 */
function place(
  line: Line,
  width: number,
  open: OpenBlock[],
  previous: Line | undefined,
  indentation: { start: number; end: number },
): Diagnostic | undefined {
  const span = indentation.start === indentation.end ? { start: line.start, end: line.start + 1 } : indentation;
  let closed: OpenBlock | undefined;
  let block = open[open.length - 1];
  while (open.length > 1 && block !== undefined && width < block.width) {
    closed = open.pop();
    block = open[open.length - 1];
  }
  if (block === undefined) return undefined;
  if (width === block.width) {
    block.lines.push(line);
    return undefined;
  }
  const level = (open.length - 1) * UNIT;
  if (closed !== undefined) {
    // Between two open blocks: it most likely belongs to the inner one.
    open.push({ lines: closed.lines, width });
    closed.lines.push(line);
    return catalogue.oddIndentation(span, width, [level, level + UNIT]);
  }
  if (previous === undefined) {
    block.lines.push(line);
    return width % UNIT === 0 ? catalogue.deepIndentation(span, width, 0) : catalogue.oddIndentation(span, width, [0]);
  }
  // Past the limit the first line carries the message; what is deeper still is left out of the tree.
  const depth = open.length;
  const lines = depth > MAX_DEPTH ? [] : previous.children;
  open.push({ lines, width });
  lines.push(line);
  if (depth === MAX_DEPTH) line.fault = catalogue.blocksTooDeep({ start: line.start, end: line.start + 1 }, MAX_DEPTH);
  if (width === level + UNIT) return undefined;
  return width % UNIT === 0 && width > level + UNIT
    ? catalogue.deepIndentation(span, width, level + UNIT)
    : catalogue.oddIndentation(span, width, [level, level + UNIT]);
}
