// Splits quoted or free text into literal parts and references. Reports braces that do not hold a name.
import { aroundBraces, isReference, MOST_FIELDS } from '../1-layout/scan-line.js';
import { nameHint } from '../1-layout/word-hints.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic, Span } from '../diagnostics/diagnostic.js';
import { fieldsOfPath, type NamePart, nameWritten, pathParts } from '../vocabulary/field-names.js';
import type { Source } from './source.js';
import type { FieldOf, Reference, Text } from './tree.js';

/** Maximum values in one text. A longer concatenation overflows the stack of JavaScript engines. */
const MOST_VALUES = 500;

const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t' };
/** Text meant as a name, but invalid. */
const nameLike = (): RegExp => /^[\p{L}_][\p{L}\p{M}\p{Nd}_.-]*$/u;

/** Parses `a.b.0` at `span` into a reference. */
function toReference(written: string, span: Span): Reference {
  const dot = written.indexOf('.');
  if (dot === -1) return { kind: 'reference', root: written, fields: [], span };
  const [root = '', ...fields] = fieldsOfPath(written);
  return { kind: 'reference', root, fields, span };
}

/** Like `toReference`, for a path whose fields may be named by values: `prices.{country}.net`. */
export function toPath(written: string, span: Span): Reference | FieldOf {
  const brace = written.includes('.{') ? pathParts(written).find(isValue) : undefined;
  if (brace === undefined) return toReference(written, span);
  const end = brace.start - 1;
  const owner = toReference(written.slice(0, end), { start: span.start, end: span.start + end });
  return { kind: 'field', owner, keys: keysOf(written.slice(brace.start), span.start + brace.start), span };
}

const isValue = ({ written }: NamePart): boolean => written.startsWith('{');

/** `{country}.net` → a reference and a name. */
export const keysOf = (written: string, start: number): (string | Reference)[] =>
  pathParts(written).map((part) => {
    if (!isValue(part)) return nameWritten(part.written);
    const inside = part.written.slice(1, -1);
    const name = inside.trim();
    const from = start + part.start + 1 + inside.indexOf(name);
    return toReference(name, { start: from, end: from + name.length });
  });

/** Reads the quoted text at `span`, quotes included. */
export const quotedText = (source: Source, span: Span): Text =>
  readText(source, [{ start: span.start + 1, end: span.end - 1 }], span, true);

/** Reads an instruction: it interpolates like quoted text, but a backslash is a backslash. */
export const freeText = (source: Source, span: Span): Text => readText(source, [span], span, false);

/** Reads the lines under a line as one text, with line breaks between them. As in an instruction, a backslash is a backslash. */
export const longText = (source: Source, span: Span): Text => readText(source, source.line.pieces ?? [], span, false);

/** `pieces` are the lines of the text. */
function readText(source: Source, pieces: readonly Span[], span: Span, escapes: boolean): Text {
  const reader = new TextReader(source, span, escapes);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) reader.literal += '\n';
    reader.read(piece);
  }
  return reader.text;
}

/** Assembles a text from its lines. */
class TextReader {
  literal = '';
  readonly #source: Source;
  readonly #span: Span;
  readonly #escapes: boolean;
  readonly #parts: (string | Reference)[] = [];
  #values = 0;
  #isFaulty = false;

  constructor(source: Source, span: Span, escapes: boolean) {
    this.#source = source;
    this.#span = span;
    this.#escapes = escapes;
  }

  get text(): Text {
    if (this.literal !== '') this.#parts.push(this.literal);
    this.literal = '';
    const text: Text = { kind: 'text', parts: this.#parts, span: this.#span };
    return this.#isFaulty ? { ...text, isFaulty: true } : text;
  }

  #report(fault: Diagnostic): void {
    this.#isFaulty = true;
    this.#source.report(fault);
  }

  read({ start, end }: Span): void {
    const { text } = this.#source;
    const whole = text.slice(start, end);
    if (!/[\\{}]/.test(whole)) {
      this.literal += whole;
      return;
    }
    for (let at = start; at < end; at++) {
      const character = text.charAt(at);
      const next = text.charAt(at + 1);
      if (character === '\\' && this.#escapes) {
        const escaped = ESCAPES[next];
        this.literal += escaped ?? '\\';
        if (escaped !== undefined) at++;
      } else if ((character === '{' || character === '}') && next === character) {
        this.literal += character;
        at++;
      } else if (character === '{') {
        const close = text.indexOf('}', at);
        if (close === -1 || close >= end) {
          this.#report(catalogue.loneBrace({ start: at, end: at + 1 }, '{'));
          return;
        }
        this.#interpolate(at, close);
        at = close;
      } else if (character === '}') {
        this.#report(catalogue.loneBrace({ start: at, end: at + 1 }, '}'));
      } else {
        this.literal += character;
      }
    }
  }

  /** Reads the braces that open and close at these offsets. */
  #interpolate(open: number, close: number): void {
    const { text, report } = this.#source;
    const written = text.slice(open + 1, close);
    const name = written.trim();
    if (!isReference(name)) {
      const span = { start: open, end: close + 1 };
      const hint = nameLike().test(name) ? { name: nameHint(name) } : { around: aroundBraces(text, span) };
      this.#report(catalogue.badInterpolation(span, written, hint));
      return;
    }
    const start = open + 1 + written.indexOf(name);
    if (this.literal !== '') this.#parts.push(this.literal);
    this.literal = '';
    const reference = toReference(name, { start, end: start + name.length });
    this.#parts.push(reference);
    if (reference.fields.length > MOST_FIELDS) report(catalogue.pathTooLong(reference.span, MOST_FIELDS));
    if (++this.#values === MOST_VALUES + 1) report(catalogue.tooManyValues(this.#span, MOST_VALUES));
  }
}
